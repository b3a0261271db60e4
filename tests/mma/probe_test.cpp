// Fed with a model, a probe finds its parameters again.
#include "harness/mma/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace harness::mma {

static void PrintTo(const Model& model, std::ostream* out) {
  *out << model.name();
}

namespace test {
namespace {

using testing::Contains;

std::vector<Model> probed() {
  std::vector<Model> result;
  for (const Model& model : models())
    if (isNarrowFloat(model.formats.front())) result.push_back(model);
  return result;
}

Multiplier multiplierOf(const Model& model) {
  Shape shape = model.shapes.front();
  for (const Shape& one : model.shapes)
    if (one.k > shape.k) shape = one;
  return Multiplier(model, {model.formats.front(), model.formats.front(), model.scaling}, shape);
}

Findings findingsOf(const Model& model) {
  ModelSubject subject(multiplierOf(model));
  return probe(subject);
}

class Probe : public testing::TestWithParam<Model> {};

/// Wide enough to see what lies below the greatest term.
bool hasRange(const Model& model) {
  return model.arithmetic == Arithmetic::ScaledBlocks || layoutOf(model.formats.front()).exponentBits > 3;
}

TEST_P(Probe, FindsTheParameters) {
  const Model& model = GetParam();
  Findings found = findingsOf(model);
  EXPECT_THAT(found.fits, Contains(model.name()));
  bool half = model.accumulator == Format::F16, expanded = model.arithmetic == Arithmetic::ExpandedChain ||
                                                           model.arithmetic == Arithmetic::ExpandedTree;
  bool fused = model.arithmetic == Arithmetic::Fused;
  if (hasRange(model) || !half) {
    EXPECT_EQ(found.fraction, model.step.fraction);
  }
  EXPECT_EQ(found.outFraction, model.step.outFraction);
  if (hasRange(model) || !half) {
    EXPECT_EQ(found.rounding, half ? SeenRounding::NearestEven : SeenRounding::TowardZero);
  }
  if (fused && (hasRange(model) || !half)) {
    int k = multiplierOf(model).shape().k;
    EXPECT_EQ(found.products, std::min(model.step.products, k));
    EXPECT_EQ(found.cIsATerm, true);
    EXPECT_TRUE(found.ordered);
    EXPECT_EQ(found.groups.size(), static_cast<std::size_t>(k / *found.products));
  }
  if (expanded) {
    EXPECT_EQ(found.products, 16);
    EXPECT_EQ(found.cIsATerm, false);
    EXPECT_EQ(found.ordered, model.arithmetic == Arithmetic::ExpandedChain);
    EXPECT_EQ(found.groups.at(1).at(0), 2);
  }
  Format input = model.formats.front();
  bool floorSeen = fused && (half ? input == Format::F16 : input == Format::BF16 || input == Format::TF32);
  EXPECT_EQ(found.floor, floorSeen ? std::optional(model.step.floor) : std::nullopt);
  EXPECT_TRUE(found.infinityStays);
  EXPECT_EQ(found.nan, half ? 0x7fffu : 0x7fffffffu);
  EXPECT_EQ(found.zero, 0u);
  EXPECT_NE(found.normalisedOnce, false);
  EXPECT_NE(found.productsAsTheyAre, false);
  EXPECT_NE(found.cancelsBeyondRange, false);
  EXPECT_NE(found.subnormalInputs, false);
  EXPECT_NE(found.subnormalC, false);
  EXPECT_NE(found.subnormalResults, false);
}

INSTANTIATE_TEST_SUITE_P(Mma, Probe, testing::ValuesIn(probed()), [](const auto& info) {
  std::string name = info.param.name();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(MmaProbe, FindsParametersThatNoModelHas) {
  Model model = findModel(90, Instruction::MmaSync, parseInputs("bf16"), Format::F32);
  for (auto [products, fraction, floor] :
       {std::tuple{4, 22, -128}, {8, 25, -133}, {16, 24, -130}, {16, 25, -126}}) {
    model.step.products = products;
    model.step.fraction = fraction;
    model.step.floor = floor;
    model.step.outFraction = std::min(fraction, 23);
    Findings found = findingsOf(model);
    EXPECT_EQ(found.products, products);
    EXPECT_EQ(found.fraction, fraction);
    EXPECT_EQ(found.floor, floor);
    EXPECT_TRUE(found.fits.empty());
  }
}

/// The models of others that hardware refutes.
TEST(MmaProbe, TellsPublishedVariantsApart) {
  Model model = findModel(80, Instruction::MmaSync, parseInputs("bf16"), Format::F32);
  model.step.rounding = Rounding::NearestEven;
  Findings found = findingsOf(model);
  EXPECT_EQ(found.rounding, SeenRounding::NearestEven);
  EXPECT_TRUE(found.fits.empty());
}

/// A device that adds one product after the other.
class Sequential : public Subject {
public:
  Sequential() : Subject(parseInputs("f16"), Format::F32, 16) {}
  std::vector<std::uint32_t> ask(const std::vector<Question>& questions) override {
    std::vector<std::uint32_t> results;
    for (const Question& question : questions) {
      float sum = static_cast<float>(toDouble(Format::F32, question.c));
      for (std::size_t k = 0; k < 16; ++k)
        sum +=
            static_cast<float>(toDouble(Format::F16, question.a[k]) * toDouble(Format::F16, question.b[k]));
      results.push_back(static_cast<std::uint32_t>(fromDouble(Format::F32, sum)));
    }
    return results;
  }
};

TEST(MmaProbe, ASequenceOfSums) {
  Sequential device;
  Findings found = probe(device);
  EXPECT_EQ(found.products, 1);
  EXPECT_TRUE(found.ordered);
  ASSERT_EQ(found.groups.size(), 16u);
  for (int k = 0; k < 16; ++k)
    EXPECT_EQ(found.groups[static_cast<std::size_t>(k)], std::vector<int>{k});
  EXPECT_TRUE(found.fits.empty());
}

} // namespace
} // namespace test
} // namespace harness::mma
