// Every model equals the slow reference in every bit.
#include "tests/mma/families.h"
#include "tests/mma/reference.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

namespace harness::mma {

// What gtest calls a model.
void PrintTo(const Model& model, std::ostream* out) {
  *out << model.name();
}

namespace test {
namespace {

/// How many outputs of each model are compared.
std::size_t caseCount() {
  const char* count = std::getenv("HARNESS_MMA_CASES");
  return count ? std::strtoull(count, nullptr, 10) : 1000;
}

/// Rows that compute the same are tested once.
bool isSame(const Model& a, const Model& b) {
  return a.formats == b.formats && a.scaling == b.scaling && a.accumulator == b.accumulator &&
         a.arithmetic == b.arithmetic && a.step == b.step;
}

std::vector<Model> distinctModels() {
  std::vector<Model> distinct;
  for (const Model& model : models())
    if (model.arithmetic != Arithmetic::Bits &&
        std::none_of(distinct.begin(), distinct.end(),
                     [&](const Model& other) { return isSame(model, other); }))
      distinct.push_back(model);
  return distinct;
}

std::string testName(const testing::TestParamInfo<Model>& info) {
  std::string name = info.param.name();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

class Exactness : public testing::TestWithParam<Model> {
protected:
  /// All outputs of one product.
  void compare(Family family, const Multiplier& instruction, const Shape& size, bool saturate) {
    Matrices matrices = generate(family, instruction.inputs(), instruction.cFormat(), size, random_);
    Format out = instruction.model().accumulator;
    std::size_t n = static_cast<std::size_t>(size.n), k = static_cast<std::size_t>(size.k);
    std::vector<std::uint8_t> d(static_cast<std::size_t>(size.m) * n * elementBytes(out));
    instruction.multiply(size, {d.data(), matrices.a.data(), matrices.b.data(), matrices.c.data(), n, k, n, n,
                                matrices.aScales.data(), matrices.bScales.data()});
    for (int i = 0; i < size.m; ++i)
      for (int j = 0; j < size.n; ++j, ++compared_) {
        DotOperands operands = matrices.dot(instruction.inputs(), instruction.cFormat(), i, j);
        std::uint64_t expected =
            referenceDot(instruction.model(), instruction.inputs(), instruction.shape().k,
                         instruction.cFormat(), saturate, operands);
        std::uint64_t got = elementAt(d, out, static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j));
        ASSERT_EQ(got, expected) << std::hex << "got 0x" << got << ", expected 0x" << expected << std::dec
                                 << ", " << toString(family) << ", seed " << seed_ << ", "
                                 << toString(instruction.inputs()) << ' ' << toString(instruction.shape())
                                 << ", row " << i << ", column " << j;
      }
  }

  std::uint64_t seed_ = 0;
  Random random_;
  std::size_t compared_ = 0;
};

TEST_P(Exactness, EqualsTheReference) {
  const Model& model = GetParam();
  for (std::size_t most = caseCount(); compared_ < most; ++seed_) {
    random_.seed(seed_);
    Family family = kFamilies[seed_ % std::size(kFamilies)];
    if (model.arithmetic == Arithmetic::FmaChain && family != Family::Normal && family != Family::LsbWalk)
      family = Family::Normal;
    std::size_t round = seed_ / std::size(kFamilies);
    Inputs inputs = {model.formats[round % model.formats.size()],
                     model.formats[random_() % model.formats.size()], model.scaling};
    Shape shape = model.shapes[round % model.shapes.size()];
    Options options;
    options.saturate = random_() & 1;
    if (model.accumulator == Format::F16 && random_() % 4 == 0) options.c = Format::F32;
    Multiplier instruction(model, inputs, {shape.m, shape.n > 32 ? 16 : shape.n, shape.k}, options);
    // Sizes that fill no vector, one of the widest, and half of it.
    int columns[] = {19, 16, 8, 3};
    Shape size = {2 + static_cast<int>(random_() % 4), columns[random_() % 4],
                  shape.k * (1 + static_cast<int>(random_() % 2))};
    compare(family, instruction, size, options.saturate);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Mma, Exactness, testing::ValuesIn(distinctModels()), testName);

TEST(MmaBits, PopulationCount) {
  const Model& model = findModel(80, Instruction::MmaSync, parseInputs("b1"), Format::S32);
  Random random(1);
  for (BitOperation operation : {BitOperation::Xor, BitOperation::And}) {
    Options options;
    options.bits = operation;
    Multiplier mma(model, parseInputs("b1"), {16, 8, 256}, options);
    std::vector<std::uint32_t> a(16 * 8), b(8 * 8), c(16 * 8), d(16 * 8);
    for (auto* words : {&a, &b, &c})
      std::generate(words->begin(), words->end(), [&] { return static_cast<std::uint32_t>(random()); });
    mma(d.data(), a.data(), b.data(), c.data());
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t j = 0; j < 8; ++j) {
        std::uint32_t sum = c[i * 8 + j];
        for (std::size_t k = 0; k < 256; ++k) {
          bool x = a[i * 8 + k / 32] >> (k % 32) & 1, y = b[k / 32 * 8 + j] >> (k % 32) & 1;
          sum += operation == BitOperation::Xor ? x != y : x && y;
        }
        ASSERT_EQ(d[i * 8 + j], sum);
      }
  }
}

} // namespace
} // namespace test
} // namespace harness::mma
