#pragma once

#include "harness/ptx/binder.h"
#include "harness/ptx/machine.h"

namespace harness::ptx {

// What all instructions on matrices that a warp holds have in common.

/// Takes .sync and .aligned, without which there is no such instruction, and lets all lanes come together.
void bindMatrixTogether(Binder& b);

/// Reports lanes that are not there: all 32 must be.
void checkWarpIsWhole(Warp& warp, LaneMask mask);

} // namespace harness::ptx
