#pragma once

#include "harness/explain/explanation.h"
#include "harness/simt/launch.h"
#include "harness/simt/trace.h"

#include <cstdint>
#include <string>

namespace harness::explain {

/// A byte of an output that SASS has wrong, and both executions of its launch.
struct WrongByte {
  std::string buffer;
  std::uint64_t offset = 0, address = 0;
  std::uint8_t expected = 0, sass = 0, ptx = 0;
  bool expectedFromPtx = false; ///< there is no reference
};

/// Walks back from the byte in both executions to where they part. `lines` tells whether the SASS
/// instructions have their PTX lines; `launch` is only for the names of threads.
Explanation explainByte(TraceSource& sass, TraceSource& ptx, const WrongByte& byte, const Launch& launch,
                        bool lines);

} // namespace harness::explain
