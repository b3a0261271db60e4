#pragma once

#include "harness/ptx/code.h"

namespace harness::ptx {

/// Sets Op::join of the branches of a function: the first instruction that all ways from the branch to the
/// end of the function pass (its immediate post-dominator), or the function's last one, a return.
void findJoins(Code& code, const FunctionCode& function);

} // namespace harness::ptx
