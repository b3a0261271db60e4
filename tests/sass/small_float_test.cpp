// The small float formats against llvm::APFloat and against a search through all numbers of a format.

#include "harness/sass/small_float.h"

#include "tests/sass/narrow_reference.h"
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::pair<Rounding, Mode> kModes[] = {
    {Rounding::Nearest, kNearest}, {Rounding::Down, kDown}, {Rounding::Up, kUp}, {Rounding::Zero, kZero}};

struct Ieee {
  const SmallFloat& format;
  const llvm::fltSemantics& semantics;
};
const Ieee kIeee[] = {{kHalf, APFloat::IEEEhalf()},
                      {kBfloat, APFloat::BFloat()},
                      {kE5M2, APFloat::Float8E5M2()},
                      {kTf32, APFloat::FloatTF32()},
                      {kFloat, APFloat::IEEEsingle()}};

/// Bits, some random and some next to a number of the format, or to the middle of two.
std::vector<u64> doublesAround(const SmallFloat& format) {
  std::vector<u64> values = {
      0, 1, 0x000fffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000};
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 20000; ++i) {
    u32 magnitude = static_cast<u32>(random()) & (format.sign() - 1);
    if (magnitude >= format.largest) magnitude = format.largest - i % 3;
    if (i % 4 == 0) magnitude &= (u32{4} << format.mantissaBits) - 1; // subnormals and their neighbours
    double here = widen(magnitude, format),
           next = widen(magnitude + 1 - (magnitude == format.largest), format);
    u64 bits = std::bit_cast<u64>(i % 2 ? here : (here + next) / 2);
    values.insert(values.end(), {bits, bits + 1, bits - (bits > 0)});
  }
  return values;
}

TEST(SassSmallFloat, NarrowRoundsOnce) {
  for (const Ieee& ieee : kIeee) {
    std::vector<u64> values = doublesAround(ieee.format);
    unsigned wrong = 0;
    for (auto [rounding, mode] : kModes)
      for (u64 bits : values)
        for (u64 sign : {u64{0}, u64{1} << 63}) {
          u64 want = resultBits(converted(twice(bits | sign), ieee.semantics, mode));
          u32 got = narrow(std::bit_cast<double>(bits | sign), ieee.format, rounding);
          EXPECT_TRUE(got == want || ++wrong > 5)
              << std::hex << (bits | sign) << " gives " << got << ", not " << want << ", mode " << int(mode);
        }
    EXPECT_EQ(wrong, 0u);
  }
}

TEST(SassSmallFloat, NarrowToFinite) {
  constexpr double kInfinity = HUGE_VAL;
  EXPECT_EQ(narrow(kInfinity, kHalf, Rounding::Nearest, true), 0x7bffu);
  EXPECT_EQ(narrow(-1e9, kHalf, Rounding::Nearest, true), 0xfbffu);
  EXPECT_EQ(narrow(65519.9, kHalf, Rounding::Nearest, true), 0x7bffu);
  EXPECT_EQ(narrow(NAN, kHalf, Rounding::Nearest, true), 0x7fffu);
  EXPECT_EQ(narrow(-kInfinity, kBfloat, Rounding::Zero, true), 0xff7fu);
  EXPECT_EQ(narrow(kInfinity, kTf32, Rounding::Zero, true), 0x3fbffu);
}

/// Every half, as the source of every 8-, 6- and 4-bit format.
TEST(SassSmallFloat, NarrowToFewBits) {
  for (const NarrowReference& reference : kNarrowReferences) {
    unsigned wrong = 0;
    for (u32 bits = 0; bits < 0x10000; ++bits) {
      double value = converted(half(static_cast<u16>(bits)), APFloat::IEEEdouble()).convertToDouble();
      u32 want = reference.nearest(value), got = narrow(value, *reference.format, Rounding::Nearest, true);
      EXPECT_TRUE(got == want || ++wrong > 5)
          << reference.name << std::hex << " " << bits << " gives " << got << ", not " << want;
    }
    EXPECT_EQ(wrong, 0u);
  }
}

TEST(SassSmallFloat, WidenIsExact) {
  for (const Ieee& ieee : kIeee)
    for (u32 bits = 0; bits < std::min(2 * ieee.format.sign(), u32{1} << 16); ++bits) {
      APFloat want =
          converted(APFloat(ieee.semantics, llvm::APInt(APFloat::semanticsSizeInBits(ieee.semantics), bits)),
                    APFloat::IEEEdouble());
      double got = widen(bits, ieee.format);
      if (want.isNaN())
        ASSERT_TRUE(std::isnan(got)) << bits;
      else
        ASSERT_EQ(std::bit_cast<u64>(got), resultBits(want)) << bits;
    }
  for (const NarrowReference& reference : kNarrowReferences)
    for (u32 bits = 0; bits < reference.count; ++bits)
      if (auto want = reference.value(bits))
        ASSERT_EQ(std::bit_cast<u64>(widen(bits, *reference.format)), std::bit_cast<u64>(*want)) << bits;
      else
        ASSERT_FALSE(std::isfinite(widen(bits, *reference.format))) << bits;
}

TEST(SassSmallFloat, HalfToFloatIsExact) {
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    APFloat want = converted(half(static_cast<u16>(bits)), APFloat::IEEEsingle());
    float got = halfToFloat(static_cast<u16>(bits));
    if (want.isNaN())
      EXPECT_TRUE(std::isnan(got));
    else
      ASSERT_EQ(std::bit_cast<u32>(got), resultBits32(want)) << bits;
  }
}

/// a*b + c with one rounding. APFloat's own fused operation is wrong now and then where the result is far
/// below the smallest subnormal (bf16: 0x1207 * 0xaa73 + 0x0001), so it is asked only where 113 bits do not
/// hold the sum.
APFloat fused(const APFloat& a, const APFloat& b, const APFloat& c, Mode mode) {
  auto wide = [](const APFloat& x) { return converted(x, APFloat::IEEEquad()); };
  APFloat sum = wide(a);
  sum.multiply(wide(b), kNearest);
  if (sum.add(wide(c), mode) == APFloat::opOK) return converted(sum, a.getSemantics(), mode);
  APFloat result = a;
  result.fusedMultiplyAdd(b, c, mode);
  return result;
}

/// a*b + c through addToOdd rounds as a fused operation does, in every mode.
TEST(SassSmallFloat, SumRoundedToOdd) {
  std::mt19937 random(2);
  for (const Ieee& ieee : {kIeee[0], kIeee[1]}) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < 200000; ++i) {
      u32 a = random() & 0xffff, b = random() & 0xffff, c = random() & 0xffff;
      if (i % 3 == 0) a &= 0x83ff; // often subnormal
      if (i % 5 == 0)
        c = narrow(-widen(a, ieee.format) * widen(b, ieee.format), ieee.format, Rounding::Nearest);
      auto value = [&](u32 bits) { return APFloat(ieee.semantics, llvm::APInt(16, bits)); };
      auto [rounding, mode] = kModes[i % 4];
      APFloat want = fused(value(a), value(b), value(c), mode);
      double product = widen(a, ieee.format) * widen(b, ieee.format);
      u32 got = narrow(addToOdd(product, widen(c, ieee.format), rounding), ieee.format, rounding);
      EXPECT_TRUE(got == resultBits(want) || ++wrong > 5)
          << std::hex << a << " * " << b << " + " << c << " gives " << got << ", not " << resultBits(want);
    }
    EXPECT_EQ(wrong, 0u);
  }
}

TEST(SassSmallFloat, IntegerRoundedToOdd) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 100000; ++i) {
    u64 magnitude = random() >> (i % 64);
    if (i % 3 == 0) magnitude &= ~u64{0xffff};
    if (i % 3 == 1) magnitude |= u64{0x7fff} << (i % 48);
    for (const Ieee& ieee : kIeee) {
      APFloat want(ieee.semantics);
      auto [rounding, mode] = kModes[i % 4];
      want.convertFromAPInt(llvm::APInt(64, magnitude), false, mode);
      ASSERT_EQ(narrow(oddDouble(magnitude, false), ieee.format, rounding), resultBits(want)) << magnitude;
    }
  }
}

} // namespace
} // namespace harness::sass::test
