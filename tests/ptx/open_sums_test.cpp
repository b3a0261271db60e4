#include "harness/ptx/open_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

namespace harness::ptx {
namespace {

constexpr SumRule kSingle{24, -149, 128}, kHalf{11, -24, 16};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One row by one column.
OpenSums sumOf(const SumRule& rule, std::vector<double> a, const std::vector<double>& b, double c) {
  std::size_t k = a.size();
  return {rule, 1, 1, k, std::move(a), b, {c}};
}

TEST(PtxOpenSums, WholeNumbersThatFitAreCertain) {
  EXPECT_FALSE(sumOf(kSingle, {3, -5, 7}, {2, 11, 1}, 100).isOpen(0, 0));
  EXPECT_FALSE(sumOf(kSingle, {0x1p23}, {1}, 0x1p22).isOpen(0, 0));
  EXPECT_TRUE(sumOf(kSingle, {0x1p24}, {1}, 1).isOpen(0, 0)) << "2^24 + 1 has 25 bits";
  EXPECT_TRUE(sumOf(kSingle, {0x1p24, -0x1p24}, {1, 1}, 1).isOpen(0, 0)) << "0 or 1 or 2";
  EXPECT_TRUE(sumOf(kHalf, {2048}, {1}, 1).isOpen(0, 0));
  EXPECT_FALSE(sumOf(kHalf, {1024}, {1}, 1).isOpen(0, 0));
  EXPECT_TRUE(sumOf(kHalf, {256, 256}, {256, -256}, 0).isOpen(0, 0)) << "65536 is no f16";
  EXPECT_TRUE(sumOf(kSingle, {0x1p-100}, {0x1p-100}, 0).isOpen(0, 0)) << "less than the least f32";
  EXPECT_FALSE(sumOf(kSingle, {0x1p-100}, {0x1p-49}, 0).isOpen(0, 0));
}

TEST(PtxOpenSums, SpecialNumbersAreCertainAndTheSignOfZerosIsNot) {
  EXPECT_FALSE(sumOf(kSingle, {kInfinity, 0.1}, {1, 0.1}, 0).isOpen(0, 0));
  EXPECT_FALSE(sumOf(kSingle, {0.1, 0.1}, {0.1, 0.1}, std::nan("")).isOpen(0, 0));
  EXPECT_FALSE(sumOf(kSingle, {0.0, -0.0}, {1, 1}, 0).isOpen(0, 0)) << "+0 of both signs";
  EXPECT_TRUE(sumOf(kSingle, {-0.0, -0.0}, {1, 1}, -0.0).isOpen(0, 0)) << "-0, or +0 as hardware has it";
}

TEST(PtxOpenSums, OneFusedOperationIsCertain) {
  SumRule fused{53, -1074, 1024, true, FE_TONEAREST};
  EXPECT_FALSE(sumOf(fused, {0.1, 0}, {0.1, 3}, 0.3).isOpen(0, 0));
  EXPECT_TRUE(sumOf(fused, {0.1, 0.2}, {0.1, 3}, 0.3).isOpen(0, 0));
  EXPECT_FALSE(sumOf(fused, {3, 5}, {7, 9}, 11).isOpen(0, 0));
}

/// Whatever order and rounding: all that is certain comes out the same, and as it is.
TEST(PtxOpenSums, WhatIsCertainIsTheSameInAnyOrder) {
  std::mt19937 random(1);
  int certain = 0, open = 0, moved = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<double> a(6), b(6);
    auto number = [&] {
      double sign = random() % 2 ? 1 : -1;
      return sign * std::ldexp(random() % 32, -static_cast<int>(random() % (round % 7 + 1)) * 2);
    };
    double exact = 0, c = number();
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = number();
      b[i] = number();
      exact += a[i] * b[i];
    }
    exact += c;
    const SumRule& rule = round % 2 ? kSingle : kHalf;
    OpenSums sum = sumOf(rule, a, b, c);
    bool isOpen = sum.isOpen(0, 0);
    (isOpen ? open : certain)++;
    double low = kInfinity, high = -kInfinity;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      double other = sum.other(0, 0, seed);
      low = std::min(low, other);
      high = std::max(high, other);
    }
    if (isOpen) {
      moved += low != high;
      EXPECT_LE(low, exact);
      EXPECT_GE(high, exact);
    } else {
      ASSERT_EQ(low, exact);
      ASSERT_EQ(high, exact);
    }
  }
  EXPECT_GT(certain, 1000);
  EXPECT_GT(open, 1000);
  EXPECT_GT(moved, open * 3 / 4) << "most of what is not proved to be certain is open";
}

/// An order with roundings to nearest or toward zero, as the executor and the machine may have them, lies
/// between the results of the first two seeds.
TEST(PtxOpenSums, TheFirstSeedsLieAroundOrdinaryOrders) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> a(8), b(8);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = std::ldexp(std::nearbyint(normal(random) * 256), -8);
      b[i] = std::ldexp(std::nearbyint(normal(random) * 256), -8);
    }
    double c = normal(random);
    OpenSums sum = sumOf(kSingle, a, b, c);
    double up = sum.other(0, 0, 1), down = sum.other(0, 0, 2);
    for (int direction : {FE_TONEAREST, FE_TOWARDZERO}) {
      std::fesetround(direction);
      volatile auto result = static_cast<float>(c);
      for (std::size_t i = 0; i < a.size(); ++i)
        result = result + static_cast<float>(a[i] * b[i]);
      std::fesetround(FE_TONEAREST);
      EXPECT_LE(down, result);
      EXPECT_GE(up, result);
    }
  }
}

TEST(PtxOpenSums, BeyondTheRangeIsInfinityOrTheLargestNumber) {
  OpenSums sum = sumOf(kHalf, {60000, 60000}, {1, 1}, 0);
  EXPECT_EQ(sum.other(0, 0, 1), kInfinity);
  EXPECT_EQ(sum.other(0, 0, 2), 65504);
}

} // namespace
} // namespace harness::ptx
