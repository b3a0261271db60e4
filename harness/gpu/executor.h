#pragma once

#include "harness/cubin/cubin.h"
#include "harness/gpu/pointer_place.h"
#include "harness/gpu/pool.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness::gpu {

/// The byte that fills the red zones: neither of the poisons, so that a read out of bounds gives another
/// value than one of what nobody wrote.
inline constexpr unsigned char kZoneFill = 0xC3;

/// Runs `kernel` of a cubin on one of the devices at `places`, on the same memory as every executor: the
/// buffers as far apart as in `memory`, with red zones around them, which are checked afterwards. At
/// `pointers` the arguments hold addresses of allocations of `memory`; the device gets its own in their
/// place. What the kernel wrote stands in `memory` if it completed. `device` becomes the one taken.
///
/// A fault of the kernel, code that the driver refuses and a kernel that does not end are results, as of
/// every executor. Throws Error(Usage) when launch and kernel do not fit, and when the device could not do
/// its part: too little memory, a driver that crashes or hangs outside of a kernel, an error that tells
/// nothing of the kernel.
ExecutionResult execute(Pool& pool, const std::vector<std::size_t>& places, std::string_view cubin,
                        const Kernel& kernel, const Launch& launch, const std::vector<PointerPlace>& pointers,
                        GlobalMemory& memory, Device& device);

} // namespace harness::gpu
