/// Installs one requirement file of matrix/toolchains for real, verifies it and says what it is: the heavy
/// test `ctest -C toolchains -L toolchains`, which needs an index or a folder of wheels.

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/toolchain/toolchain.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

using namespace harness;

namespace {

void describe(const Toolchain& toolchain) {
  std::printf("%s (%s)\n  front end %s %s '%s' identity %s\n  ptxas %s '%s' PTX %s: %s\n",
              toolchain.name.c_str(), toolchain.label().c_str(),
              std::string(toString(toolchain.frontEnd.kind)).c_str(), toolchain.frontEnd.build.str().c_str(),
              toolchain.frontEnd.buildString.c_str(), toolchain.frontEnd.identity.c_str(),
              toolchain.ptxas.build.str().c_str(), toolchain.ptxas.buildString.c_str(),
              toolchain.ptxas.maxPtx.str().c_str(), join(toolchain.ptxas.archs, " ").c_str());
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: install_check REQUIREMENTS_DIR NAME [NVRTC_PROGRAM [WHEELS]]\n");
    return 2;
  }
  try {
    TempDir cache("harness-install-check");
    ToolchainDir directory(cache.path() / "toolchains");
    std::string name = argv[2];
    directory.install(name, {.requirementsDir = argv[1],
                             .wheels = argc > 4 ? argv[4] : "",
                             .nvrtcProgram = argc > 3 ? argv[3] : ""});
    if (name == "nvdisasm") {
      std::printf("%s\n", directory.nvdisasm().buildString.c_str());
      return 0;
    }
    describe(directory.get(name));
    std::vector<std::string> changes = directory.verify(name);
    for (const std::string& change : changes)
      std::fprintf(stderr, "%s\n", change.c_str());
    return changes.empty() ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
