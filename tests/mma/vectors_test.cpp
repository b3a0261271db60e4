// Results of real devices. They lie beside the checkout, not in it.
#include "harness/mma/vector_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

namespace harness::mma::test {
namespace {

namespace fs = std::filesystem;

struct VectorFile {
  const char *device, *format;
  Instruction instruction;
  Format accumulator;
  UseOfC c;
  int products; ///< of a record
};

void PrintTo(const VectorFile& file, std::ostream* out) {
  *out << file.device << '-' << file.format;
}

using enum Instruction;

std::vector<VectorFile> files() {
  std::vector<VectorFile> files;
  auto both = [&](const char* device, const char* format, Instruction instruction, int products) {
    files.push_back({device, format, instruction, Format::F32, UseOfC::AsF32, products});
    files.push_back({device, format, instruction, Format::F16, UseOfC::AsF16, products});
  };
  auto inF32 = [&](const char* device, const char* format, Instruction instruction, int products,
                   UseOfC c = UseOfC::AsF32) {
    files.push_back({device, format, instruction, Format::F32, c, products});
  };
  both("V100", "fp16", MmaSync, 4);
  for (const char* device : {"A100", "A2", "Ada", "L40S", "H100", "H200", "B200"}) {
    int products = device[0] == 'H' || device[0] == 'B' ? 16 : 8;
    both(device, "fp16", MmaSync, products);
    inF32(device, "bf16", MmaSync, products);
    inF32(device, "tf32", MmaSync, 4);
  }
  for (const char* format : {"e4m3", "e5m2"}) {
    both("Ada", format, MmaSync, 32);
    inF32("L40S", format, MmaSync, 32);
    for (const char* device : {"H100", "H200"}) {
      inF32(device, format, Wgmma, 32, UseOfC::Ignore);
      files.push_back({device, format, MmaSyncExpanded, Format::F16, UseOfC::AsF16, 32});
    }
    both("B200", format, MmaSyncExpanded, 32);
  }
  return files;
}

fs::path directory() {
  const char* given = std::getenv("HARNESS_MMA_VECTORS");
  return given ? given : MMA_VECTORS;
}

class Vectors : public testing::TestWithParam<VectorFile> {};

TEST_P(Vectors, NoneIsWrong) {
  const VectorFile& file = GetParam();
  fs::path path = directory() / (std::string(file.device) + '-' + file.format + ".tsv");
  if (!fs::exists(directory()))
    GTEST_SKIP() << "there are no vectors in " << directory()
                 << ", as in a plain clone; HARNESS_MMA_VECTORS names another place";
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  Inputs inputs = parseInputs(file.format);
  const Model& model = findModel(parseArch(file.device), file.instruction, inputs, file.accumulator);
  EXPECT_EQ(model.status == Status::Measured,
            !(file.instruction == MmaSyncExpanded && file.accumulator == Format::F32 && model.sm == 90));
  Shape shape{};
  for (const Shape& one : model.shapes)
    if (one.k == file.products) shape = one;
  CheckResult result = check(readRecords(text.str()), Multiplier(model, inputs, shape), file.c);
  EXPECT_EQ(result.compared, 2500u);
  EXPECT_EQ(result.wrong.size(), 0u) << "the first in line " << result.wrong.front().line;
}

INSTANTIATE_TEST_SUITE_P(Mma, Vectors, testing::ValuesIn(files()), [](const auto& info) {
  return std::string(info.param.device) + '_' + info.param.format + '_' +
         std::string(toString(info.param.accumulator));
});

} // namespace
} // namespace harness::mma::test
