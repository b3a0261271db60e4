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
  ASSERT_EQ(matrix.products.size(), 1u);
  const CellProduct& product = matrix.products.front();
  EXPECT_EQ(product.cases.size() * product.toolchains.size() * product.archs.size() * product.opts.size(),
            4u * 3 * 18 * 4);
  EXPECT_EQ(matrix.executors, (std::vector<std::string>{"sass", "ptx"}));
}

TEST(MatrixFile, OtherProductsTakeWhatTheyLackFromTheFirst) {
  TempDir dir("matrix");
  writeFileAtomically(dir.path() / "m.json", R"({"cases": ["a", "b"], "toolchains": ["13.0.88", "13.1.80"],
    "archs": ["sm_75"], "opts": ["O0", "O3"], "also": [{"toolchains": ["13.1.80"], "opts": ["G"]}, {"cases": ["b"]}],
    "expand": {"archs": ["sm_75", "sm_90a"]}})");
  MatrixFile matrix = MatrixFile::load(dir.path() / "m.json");
  using Names = std::vector<std::string>;
  ASSERT_EQ(matrix.products.size(), 3u);
  EXPECT_EQ(matrix.products[1].cases, (Names{"a", "b"}));
  EXPECT_EQ(matrix.products[1].toolchains, Names{"13.1.80"});
  EXPECT_EQ(matrix.products[1].archs, Names{"sm_75"});
  EXPECT_EQ(matrix.products[1].opts, Names{"G"});
  EXPECT_EQ(matrix.products[2].cases, Names{"b"});
  EXPECT_EQ(matrix.products[2].opts, (Names{"O0", "O3"}));
  ASSERT_TRUE(matrix.expand);
  EXPECT_EQ(matrix.expand->archs, (Names{"sm_75", "sm_90a"}));
  EXPECT_EQ(matrix.expand->toolchains, (Names{"13.0.88", "13.1.80"}));
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
       "/archs/0: no compiler knows an architecture '120'; the nearest are sm_120, sm_120a, sm_120f"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75", "sm_91"]})",
       "/archs/1: no compiler knows an architecture 'sm_91'; the nearest are sm_90, sm_90a"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3"], "expand": {"archs": ["sm_91"]}})",
       "/expand/archs/0: no compiler knows"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3", "O9"]})",
       "/opts/1: opt 'O9': "},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75x"]})", "/archs/0: "},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3"], "executors": ["cuda"]})",
       "/executors/0: there is no executor 'cuda'"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3"], "also": [{"arch": ["sm_80"]}]})",
       "/also/0/arch: unknown key; did you mean 'archs'?"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3"], "also": [{"opts": []}]})",
       "/also/0/opts: the list is empty"},
      {R"({"cases": ["a"], "toolchains": ["13.0.88"], "archs": ["sm_75"], "opts": ["O3"], "expand": {"cases": ["a"]}})",
       "/expand/cases: unknown key"},
  };
  for (const auto& item : cases)
    EXPECT_NE(errorOf(item.text).find(item.message), std::string::npos) << item.text << "\n"
                                                                        << errorOf(item.text);
}

TEST(MatrixFile, TakesTheArchitecturesThatAreKnown) {
  TempDir dir("matrix");
  std::filesystem::path file = dir.path() / "m.json";
  writeFileAtomically(file,
                      R"({"cases": ["a"], "toolchains": ["14.0.1"], "archs": ["sm_130"], "opts": ["O3"]})");
  EXPECT_THROW(MatrixFile::load(file), Error);
  EXPECT_EQ(MatrixFile::load(file, {"sm_130"}).products.front().archs, std::vector<std::string>{"sm_130"});
}

TEST(MatrixFile, DefaultsToTheSassExecutor) {
  EXPECT_EQ(
      errorOf(
          R"({"cases": ["*"], "toolchains": ["13.0.88+13.1.80"], "archs": ["sm_90a"], "opts": ["O3+fmad=false"]})"),
      "");
}

} // namespace
} // namespace harness
