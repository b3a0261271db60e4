#pragma once

#include "harness/ptx/binder.h"

namespace harness::ptx {

/// Binds an mma, or a wmma.mma whose .mma is taken.
void bindMatrixProduct(Binder& b, bool wmma);

} // namespace harness::ptx
