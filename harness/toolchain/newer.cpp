#include "harness/toolchain/newer.h"

#include "harness/base/parallel.h"
#include "harness/toolchain/pip.h"
#include "harness/toolchain/requirements.h"

#include <algorithm>
#include <array>
#include <map>

namespace harness {

namespace fs = std::filesystem;

namespace {

/// Of the lines that are still published to (ci/update-toolchains has all).
constexpr std::array kPackages{"nvidia-cuda-nvcc", "nvidia-cuda-nvcc-cu12"};

/// The newest version of each package that any requirement file pins.
std::map<std::string, Version> newestPinned(const fs::path& directory) {
  std::map<std::string, Version> newest;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(directory, ec)) {
    if (entry.path().extension() != ".txt") continue;
    for (const auto& [package, pin] : Requirements::load(directory, entry.path().stem().string()).pins)
      if (auto version = Version::parse(pin)) newest[package] = std::max(newest[package], *version);
  }
  return newest;
}

} // namespace

std::vector<NewerCompiler> newerCompilers(const fs::path& requirementsDir) {
  std::map<std::string, Version> pinned = newestPinned(requirementsDir);
  std::array<std::vector<Version>, kPackages.size()> offered;
  parallelFor(kPackages.size(), kPackages.size(),
              [&](std::size_t i) { offered[i] = pipVersions(kPackages[i]); });
  std::vector<NewerCompiler> newer;
  for (std::size_t i = 0; i < kPackages.size(); ++i) {
    auto newest = std::max_element(offered[i].begin(), offered[i].end());
    if (newest != offered[i].end() && *newest > pinned[kPackages[i]])
      newer.push_back({kPackages[i], *newest});
  }
  return newer;
}

} // namespace harness
