#pragma once

#include "harness/store/store.h"

#include <string>
#include <vector>

namespace harness {

/// "Run 12: 2 cells regressed, 1 fixed", "Run 12, not finished: nothing regressed".
std::string headlineOf(const RunRecord& run, const std::vector<QueryRow>& rows);

/// A sentence or two: what was compiled and executed, and what was known.
std::string workDone(const RunRecord& run);

} // namespace harness
