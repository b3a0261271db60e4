#pragma once

#include "harness/toolchain/toolchain.h"

#include <filesystem>
#include <string>
#include <vector>

namespace harness {

/// Where the parts of a toolkit lie: wheels of 13.x unpack to nvidia/cu13/bin, those of 12.x to
/// nvidia/cuda_nvcc/bin and nvidia/cuda_nvrtc/lib, an installed toolkit has bin/, nvvm/, and lib64/ and
/// include/ of its own or in targets/. Nothing is looked for elsewhere: what is found is executed. A part
/// that is not there is an empty path.
struct Layout {
  std::filesystem::path nvcc, cicc, nvrtc, ptxas, nvdisasm, libdevice;
  std::vector<std::filesystem::path> includeDirs; ///< of cuda_runtime.h, crt/host_defines.h, nv/target

  static Layout find(const std::filesystem::path& root);

  bool hasNvcc() const { return !nvcc.empty() && !cicc.empty(); }
};

/// Mends what wheels get wrong, below our own copy: programs without their executable bit, and a cicc that
/// does not lie in nvvm/bin where nvcc looks for it (13.0.48). Returns what was done, one line each.
std::vector<std::string> mendLayout(const std::filesystem::path& root, Layout& layout);

/// Every file that can change the PTX of a front end of this kind: programs, libdevice, headers. Sorted.
std::vector<std::filesystem::path> frontEndFiles(const Layout& layout, FrontEndKind kind);

} // namespace harness
