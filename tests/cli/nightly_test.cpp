// ci/nightly with nothing to do: a copy of it, with a program and tools that only say how they were called.
#include "harness/base/files.h"
#include "harness/base/subprocess.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

namespace fs = std::filesystem;

void writeProgram(const fs::path& path, const std::string& script) {
  fs::create_directories(path.parent_path());
  writeFileAtomically(path, "#!/bin/sh\n" + script);
  fs::permissions(path, fs::perms(0755));
}

TEST(Nightly, SaysWhatItIsAt) {
  TempDir directory("nightly");
  fs::path root = directory.path();
  for (const char* name : {"nightly", "common.sh"}) {
    fs::create_directories(root / "ci");
    fs::copy_file(fs::path(HARNESS_SOURCE_DIR) / "ci" / name, root / "ci" / name);
  }
  writeProgram(root / "ci/bootstrap", "");
  writeProgram(root / "bin/ninja", "");
  writeProgram(root / "build/release/bin/harness", "echo harness \"$@\" >&2\n");
  for (const char* name : {"build/release/build.ninja", "matrix/toolchains/13.0.88.txt"}) {
    fs::create_directories((root / name).parent_path());
    writeFileAtomically(root / name, "");
  }
  writeFileAtomically(root / "m.json", R"({"toolchains": ["13.0.88", "13.0.88+driver"]})");
  ProcessSpec spec;
  spec.argv = {"bash", root / "ci/nightly", "--matrix", root / "m.json"};
  spec.environment = {{"PATH", (root / "bin").string() + ":/usr/bin:/bin"}};
  ProcessResult result = runProcess(spec);
  EXPECT_TRUE(result.ok()) << result.describe();
  std::string at = "--root " + root.string();
  EXPECT_EQ(result.err, "ci/nightly: packages\n"
                        "ci/nightly: program\n"
                        "ci/nightly: toolchains: 13.0.88 nvdisasm\n"
                        "harness " +
                            at +
                            " toolchain install 13.0.88 nvdisasm\n"
                            "ci/nightly: newer compilers\n"
                            "harness " +
                            at +
                            " toolchain newer\n"
                            "ci/nightly: judging " +
                            (root / "m.json").string() +
                            "\n"
                            "harness run --matrix " +
                            (root / "m.json").string() + "\n");
}

} // namespace
} // namespace harness
