#pragma once

#include "harness/gpu/device.h"
#include "harness/toolchain/toolchain.h"

#include <string_view>
#include <vector>

namespace harness::cli {

/// `driver`, `driver-570.124.06`: the compiler in this machine's driver in the place of a ptxas.
bool isDriverName(std::string_view half);

/// `front`'s front end with the compiler of the driver of `machine`: `13.0.88+driver-570.124.06`. What stands
/// for the build of its ptxas is the CUDA version of the driver, so that ranges of versions hold for it too.
/// `installed` tells which PTX the compilers of that CUDA version take. `half` is what was asked for: throws
/// Error(Environment) if it names another driver than there is.
Toolchain withDriver(const Toolchain& front, std::string_view half, const gpu::Machine& machine,
                     const std::vector<Toolchain>& installed);

/// The newest of `installed` whose PTX the driver can be expected to take as it is, else the newest. Throws
/// Error(Environment) if none is installed.
Toolchain frontEndFor(const gpu::Machine& machine, const std::vector<Toolchain>& installed);

/// The architectures that a device takes machine code for, of those of its compute capability.
std::vector<std::string> ownArchs(const gpu::Device& device);

} // namespace harness::cli
