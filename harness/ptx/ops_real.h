#pragma once

#include "harness/ptx/binder.h"

namespace harness::ptx {

// div, rcp and sqrt, rounded as their modifier says (.rn, .rz, .rm, .rp).
void bindRoundedDivision(Binder& b);
void bindRoundedReciprocal(Binder& b);
void bindRoundedRoot(Binder& b);

} // namespace harness::ptx
