#pragma once

#include "harness/simt/launch.h"

namespace harness {

/// Throws Error(Usage) unless every architecture from sm_75 on can launch such a grid of such blocks.
void requireLaunchable(const Launch& launch);

} // namespace harness
