#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/matrix/matrix_file.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

std::string errorOf(const std::string& text) {
  TempDir dir("matrix");
  writeFileAtomically(dir.path() / "m.json", text);
  try {
    MatrixFile::load(dir.path() / "m.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "";
}

TEST(MatrixFile, TheSmokeMatrix) {
  MatrixFile matrix = MatrixFile::load(std::filesystem::path(HARNESS_SOURCE_DIR) / "matrix/smoke.json");
  EXPECT_EQ(matrix.cases.size() * matrix.toolchains.size() * matrix.archs.size() * matrix.opts.size(),
            4u * 3 * 18 * 4);
  EXPECT_EQ(matrix.executors, (std::vector<std::string>{"sass", "ptx"}));
}

TEST(MatrixFile, SaysWhatIsWrongAndWhere) {
  struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"{", "m.json:1:"},
      {R"({"cases": ["a"], "toolchain": ["13"]})", "/toolchain: unknown key; did you mean 'toolchains'?"},
      {R"({"cases": ["a"]})", "'toolchains' is missing"},
      {R"({"cases": []})", "/cases: the list is empty"},
      {R"({"cases": ["a", "a"]})", "/cases/1: 'a' is given twice"},
      {R"({"cases": ["[a"]})", "/cases/0: bad pattern"},
      {R"({"cases": "a"})", "/cases: an array is expected"},
      {R"({"cases": ["a"], "toolchains": ["13.0/../x"]})", "/toolchains/0: "},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["120"]})",
       "/archs/0: '120' is no architecture"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75x"]})", "/archs/0: "},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3"], "executors": ["gpu"]})",
       "/executors/0: there is no executor 'gpu'"},
  };
  for (const auto& item : cases)
    EXPECT_NE(errorOf(item.text).find(item.message), std::string::npos) << item.text << "\n"
                                                                        << errorOf(item.text);
}

TEST(MatrixFile, DefaultsToTheSassExecutor) {
  EXPECT_EQ(
      errorOf(
          R"({"cases": ["*"], "toolchains": ["13.0.88+13.1.80"], "archs": ["sm_90a"], "opts": ["O3+fmad=false"]})"),
      "");
}

} // namespace
} // namespace harness
