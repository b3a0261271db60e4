#pragma once

#include "harness/explain/explanation.h"
#include "harness/simt/launch.h"
#include "harness/simt/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace harness::explain {

/// A byte of an output that SASS has wrong, and both executions of its launch.
struct WrongByte {
  std::string buffer;
  std::uint64_t offset = 0, address = 0;
  std::uint8_t expected = 0, sass = 0;
  std::optional<std::uint8_t> ptx; ///< nothing: PTX has no answer
};

/// Walks back from the byte in both executions to where they part. `lines` tells whether the SASS
/// instructions have their PTX lines; `launch` is only for the names of threads.
Explanation explainByte(TraceSource& sass, TraceSource& ptx, const WrongByte& byte, const Launch& launch,
                        bool lines);

/// Walks back from the access at which SASS faults, while PTX completes.
Explanation explainFault(TraceSource& sass, TraceSource& ptx, const TraceStop& fault, const Launch& launch,
                         bool lines);

/// The SASS side alone, where PTX could not be executed, for the reason given.
Explanation explainWithoutPtx(TraceSource& sass, const WrongByte& byte, const Launch& launch,
                              const std::string& why);

} // namespace harness::explain
