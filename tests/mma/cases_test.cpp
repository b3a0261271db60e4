// Single outputs that tell models apart. Those called Derived follow from the model itself: they test this
// implementation, not hardware. The others were measured.
#include "harness/mma/multiplier.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

namespace harness::mma::test {
namespace {

using enum Instruction;

/// Products by k; what is not named is 0.
using Products = std::map<int, std::pair<double, double>>;

class Output {
public:
  Output(unsigned sm, Instruction instruction, const char* inputs, const Shape& shape,
         Format accumulator = Format::F32)
      : mma_(findModel(sm, instruction, parseInputs(inputs), accumulator), parseInputs(inputs), shape) {}

  std::uint32_t of(const Products& products, std::uint32_t c = 0) const {
    std::vector<std::uint32_t> a(depth()), b(depth());
    for (const auto& [k, product] : products) {
      a[static_cast<std::size_t>(k)] = code(product.first);
      b[static_cast<std::size_t>(k)] = code(product.second);
    }
    return ofCodes(a, b, c);
  }
  /// The first operands; zeros follow.
  std::uint32_t ofCodes(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b,
                        std::uint32_t c = 0) const {
    a.resize(depth());
    b.resize(depth());
    std::uint32_t d = 0;
    std::vector<std::uint8_t> x = packed(a), y = packed(b);
    mma_.multiply({1, 1, mma_.shape().k}, {&d, x.data(), y.data(), &c, 1, depth(), 1, 1});
    return d;
  }

private:
  std::size_t depth() const { return static_cast<std::size_t>(mma_.shape().k); }
  std::uint32_t code(double value) const {
    std::uint64_t code = fromDouble(mma_.inputs().a, value);
    EXPECT_TRUE(toDouble(mma_.inputs().a, code) == value || std::isnan(value)) << value;
    return static_cast<std::uint32_t>(code);
  }
  std::vector<std::uint8_t> packed(const std::vector<std::uint32_t>& codes) const {
    std::size_t bytes = elementBytes(mma_.inputs().a);
    std::vector<std::uint8_t> result(codes.size() * bytes);
    for (std::size_t i = 0; i < codes.size(); ++i)
      for (std::size_t byte = 0; byte < bytes; ++byte)
        result[i * bytes + byte] = static_cast<std::uint8_t>(codes[i] >> (8 * byte));
    return result;
  }
  Multiplier mma_;
};

constexpr Shape kK4 = {8, 8, 4}, kK16 = {16, 8, 16}, kK32 = {16, 8, 32}, kGroup32 = {64, 8, 32};

/// The same on three generations.
struct Generations {
  std::uint32_t volta, ampere, hopper;
};

void expectHalf(const Products& products, std::uint32_t c, const Generations& expected) {
  bool short4 = products.empty() || products.rbegin()->first < 4;
  if (short4) {
    EXPECT_EQ(Output(70, MmaSync, "f16", kK4).of(products, c), expected.volta);
  }
  for (unsigned sm : {80u, 86u, 89u})
    EXPECT_EQ(Output(sm, MmaSync, "f16", kK16).of(products, c), expected.ampere) << sm;
  for (unsigned sm : {90u, 100u, 120u})
    EXPECT_EQ(Output(sm, MmaSync, "f16", kK16).of(products, c), expected.hopper) << sm;
  EXPECT_EQ(Output(90, Wgmma, "f16", {64, 8, 16}).of(products, c), expected.hopper);
  EXPECT_EQ(Output(100, Tcgen05, "f16", {128, 8, 16}).of(products, c), expected.hopper);
}

TEST(MmaCasesDerived, FractionBits23Or24) {
  expectHalf({{0, {1, 1}}, {1, {0x1p-12, 0x1p-12}}, {2, {0x1p-12, 0x1p-12}}}, 0,
             {0x3f800000, 0x3f800001, 0x3f800001});
}

TEST(MmaCasesDerived, FractionBits24Or25) {
  Products products;
  for (int k = 0; k < 4; ++k)
    products[k] = {0x1p-12, 0x1p-13};
  expectHalf(products, 0x3f800000, {0x3f800000, 0x3f800000, 0x3f800001});
}

TEST(MmaCasesDerived, TwoStepsOf8OrOneOf16) {
  Products products = {{0, {0x1p12, 0x1p12}}, {1, {-0x1p12, 0x1p12}}, {8, {.5, .5}}};
  expectHalf(products, 0, {0, 0x3e800000, 0});
  // Volta: chains of 4.
  EXPECT_EQ(Output(70, MmaSync, "f16", {16, 16, 16}).of(products), 0x3e800000u);
}

TEST(MmaCasesDerived, TheAccumulatorIsATermOfTheStep) {
  expectHalf({{0, {0x1p12, 0x1p12}}, {1, {.5, 1}}}, std::bit_cast<std::uint32_t>(-0x1p24f),
             {0, 0, 0x3f000000});
}

TEST(MmaCases, AnInfinityIsKept) {
  Products apart = {{0, {0x1p64, 0x1p64}}, {8, {-0x1p64, 0x1p64}}};
  Products together = {{0, {0x1p64, 0x1p64}}, {7, {-0x1p64, 0x1p64}}};
  for (unsigned sm : {80u, 89u}) {
    EXPECT_EQ(Output(sm, MmaSync, "bf16", kK16).of(apart), 0x7f800000u);
    EXPECT_EQ(Output(sm, MmaSync, "bf16", kK16).of(together), 0u);
  }
  for (unsigned sm : {90u, 100u, 120u})
    EXPECT_EQ(Output(sm, MmaSync, "bf16", kK16).of(apart), 0u);
}

TEST(MmaCasesDerived, FloorOfAmpere) {
  Products products;
  for (int k = 0; k < 8; ++k)
    products[k] = {0x1p-76, 0x1p-76};
  EXPECT_EQ(Output(80, MmaSync, "bf16", kK16).of(products), 1u);
}

TEST(MmaCasesDerived, FloorOfHalves) {
  // 2^-25 and a bit of 2^-48: no tie any more without a floor.
  Products products = {{0, {0x1p-12, 0x1p-13}}, {1, {0x1p-24, 0x1p-24}}};
  EXPECT_EQ(Output(70, MmaSync, "f16", kK4, Format::F16).of(products), 0u);
  for (unsigned sm : {80u, 89u, 90u, 100u, 120u})
    EXPECT_EQ(Output(sm, MmaSync, "f16", kK16, Format::F16).of(products), 0u) << sm;
}

TEST(MmaCases, Fp8Steps) {
  Products products = {{0, {256, 256}}, {1, {-256, 256}}, {16, {1, 1}}};
  EXPECT_EQ(Output(89, MmaSync, "e4m3", kK32).of(products), 0x3f800000u);
  EXPECT_EQ(Output(90, Wgmma, "e4m3", kGroup32).of(products), 0u);
}

TEST(MmaCases, Fp8CutsTheAccumulator) {
  constexpr std::uint32_t c = 0x3f800001;
  EXPECT_EQ(Output(89, MmaSync, "e4m3", kK32).of({}, c), 0x3f800000u);
  EXPECT_EQ(Output(90, Wgmma, "e4m3", kGroup32).of({}, c), 0x3f800000u);
  EXPECT_EQ(Output(90, MmaSyncExpanded, "e4m3", kK32).of({}, c), c);
  EXPECT_EQ(Output(100, MmaSyncExpanded, "e4m3", kK32).of({}, c), c);
  EXPECT_EQ(Output(120, MmaSync, "e4m3", kK32).of({}, c), c);
}

TEST(MmaCases, ZeroIsPositive) {
  EXPECT_EQ(Output(89, MmaSync, "e4m3", kK32).of({{0, {-0.0, 1}}, {1, {0.0, 1}}}, 0x800001a9), 0u);
}

/// A record of an H100, reported to the authors of the published vectors.
TEST(MmaCases, FloorOfHopper) {
  std::vector<std::uint32_t> a = {0x9b94, 0x19f3, 0x9a2e, 0x1a67, 0x9a25, 0x9b4e, 0x9b29, 0x9a33,
                                  0x99e0, 0x1a14, 0x9914, 0x99d1, 0x9ae9, 0x1b1a, 0x9a9c, 0x1b3a};
  std::vector<std::uint32_t> b = {0x9aaf, 0x99f3, 0x9acc, 0x1b7c, 0x19ed, 0x1b25, 0x9a1b, 0x9a20,
                                  0x9af7, 0x9a48, 0x1ae1, 0x1b32, 0x1b12, 0x1b0e, 0x9a68, 0x1735};
  EXPECT_EQ(Output(90, MmaSync, "bf16", kK16).ofCodes(a, b), 0xbu);
  Model model = findModel(90, MmaSync, parseInputs("bf16"), Format::F32);
  for (int floor : {-126, -127, -130, -131, -132, -134, -1000}) {
    model.step.floor = floor;
    std::vector<std::uint16_t> x(a.begin(), a.end()), y(b.begin(), b.end());
    std::uint32_t c = 0, d = 0;
    Multiplier(model, parseInputs("bf16"), kK16)
        .multiply({1, 1, 16}, {&d, x.data(), y.data(), &c, 1, 16, 1, 1});
    EXPECT_EQ(d, 0xau) << floor;
  }
}

TEST(MmaCasesDerived, Fp8DoesNotOverflowFromAFiniteAccumulator) {
  EXPECT_EQ(Output(89, MmaSync, "e4m3", kK32).of({{0, {448, 448}}}, 0x7f7fffff), 0x7f7ffc00u);
}

class SpecialsDerived : public testing::TestWithParam<unsigned> {
protected:
  std::uint32_t bf16(const Products& products, float c) const {
    return Output(GetParam(), MmaSync, "bf16", kK16).of(products, std::bit_cast<std::uint32_t>(c));
  }
  static constexpr std::uint32_t kNan = 0x7fffffff, kInfinity = 0x7f800000, kMinusInfinity = 0xff800000;
};

TEST_P(SpecialsDerived, NanAndInfinity) {
  EXPECT_EQ(bf16({{3, {NAN, 0}}}, 0), kNan);
  EXPECT_EQ(bf16({}, NAN), kNan);
  EXPECT_EQ(bf16({{0, {INFINITY, 0}}}, 1), kNan);
  EXPECT_EQ(bf16({{0, {INFINITY, 1}}, {1, {INFINITY, -1}}}, 0), kNan);
  EXPECT_EQ(bf16({{0, {INFINITY, 1}}}, -INFINITY), kNan);
  EXPECT_EQ(bf16({{0, {INFINITY, -1}}}, 1), kMinusInfinity);
  EXPECT_EQ(bf16({{0, {1, 1}}}, -INFINITY), kMinusInfinity);
  EXPECT_EQ(bf16({{0, {-0x1p127, 0x1p127}}}, INFINITY), kInfinity);
}

TEST_P(SpecialsDerived, SignsOfZero) {
  EXPECT_EQ(bf16({}, -0.0f), 0u);
  EXPECT_EQ(bf16({{0, {-0.0, 0.0}}, {1, {-1, 0}}}, -0.0f), 0u);
  EXPECT_EQ(bf16({{0, {-0x1p-126, 0x1p-126}}}, 0), 0u);
}

TEST_P(SpecialsDerived, OverflowAndSubnormals) {
  EXPECT_EQ(bf16({{0, {0x1p64, 0x1p64}}}, 0), kInfinity);
  EXPECT_EQ(bf16({{0, {-0x1p64, 0x1p64}}, {1, {0x1p64, 0x1p64}}}, 3), 0u); // 3 is far below
  EXPECT_EQ(bf16({{0, {0x1p-130, 1}}}, 0), 1u << 19);
  EXPECT_EQ(bf16({}, 0x1p-149f), 1u);
}

INSTANTIATE_TEST_SUITE_P(Mma, SpecialsDerived, testing::Values(80u, 89u, 90u, 100u, 120u));

TEST(MmaCasesDerived, HalvesRound) {
  Output half(90, MmaSync, "f16", kK16, Format::F16);
  EXPECT_EQ(half.of({{0, {65504, 1}}, {1, {15.9921875, 1}}}), 0x7bffu);
  EXPECT_EQ(half.of({{0, {65504, 1}}, {1, {16, 1}}}), 0x7c00u); // a tie, to even
  EXPECT_EQ(half.of({{0, {NAN, 1}}}), 0x7fffu);
  EXPECT_EQ(half.of({{0, {-0x1p-14, 0x1p-12}}}), 0u); // not -0
}

TEST(MmaCasesDerived, ScaledBlocks) {
  for (auto [sm, instruction, shape] :
       {std::tuple{120u, MmaSync, Shape{16, 8, 64}}, {100u, Tcgen05, Shape{128, 8, 64}}}) {
    const Model& model = findModel(sm, instruction, parseInputs("nvf4"), Format::F32);
    Multiplier mma(model, parseInputs("nvf4"), shape);
    std::uint8_t a[64] = {}, b[64] = {};
    std::fill_n(a, 16, 7); // 6
    std::fill_n(b, 16, 7);
    a[16] = b[16] = 2; // 1
    std::uint8_t as[4] = {0x7e, 0x38, 0, 0}, bs[4] = {0x38, 0x38, 0x7e, 0};
    float c = 0.5f, d = 0;
    auto run = [&] { mma.multiply({1, 1, 64}, {&d, a, b, &c, 1, 64, 1, 1, as, bs}); };
    run();
    EXPECT_EQ(d, 16 * 36 * 448 + 1 + 0.5f);
    as[3] = 0xff; // a NaN, of whatever sign
    run();
    EXPECT_EQ(std::bit_cast<std::uint32_t>(d), 0x7fffffffu);
    as[3] = 0x80;
    run();
    EXPECT_EQ(d, 16 * 36 * 448 + 1 + 0.5f);
    c = -INFINITY;
    run();
    EXPECT_EQ(d, -INFINITY);
  }
}

TEST(MmaCasesDerived, IntegersWrapOrSaturate) {
  const Model& model = findModel(80, MmaSync, parseInputs("s8"), Format::S32);
  std::uint8_t a[32] = {127}, b[32] = {127};
  std::int32_t c = 0x7fffffff, d = 0;
  Multiplier(model, parseInputs("s8"), kK32).multiply({1, 1, 32}, {&d, a, b, &c, 1, 32, 1, 1});
  EXPECT_EQ(d, std::numeric_limits<std::int32_t>::min() + 127 * 127 - 1);
  Options saturate;
  saturate.saturate = true;
  Multiplier(model, parseInputs("s8"), kK32, saturate).multiply({1, 1, 32}, {&d, a, b, &c, 1, 32, 1, 1});
  EXPECT_EQ(d, 0x7fffffff);
  a[0] = 0xff; // -1 or 255
  c = 0;
  Multiplier(model, parseInputs("u8*s8"), kK32).multiply({1, 1, 32}, {&d, a, b, &c, 1, 32, 1, 1});
  EXPECT_EQ(d, 255 * 127);
}

} // namespace
} // namespace harness::mma::test
