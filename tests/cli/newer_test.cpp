// Compilers that are newer than the matrix, as a stub of pip has them.
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

namespace fs = std::filesystem;

class NewerTest : public testing::Test {
protected:
  NewerTest() {
    std::string hash = " --hash=sha256:" + std::string(64, 'a') + "\n";
    world_.write("matrix/toolchains/13.5.37.txt", "nvidia-cuda-nvcc==13.5.37" + hash);
    world_.write("matrix/toolchains/13.0.88.txt", "nvidia-cuda-nvcc==13.0.88" + hash);
    world_.write("matrix/toolchains/12.9.86.txt", "nvidia-cuda-nvcc-cu12==12.9.86" + hash);
  }

  /// `script` is a shell's: what pip does; "$*" ends with the package.
  ProcessResult newerWith(const std::string& script) {
    fs::path python = world_.write("bin/python3", "#!/bin/sh\n[ \"$1\" = -c ] && exit 0\n" + script + "\n");
    fs::permissions(python, fs::perms::owner_all);
    return world_.run({"toolchain", "newer"});
  }

  World world_;
};

TEST_F(NewerTest, IsNamedWithWhatAddsIt) {
  ProcessResult result = newerWith("case \"$*\" in\n"
                                   "  *'index versions nvidia-cuda-nvcc')\n"
                                   "    echo 'nvidia-cuda-nvcc (13.10.2)'\n"
                                   "    echo 'Available versions: 13.9.1, 13.10.2, 13.5.37';;\n"
                                   "  *) echo 'Available versions: 12.9.86, 12.8.93';;\n"
                                   "esac\necho 'WARNING: experimental' >&2");
  EXPECT_CODE(result, 0);
  EXPECT_EQ(result.out, "newer than the matrix: nvidia-cuda-nvcc 13.10.2; 'ci/update-toolchains' adds it\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(NewerTest, NothingNewerIsNotWorthALine) {
  ProcessResult result = newerWith("case \"$*\" in *cu12) echo 'Available versions: 12.9.86';;\n"
                                   "*) echo 'Available versions: 13.5.37, 13.4.1';; esac");
  EXPECT_CODE(result, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(NewerTest, WithoutAnAnswerOneLineAndNoFailure) {
  for (const char* script :
       {"echo 'ERROR: no network' >&2; exit 1", "kill -9 $$", "echo nonsense", "head -c 3000000 /dev/zero"}) {
    ProcessResult result = newerWith(script);
    EXPECT_CODE(result, 0);
    EXPECT_EQ(result.out, "") << script;
    EXPECT_TRUE(result.err.starts_with("cannot tell whether there are newer compilers: ")) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  }
}

} // namespace
} // namespace harness::test
