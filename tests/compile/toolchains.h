#pragma once

#include "harness/base/files.h"
#include "harness/toolchain/toolchain.h"

#include <cstdlib>
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

} // namespace harness::test
