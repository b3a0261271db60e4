#pragma once

#include "harness/toolchain/toolchain.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What a compiler says of itself.
struct ToolVersion {
  Version build;           ///< 13.0.88
  std::string buildString; ///< "Build cuda_13.0.r13.0/compiler.36424714_0"
};

/// Out of what nvcc, ptxas and nvdisasm print for `--version`: "… release 13.0, V13.0.88" and the line
/// "Build …" (the release line where there is none).
std::optional<ToolVersion> parseToolVersion(std::string_view output);

/// Out of the head of a PTX file: the compiler's version and its "Compiler Build ID: CL-…" (the release where
/// that is "UNKNOWN", as in NVRTC 13.2). It is the only place where an NVRTC tells its third number.
std::optional<ToolVersion> parsePtxHeader(std::string_view ptx);

/// The real architectures (sm_…) that `ptxas --help` allows for `--gpu-name`, by number, then suffix.
std::vector<std::string> parseArchs(std::string_view help);

/// Out of ptxas' complaint about a `.version` that no PTX has: "… current version is '9.0'".
std::optional<Version> parseMaxPtx(std::string_view complaint);

/// Asks nvcc or nvdisasm. Throws Error(Environment) quoting what it printed if that is not understood.
ToolVersion identifyTool(const std::filesystem::path& program);

/// Asks ptxas for its version, architectures and newest PTX; hashes it. Throws like identifyTool.
Ptxas identifyPtxas(const std::filesystem::path& program);

} // namespace harness
