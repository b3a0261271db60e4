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

void copyScripts(const fs::path& root) {
  fs::create_directories(root / "ci");
  for (const char* name : {"nightly", "common.sh"})
    fs::copy_file(fs::path(HARNESS_SOURCE_DIR) / "ci" / name, root / "ci" / name);
}

TEST(Nightly, AMatrixThatIsNotThereIsSaidAtOnce) {
  TempDir directory("nightly");
  fs::path root = directory.path(), missing = root / "none.json";
  copyScripts(root);
  writeProgram(root / "ci/bootstrap", "echo started >&2; exit 1\n");
  struct Example {
    std::vector<std::string> arguments;
    std::string says;
  };
  for (const Example& example :
       {Example{{"--matrix", missing}, "cannot read the matrix file '" + missing.string() + "'"},
        {{"--matrix=" + missing.string()}, "cannot read the matrix file '" + missing.string() + "'"},
        {{"--matrix", root}, "cannot read the matrix file '" + root.string() + "'"},
        {{"--matrix", ""}, "cannot read the matrix file ''"},
        {{"--jobs", "2", "--matrix"}, "--matrix wants a FILE"}}) {
    ProcessSpec spec;
    spec.argv = {"bash", root / "ci/nightly"};
    spec.argv.insert(spec.argv.end(), example.arguments.begin(), example.arguments.end());
    spec.environment = {{"PATH", "/usr/bin:/bin"}};
    ProcessResult result = runProcess(spec);
    EXPECT_EQ(result.exitCode, 2) << result.describe();
    EXPECT_TRUE(result.err.starts_with("ci/nightly: " + example.says)) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << "one line: " << result.err;
  }
}

TEST(Nightly, SaysWhatItIsAt) {
  TempDir directory("nightly");
  fs::path root = directory.path();
  copyScripts(root);
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
