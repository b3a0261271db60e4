#pragma once

#include "harness/toolchain/toolchain.h"

#include <filesystem>
#include <string>

namespace harness {

/// Compiles a small kernel that needs cuda_fp16.h, cuda_fp8.h and cooperative_groups.h by the way cases take:
/// nvcc, or NVRTC in a process of its own, then ptxas. For sm_80, or the oldest architecture where that is
/// gone. Returns the PTX. Throws Error(Environment) with the command and what the compiler said.
std::string smokeCompile(const FrontEnd& frontEnd, const Ptxas& ptxas,
                         const std::filesystem::path& nvrtcProgram);

/// `given`, or the harness-nvrtc beside this executable if that is empty.
std::filesystem::path findNvrtcProgram(const std::filesystem::path& given);

} // namespace harness
