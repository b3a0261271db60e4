#pragma once

#include "harness/parity/verdict.h"
#include "harness/store/store.h"

#include <string>

namespace harness {

/// What was found of a cell, as far as comparing toolchains takes it.
struct CellFinding {
  Verdict verdict = Verdict::Skipped;
  Standing ptx = Standing::Undecided; ///< of its PTX by itself, when executed
  std::string reason;                 ///< of a verdict that is undecided: why, in a line
};

CellFinding findingOf(const CellRecord& cell);

} // namespace harness
