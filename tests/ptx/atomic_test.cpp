#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <functional>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Combine = std::function<std::uint64_t(std::uint64_t, std::uint64_t)>;

unsigned bitsOfForm(const std::string& form) {
  if (form.ends_with("64")) return 64;
  return form.ends_with("16") ? 16 : 32;
}

/// Old value a, operand b, every thread its own place; in global memory (that of its result e) and in shared.
void check(const std::string& form, const std::vector<std::uint64_t>& values, const Combine& global,
           const Combine& shared) {
  std::string b = "b" + std::to_string(bitsOfForm(form));
  auto in = pairs(b, values);
  std::string size = std::to_string(bitsOfForm(form) / 8);
  std::string inShared =
      ".shared .align 8 .b8 s[2048]; .reg .u32 %i; mov.u32 %i, %tid.x; mad.lo.u32 %i, %i, " + size +
      ", s; st.shared." + b + " [%i], a;\n";
  struct Place {
    std::string body, where;
    const Combine& combine;
  };
  const Place places[] = {
      {"st.global." + b + " [%at_e], a;\n", "global", global},
      {inShared, "shared", shared},
      {inShared + ".reg .u64 %g; cvt.u64.u32 %g, %i; cvta.shared.u64 %g, %g;\n", "", shared}};
  for (const Place& place : places) {
    std::string at = place.where == "global" ? "[%at_e]" : place.where.empty() ? "[%g]" : "[%i]";
    std::string space = place.where.empty() ? "" : "." + place.where;
    for (bool red : {false, true}) {
      std::string body =
          place.body + (red ? "red" + space + "." + form + " " + at + ", b; mov." + b + " d, a;\n"
                            : "atom" + space + "." + form + " d, " + at + ", b;\n");
      body += "ld" + space + "." + b + " e, " + at + ";";
      auto result = runSnippet(body, in, {{"d", b}, {"e", b}});
      ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
      ASSERT_THAT(result.execution.unwritten, IsEmpty()) << body;
      ASSERT_THAT(result.execution.undefined, IsEmpty()) << body;
      for (std::size_t i = 0; i < in[0].values.size(); ++i) {
        std::uint64_t x = in[0].values[i], y = in[1].values[i];
        ASSERT_EQ(result.outputs[0][i], x) << body;
        ASSERT_EQ(result.outputs[1][i], place.combine(x, y)) << body << "\n" << std::hex << x << " " << y;
      }
    }
  }
}

void check(const std::string& form, const Combine& combine) {
  check(form, integerEdges(bitsOfForm(form)), combine, combine);
}

TEST(PtxAtomic, Integers) {
  using U = std::uint64_t;
  using W = std::uint32_t;
  for (std::string type : {"u32", "s32"})
    check("add." + type, [](U x, U y) { return (x + y) & 0xffffffff; });
  check("add.relaxed.gpu.u64", [](U x, U y) { return x + y; });
  check("min.u32", [](U x, U y) { return std::min(x, y); });
  check("max.u64", [](U x, U y) { return std::max(x, y); });
  check("min.u64", [](U x, U y) { return std::min(x, y); });
  check("max.u32", [](U x, U y) { return std::max(x, y); });
  check("min.s32", [](U x, U y) { return W(std::min(int(x), int(y))); });
  check("max.s32", [](U x, U y) { return W(std::max(int(x), int(y))); });
  check("min.s64", [](U x, U y) { return U(std::min(std::int64_t(x), std::int64_t(y))); });
  check("max.s64", [](U x, U y) { return U(std::max(std::int64_t(x), std::int64_t(y))); });
  check("inc.u32", [](U x, U y) { return x >= y ? 0 : x + 1; });
  check("dec.u32", [](U x, U y) { return x == 0 || x > y ? y : x - 1; });
  check("and.b32", [](U x, U y) { return x & y; });
  check("or.b64", [](U x, U y) { return x | y; });
  check("xor.acq_rel.sys.b32", [](U x, U y) { return x ^ y; });
  check("and.b64", [](U x, U y) { return x & y; });
  check("or.b32", [](U x, U y) { return x | y; });
  check("xor.b64", [](U x, U y) { return x ^ y; });
}

float flushed(float f) {
  return std::abs(f) < 0x1p-126f ? std::copysign(0.0f, f) : f;
}

// Global memory flushes subnormal numbers, shared memory does not.
TEST(PtxAtomic, FloatsFlushInGlobalMemoryOnly) {
  std::vector<std::uint64_t> values;
  for (float f : {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-126f, -0x1.8p-126f, 0x1p-149f, 0x1p-127f, 16777216.0f,
                  0x1.fffffep127f, INFINITY, -INFINITY, NAN, 0.1f})
    values.push_back(std::bit_cast<std::uint32_t>(f));
  auto bits = [](float f) {
    return std::isnan(f) ? 0x7fffffffull : std::uint64_t{std::bit_cast<std::uint32_t>(f)};
  };
  auto single = [](std::uint64_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x)); };
  check(
      "add.f32", values,
      [&](auto x, auto y) { return bits(flushed(flushed(single(x)) + flushed(single(y)))); },
      [&](auto x, auto y) { return bits(single(x) + single(y)); });
}

TEST(PtxAtomic, Doubles) {
  std::vector<std::uint64_t> values;
  for (double f : {0.0, -0.0, 1.0, -1.0, 0x1p-1074, 0x1.8p-1022, 1e300, 0.1, 3.5e20})
    values.push_back(std::bit_cast<std::uint64_t>(f));
  Combine sum = [](std::uint64_t x, std::uint64_t y) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(x) + std::bit_cast<double>(y));
  };
  check("add.f64", values, sum, sum);
}

/// The value of f16 bits; finite ones.
double half(std::uint64_t bits) {
  auto exponent = static_cast<int>(bits >> 10 & 31);
  double fraction = static_cast<double>(bits & 0x3ff) / 1024;
  double value = exponent ? std::ldexp(1 + fraction, exponent - 15) : std::ldexp(fraction, -14);
  return bits & 0x8000 ? -value : value;
}

/// The f16 nearest to a sum of two of them, ties to even, by search.
std::uint64_t nearestHalf(double value, bool negativeZero) {
  double size = std::abs(value);
  std::uint64_t low = 0, high = 0x7c00;
  while (high - low > 1) {
    std::uint64_t middle = (low + high) / 2;
    (half(middle) <= size && middle < 0x7c00 ? low : high) = middle;
  }
  double above = high == 0x7c00 ? 65536 : half(high), to = above - size, from = size - half(low);
  std::uint64_t bits = from < to || (from == to && low % 2 == 0) ? low : high;
  return bits | (value < 0 || negativeZero ? 0x8000 : 0);
}

TEST(PtxAtomic, HalvesKeepSubnormalNumbers) {
  Combine sum = [](std::uint64_t x, std::uint64_t y) {
    return nearestHalf(half(x) + half(y), x == 0x8000 && y == 0x8000);
  };
  std::vector<std::uint64_t> values = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400, 0x3c00,
                                       0xbc00, 0x3c01, 0x7bff, 0x6400, 0x1234, 0x9abc};
  check("add.noftz.f16", values, sum, sum);
  std::vector<std::uint64_t> packed;
  for (std::size_t i = 0; i < values.size(); ++i)
    packed.push_back(values[i] | values[(i * 5 + 2) % values.size()] << 16);
  Combine sum2 = [&](std::uint64_t x, std::uint64_t y) {
    return sum(x & 0xffff, y & 0xffff) | sum(x >> 16, y >> 16) << 16;
  };
  // (Their forms do not say their width.)
  auto in = pairs("b32", packed);
  auto result = runSnippet(
      "st.global.b32 [%at_e], a; atom.global.add.noftz.f16x2 d, [%at_e], b; ld.global.b32 e, [%at_e];", in,
      {{"d", "b32"}, {"e", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  for (std::size_t i = 0; i < result.outputs[1].size(); ++i)
    ASSERT_EQ(result.outputs[1][i], sum2(in[0].values[i], in[1].values[i]));
}

TEST(PtxAtomic, BrainFloats) {
  auto widened = [](std::uint64_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x << 16)); };
  // Sums that a float holds exactly, rounded by hand.
  auto in = pairs("b16", {0x3f80, 0x3f81, 0xbf80, 0x4000, 0x4080, 0x0001, 0x0000, 0x3c01});
  auto d =
      evaluate("st.global.b16 [%at_d], a; red.global.add.noftz.bf16 [%at_d], b; ld.global.b16 d, [%at_d];",
               in, {"d", "b16"});
  for (std::size_t i = 0; i < d.size(); ++i) {
    float sum = widened(in[0].values[i]) + widened(in[1].values[i]);
    auto bits = std::bit_cast<std::uint32_t>(sum);
    ASSERT_EQ(d[i], (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

TEST(PtxAtomic, ExchangeAndCompare) {
  auto in = triples("b32", {0, 1, 0xffffffff, 0x12345678});
  auto cas =
      runSnippet("st.global.b32 [%at_e], a; atom.global.cas.b32 d, [%at_e], b, c; ld.global.b32 e, [%at_e];",
                 in, {{"d", "b32"}, {"e", "b32"}});
  auto cas16 =
      evaluate(".reg .b16 x, y, z; cvt.u16.u32 x, a; cvt.u16.u32 y, b; cvt.u16.u32 z, c;\n"
               "st.global.b16 [%at_d], x; atom.global.cas.b16 x, [%at_d], y, z; ld.global.b16 d, [%at_d];",
               in, {"d", "b16"});
  auto exchange =
      evaluate("st.global.b32 [%at_d], a; atom.global.exch.b32 d, [%at_d], b; ld.global.b32 d, [%at_d];", in,
               {"d", "b32"});
  for (std::size_t i = 0; i < cas16.size(); ++i) {
    std::uint64_t a = in[0].values[i], b = in[1].values[i], c = in[2].values[i];
    ASSERT_EQ(cas.outputs[0][i], a);
    ASSERT_EQ(cas.outputs[1][i], a == b ? c : a);
    ASSERT_EQ(cas16[i], ((a ^ b) & 0xffff ? a : c) & 0xffff);
    ASSERT_EQ(exchange[i], b);
  }
}

TEST(PtxAtomic, Of128Bits) {
  std::string body =
      ".reg .b128 x, y, z; .reg .b64 l, h; .shared .align 16 .b8 s[16]; mov.b128 x, {a, b}; mov.b128 y, {b, "
      "a};\n"
      "st.shared.b128 [s], x; atom.shared.exch.b128 z, [s], y; mov.b128 {d, l}, z;\n"
      "atom.shared.cas.b128 z, [s], x, x; atom.shared.cas.b128 z, [s], y, x; ld.shared.b128 z, [s];\n"
      "mov.b128 {l, e}, z;";
  auto result = runSnippet(body, {{"a", "b64", {5}}, {"b", "b64", {7}}}, {{"d", "b64"}, {"e", "b64"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_THAT(result.outputs[0], ElementsAre(5));
  EXPECT_THAT(result.outputs[1], ElementsAre(7));
}

TEST(PtxAtomic, AllLanesAtOnePlace) {
  std::string body =
      ".shared .u32 s; st.shared.u32 [s], 0; bar.sync 0; atom.shared.add.u32 d, [s], 3; bar.sync 0;\n"
      "ld.shared.u32 e, [s];";
  for (Schedule schedule : kSchedules) {
    ExecutionOptions options;
    options.schedule = schedule;
    auto result = runSnippet(body, {{"a", "b32", std::vector<std::uint64_t>(96)}},
                             {{"d", "b32"}, {"e", "b32"}}, options);
    ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
    auto old = result.outputs[0];
    std::sort(old.begin(), old.end());
    for (std::size_t i = 0; i < 96; ++i)
      EXPECT_EQ(old[i], 3 * i);
    EXPECT_EQ(result.outputs[1], std::vector<std::uint64_t>(96, 96 * 3));
  }
}

TEST(PtxAtomic, VectorsAddElementByElement) {
  std::string body =
      ".reg .f32 x, y; .reg .u64 at; and.b64 at, %at_f, -8; st.global.v2.b32 [at], {a, b};\n"
      "atom.global.add.v2.f32 {x, y}, [at], {b, 0f3F800000}; ld.global.v2.b32 {d, e}, [at]; mov.b32 f, 0;";
  auto one = [](float f) { return std::uint64_t{std::bit_cast<std::uint32_t>(f)}; };
  // f's buffer has two words, and the first thread's is at its start.
  auto result = runSnippet(body, {{"a", "b32", {one(2), one(2)}}, {"b", "b32", {one(3), one(3)}}},
                           {{"d", "b32"}, {"e", "b32"}, {"f", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  // Both threads set it to {2, 3} and then each adds {3, 1}.
  EXPECT_THAT(result.outputs[0], ElementsAre(one(8), one(8)));
  EXPECT_THAT(result.outputs[1], ElementsAre(one(5), one(5)));
}

TEST(PtxAtomic, WhatIsRefused) {
  for (std::string form :
       {"atom.global.add.f16 x, [%at_d], x;", "atom.global.add.s64 z, [%at_d], z;",
        "atom.global.inc.u64 z, [%at_d], z;", "red.global.exch.b32 [%at_d], y;",
        "atom.shared.add.v2.f32 {y, y}, [%at_d], {y, y};", "atom.local.add.u32 y, [%at_d], y;"})
    EXPECT_EQ(runSnippet(".reg .b16 x; .reg .b32 y; .reg .b64 z; mov.u32 d, 0;\n" + form, {}, {{"d", "b32"}})
                  .execution.end,
              ExecutionEnd::Unsupported)
        << form;
}

TEST(PtxAtomic, OfMemoryThatNobodyWrote) {
  auto result = runSnippet(".shared .u32 s[32]; atom.shared.add.u32 d, [s], 1;", {}, {{"d", "b32"}});
  EXPECT_THAT(result.execution.unwritten, ElementsAre(HasSubstr("nobody wrote")));
  auto exchanged =
      runSnippet(".shared .u32 s[32]; .reg .u32 x; atom.shared.exch.b32 x, [s], 1; ld.shared.u32 d, [s];", {},
                 {{"d", "b32"}});
  EXPECT_THAT(exchanged.execution.unwritten, IsEmpty());
}

} // namespace
} // namespace harness::ptx
