#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/toolchain/requirements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::string kHash = "--hash=sha256:" + std::string(64, 'a');

std::string errorOf(const std::string& text) {
  try {
    Requirements::parse(text, "r.txt");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "";
}

TEST(Requirements, ReadsPinsOverContinuedLines) {
  auto requirements = Requirements::parse("# nvcc 13.0.88 (cuda-toolkit 13.0.2)\n\n"
                                          "nvidia-cuda-nvcc==13.0.88 \\\n    " +
                                              kHash + " \\\n    " + kHash +
                                              "\n"
                                              "# a comment\n"
                                              "nvidia-cuda-cccl==12.5.39.post1 " +
                                              kHash + "\n",
                                          "r.txt");
  EXPECT_THAT(requirements.pins,
              ElementsAre(Pair("nvidia-cuda-cccl", "12.5.39.post1"), Pair("nvidia-cuda-nvcc", "13.0.88")));
}

TEST(Requirements, RefusesWhatIsNotLocked) {
  EXPECT_THAT(errorOf("nvidia-nvvm==13.0.88\n"), HasSubstr("'r.txt', line 1"));
  EXPECT_THAT(errorOf("nvidia-nvvm==13.0.88 --hash=sha256:abc\n"), HasSubstr("line 1"));
  EXPECT_THAT(errorOf("nvidia-nvvm==13.0.88 --hash=md5:" + std::string(64, 'a') + "\n"), HasSubstr("line 1"));
  EXPECT_THAT(errorOf("\nnvidia-nvvm>=13.0 " + kHash + "\n"), HasSubstr("line 2"));
}

TEST(Requirements, RefusesOptionsAndAddresses) {
  EXPECT_THAT(errorOf("--index-url==x " + kHash + "\n"), HasSubstr("only pinned packages"));
  EXPECT_THAT(errorOf("-r==other.txt " + kHash + "\n"), HasSubstr("only pinned packages"));
  EXPECT_THAT(errorOf("nvvm@file:///x==1 " + kHash + "\n"), HasSubstr("only pinned packages"));
  EXPECT_THAT(errorOf("nvvm==1 " + kHash + " --global-option=x\n"), HasSubstr("line 1"));
}

TEST(Requirements, RefusesAnEmptyOrCutOffFile) {
  EXPECT_THAT(errorOf("# nothing\n"), HasSubstr("names no package"));
  EXPECT_THAT(errorOf("nvvm==1 " + kHash + "\nnvcc==1 \\"), HasSubstr("cut off"));
}

TEST(Requirements, AnUnknownNameListsWhatThereIs) {
  TempDir directory("requirements-test");
  writeFileAtomically(directory.path() / "13.0.88.txt", "nvvm==1 " + kHash + "\n");
  EXPECT_EQ(Requirements::load(directory.path(), "13.0.88").pins.size(), 1u);
  for (const char* name : {"13.0.8", "../13.0.88", "", "13.0.88+13.1.80"}) {
    try {
      Requirements::load(directory.path(), name);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      EXPECT_THAT(error.what(), HasSubstr("there are: 13.0.88"));
    }
  }
}

TEST(Requirements, AnUnknownBuildNamesTheNearestByNumber) {
  try {
    Requirements::load(REQUIREMENTS_DIR, "13.0.99"); // by letters, 12.4.99 is as near
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 13.0.88?"));
  }
}

TEST(Requirements, EveryFileOfTheMatrixIsLocked) {
  unsigned count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(REQUIREMENTS_DIR)) {
    EXPECT_NO_THROW(Requirements::load(REQUIREMENTS_DIR, entry.path().stem().string())) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 36u) << "12 of 13.x, 22 of 12.x, 11.8.89 and nvdisasm";
}

} // namespace
} // namespace harness
