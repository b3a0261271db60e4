#pragma once

#include "harness/gpu/driver.h"

#include <string>
#include <vector>

namespace harness::gpu {

/// What a failure that is the machine's begins with; compile/outcome.cpp looks for it.
inline constexpr const char kCannotCompile[] = "harness-driver-ptxas: cannot compile here: ";

/// The driver's own compiler, called as ptxas is:
///   -arch=sm_90a -m64 [-O0 … -O3] [-g] [--generate-line-info] [-maxrregcount=N] FILE.ptx -o FILE.cubin
/// (of `-g` also --dont-merge-basicblocks and --return-at-end, which say nothing more). It compiles for what
/// the device is, so one of that architecture must be there. What the compiler prints goes to stderr. Gives
/// the exit code: 0, 1 if it refuses the PTX, 2 for a wrong call, 3 if this machine cannot compile, whatever
/// the PTX: no such device, a driver without its compiler, no memory. That last line begins with
/// `kCannotCompile`.
int assemble(const Driver& driver, const std::vector<std::string>& arguments);

} // namespace harness::gpu
