#pragma once

#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/toolchain/toolchain.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace harness::test {

/// Where tests labelled `toolchain` find installed toolchains: $HARNESS_TOOLCHAINS_DIR, else the place where
/// `harness toolchain install` puts them.
inline ToolchainDir installedToolchains() {
  const char* directory = std::getenv("HARNESS_TOOLCHAINS_DIR");
  return ToolchainDir(directory && *directory ? std::filesystem::path(directory)
                                              : defaultCacheDir() / "toolchains");
}

/// The oldest and the newest nvcc among the toolchains that the README names for the tests: what else is
/// installed is none of a test's business.
inline std::vector<Toolchain> oldestAndNewestNvcc() {
  ToolchainDir directory = installedToolchains();
  return {directory.get("13.0.88"), directory.get("13.5.37")};
}

/// A call of the program that sees the checkout `root` and the installed toolchains, with a cache and a
/// database of its own in `directory`, where it runs.
inline ProcessSpec programCall(const std::string& program, const std::string& root,
                               const std::filesystem::path& directory,
                               const std::vector<std::string>& arguments) {
  ProcessSpec spec;
  spec.argv = {program};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.directory = directory;
  spec.limits.memoryBytes = 0;
  spec.limits.cpu = {};
  spec.environment = {{"HARNESS_ROOT", root},
                      {"HARNESS_CACHE_DIR", directory / "cache"},
                      {"HARNESS_TOOLCHAINS_DIR", installedToolchains().directory()},
                      {"HARNESS_DB", directory / "harness.db"}};
  return spec;
}

} // namespace harness::test
