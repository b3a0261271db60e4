#pragma once

#include "harness/ptx/syntax.h"

#include <set>
#include <string>

namespace harness {

/// The entries that name extern shared memory, or reach by names (calls, addresses taken, initialisers) a
/// function that does. An entry whose only use is a pointer from elsewhere is not found.
std::set<std::string> entriesWithDynamicShared(const ptx::Module& module);

} // namespace harness
