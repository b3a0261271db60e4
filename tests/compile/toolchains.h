#pragma once

#include "harness/base/files.h"
#include "harness/toolchain/toolchain.h"

#include <cstdlib>
#include <string_view>

namespace harness::test {

/// Where tests labelled `toolchain` find installed toolchains: $HARNESS_TOOLCHAINS_DIR, else the place where
/// `harness toolchain install` puts them.
inline ToolchainDir installedToolchains() {
  const char* directory = std::getenv("HARNESS_TOOLCHAINS_DIR");
  return ToolchainDir(directory && *directory ? std::filesystem::path(directory)
                                              : defaultCacheDir() / "toolchains");
}

} // namespace harness::test
