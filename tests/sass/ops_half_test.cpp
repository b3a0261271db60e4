// HADD2.F32 and HFMA2 against llvm::APFloat.

#include "harness/sass/half.h"

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"

#include <bit>
#include <cmath>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

const std::vector<u16> kHalves = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401,
                                  0x1400, 0x2400, 0x250e, 0x37ff, 0x3800, 0x3bff, 0x3c00, 0xbc00, 0x3c01,
                                  0x3e00, 0xbe00, 0x4248, 0x5800, 0x6400, 0x63ff, 0x7bff, 0xfbff, 0x7c00,
                                  0xfc00, 0x7c01, 0x7e00, 0xfe00, 0x7fff, 0xffff};

/// Edges in both halves.
std::vector<u32> packed() {
  std::vector<u32> words;
  for (std::size_t i = 0; i < kHalves.size(); ++i)
    words.push_back(kHalves[i] | u32{kHalves[(i * 7 + 3) % kHalves.size()]} << 16);
  return words;
}

u16 low(u32 x) {
  return static_cast<u16>(x);
}
u16 high(u32 x) {
  return static_cast<u16>(x >> 16);
}

TEST(SassHalf, ToFloatIsExact) {
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    APFloat want = converted(half(static_cast<u16>(bits)), APFloat::IEEEsingle());
    float got = halfToFloat(static_cast<u16>(bits));
    if (want.isNaN())
      EXPECT_TRUE(std::isnan(got));
    else
      ASSERT_EQ(std::bit_cast<u32>(got), resultBits32(want)) << bits;
  }
}

TEST(SassHalf, Hadd2F32WidensTheLowHalf) {
  auto inputs = pairs(packed(), packed());
  auto sum = [](APFloat a, APFloat b) {
    APFloat x = converted(a, APFloat::IEEEsingle());
    x.add(converted(b, APFloat::IEEEsingle()), kNearest);
    return resultBits32(x);
  };
  checkLanes({"HADD2.F32 R20, -RZ, R10.H0_H0",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(converted(half(low(in.r[0])), APFloat::IEEEsingle()));
              }},
             inputs);
  checkLanes({"HADD2.F32 R20, R10.H0_H0, -RZ.H0_H0",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(converted(half(low(in.r[0])), APFloat::IEEEsingle()));
              }},
             inputs);
  checkLanes({"HADD2.F32 R20, -RZ, R10.H1_H1",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(converted(half(high(in.r[0])), APFloat::IEEEsingle()));
              }},
             inputs);
  checkLanes({"HADD2.F32 R20, R10.H0_H0, -|R11|.H1_H1",
              [sum](const LaneInput& in, LaneOutput& out) {
                out.r[0] = sum(half(low(in.r[0])), half(high(in.r[1]) | 0x8000));
              }},
             inputs);
}

u32 fma2(u32 a, u32 b, u32 c) {
  auto one = [](u16 x, u16 y, u16 z) {
    APFloat result = half(x);
    result.fusedMultiplyAdd(half(y), half(z), kNearest);
    return resultBits32(result);
  };
  return one(low(a), low(b), low(c)) | one(high(a), high(b), high(c)) << 16;
}

TEST(SassHalf, Hfma2) {
  auto inputs = triples(packed(), {0x3c013c00, 0xbe00fbff, 0x00018000, 0x7c007e00, 0x37ff0401},
                        {0, 0x80008000, 0x83ff0001, 0xfc007bff, 0x3c00bc01});
  for (const char* name : {"HFMA2", "HFMA2.MMA"})
    checkLanes({name + std::string(" R20, R10, R11, R12"),
                [](const LaneInput& in, LaneOutput& out) { out.r[0] = fma2(in.r[0], in.r[1], in.r[2]); }},
               inputs);
  checkLanes({"HFMA2 R20, R10.H0_H0, -R11.H1_H1, |R12|",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = fma2(low(in.r[0]) * 0x10001u, (high(in.r[1]) * 0x10001u) ^ 0x80008000u,
                                in.r[2] & 0x7fff7fffu);
              }},
             inputs);
}

/// The form that loads constants; the printed halves say nothing of the bits.
TEST(SassHalf, Hfma2LoadsConstants) {
  auto inputs = pairs({0}, {0});
  for (u32 bits : {0u, 0x3c000000u, 0x00000010u, 0x02040401u, 0x7bfffbffu, 0x80008000u})
    for (const char* text :
         {"0, 0", "0, 9.5367431640625e-07", "1.0009765625, 3.07559967041015625e-05", "-0, +INF "})
      checkLanes({std::string("HFMA2 R20, -RZ, RZ, ") + text,
                  // -0 * +0 + x = x, but -0 + 0 = +0: so a packed -0 cannot be loaded.
                  [bits](const LaneInput&, LaneOutput& out) { out.r[0] = fma2(0x80008000u, 0, bits); }, bits},
                 inputs);
}

} // namespace
} // namespace harness::sass::test
