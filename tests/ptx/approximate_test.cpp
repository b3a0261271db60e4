// Approximate functions: special operands, errors that PTX allows, and that seeds move results by an ulp.

#include "tests/ptx/float_values.h"
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <iterator>

namespace harness::ptx {
namespace {

constexpr std::uint64_t kInfinity = 0x7f800000, kNan = 0x7fffffff, kOne = 0x3f800000, kMinus = 0x80000000;

double valueOf(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

std::uint64_t one(const std::string& instruction, std::uint64_t a, const std::string& type = "b32") {
  return evaluate(instruction + " d, a;", {{"a", type, {a}}}, {"d", type})[0];
}

/// -Inf, -subnormal, -0, +0, +subnormal, +Inf, NaN: as in the manual's tables.
void checkTable(const std::string& instruction, const std::vector<std::uint64_t>& expected) {
  const std::uint64_t operands[] = {kMinus | kInfinity, kMinus | 5, kMinus, 0, 5, kInfinity, 0x7f800001};
  for (std::size_t i = 0; i < std::size(operands); ++i)
    EXPECT_EQ(one(instruction, operands[i]), expected[i]) << instruction << " row " << i;
}

TEST(PtxApproximate, SpecialOperands) {
  std::uint64_t minusInfinity = kMinus | kInfinity;
  checkTable("rcp.approx.ftz.f32", {kMinus, minusInfinity, minusInfinity, kInfinity, kInfinity, 0, kNan});
  checkTable("sqrt.approx.ftz.f32", {kNan, kMinus, kMinus, 0, 0, kInfinity, kNan});
  checkTable("rsqrt.approx.ftz.f32", {kNan, minusInfinity, minusInfinity, kInfinity, kInfinity, 0, kNan});
  checkTable("sin.approx.ftz.f32", {kNan, kMinus, kMinus, 0, 0, kNan, kNan});
  checkTable("sin.approx.f32", {kNan, kMinus, kMinus, 0, 0, kNan, kNan});
  checkTable("cos.approx.f32", {kNan, kOne, kOne, kOne, kOne, kNan, kNan});
  checkTable("lg2.approx.ftz.f32",
             {kNan, minusInfinity, minusInfinity, minusInfinity, minusInfinity, kInfinity, kNan});
  checkTable("ex2.approx.f32", {0, kOne, kOne, kOne, kOne, kInfinity, kNan});
  checkTable("ex2.approx.ftz.f32", {0, kOne, kOne, kOne, kOne, kInfinity, kNan});
  checkTable("tanh.approx.f32", {kMinus | kOne, kMinus | 5, kMinus, 0, 5, kOne, kNan});
  for (const char* negative : {"sqrt.approx.f32", "rsqrt.approx.f32", "lg2.approx.f32"})
    EXPECT_EQ(one(negative, 0xbf800000), kNan);
}

TEST(PtxApproximate, SubnormalsAreSupportedWithoutFtz) {
  EXPECT_EQ(one("rcp.approx.f32", 0x00400000), std::bit_cast<std::uint32_t>(0x1p127f));
  EXPECT_EQ(one("rcp.approx.f32", 0x00200000), kInfinity);
  EXPECT_EQ(one("rcp.approx.f32", std::bit_cast<std::uint32_t>(0x1p127f)), 0x00400000u);
  EXPECT_EQ(one("sqrt.approx.f32", std::bit_cast<std::uint32_t>(0x1p-148f)),
            std::bit_cast<std::uint32_t>(0x1p-74f));
  EXPECT_EQ(one("rsqrt.approx.f32", std::bit_cast<std::uint32_t>(0x1p-148f)),
            std::bit_cast<std::uint32_t>(0x1p74f));
  EXPECT_EQ(one("lg2.approx.f32", 1), std::bit_cast<std::uint32_t>(-149.0f));
  EXPECT_EQ(one("ex2.approx.f32", std::bit_cast<std::uint32_t>(-149.0f)), 1u);
  EXPECT_EQ(one("ex2.approx.ftz.f32", std::bit_cast<std::uint32_t>(-149.0f)), 0u);
}

struct Function {
  std::string instruction;
  std::function<double(double)> exact;
  double from, to;
  double absolute, relative; ///< what PTX allows, and half an ulp
};

TEST(PtxApproximate, ErrorsAreAllowed) {
  const Function functions[] = {
      {"rcp.approx.f32", [](double x) { return 1 / x; }, 1, 2, 0x1p-23, 0},
      {"rcp.approx.ftz.f32", [](double x) { return 1 / x; }, -1e30, 1e30, 0, 0x1p-22},
      {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 1e-30, 1e30, 0, 0x1p-22},
      {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1, 4, 0x1p-22, 0},
      {"sin.approx.f32", [](double x) { return std::sin(x); }, -0.785, 0.785, 0x1p-20, 0},
      {"cos.approx.ftz.f32", [](double x) { return std::cos(x); }, -3.14, 3.14, 0x1p-20, 0},
      {"lg2.approx.f32", [](double x) { return std::log2(x); }, 1, 2, 0x1p-22, 0},
      {"lg2.approx.f32", [](double x) { return std::log2(x); }, 1e-20, 1e20, 0x1p-18, 0},
      {"ex2.approx.f32", [](double x) { return std::exp2(x); }, -125, 127, 0, 0x1p-22},
      {"tanh.approx.f32", [](double x) { return std::tanh(x); }, -9, 9, 0, 0x1p-11},
  };
  for (const Function& f : functions) {
    std::vector<SnippetInput> in = {{"a", "b32", {}}};
    for (unsigned i = 0; i <= 5000; ++i) {
      auto x = static_cast<float>(f.from + (f.to - f.from) * i / 5000);
      in[0].values.push_back(std::bit_cast<std::uint32_t>(x == 0 ? 0.5f : x));
    }
    auto result = evaluate(f.instruction + " d, a;", in, {"d", "b32"});
    for (std::size_t i = 0; i < result.size(); ++i) {
      double exact = f.exact(valueOf(in[0].values[i]));
      ASSERT_NEAR(valueOf(result[i]), exact, f.absolute + std::fabs(exact) * f.relative)
          << f.instruction << " of " << valueOf(in[0].values[i]);
    }
  }
}

TEST(PtxApproximate, SineAndCosineAroundTheCircle) {
  std::vector<SnippetInput> in = {{"a", "b32", {}}};
  for (int i = -100; i <= 100; ++i)
    in[0].values.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i) * 0.37f));
  auto sine = evaluate("sin.approx.f32 d, a;", in, {"d", "b32"});
  auto cosine = evaluate("cos.approx.f32 d, a;", in, {"d", "b32"});
  for (std::size_t i = 0; i < sine.size(); ++i) {
    double x = valueOf(in[0].values[i]), error = 1e-6 + std::fabs(x) * 1e-6;
    ASSERT_NEAR(valueOf(sine[i]), std::sin(x), error);
    ASSERT_NEAR(valueOf(cosine[i]), std::cos(x), error);
  }
}

TEST(PtxApproximate, QuotientsAreWithinTwoUlp) {
  auto in = pairs("b32", floatEdges(f32()));
  for (const char* instruction :
       {"div.approx.ftz.f32", "div.full.ftz.f32", "div.approx.f32", "div.full.f32"}) {
    bool full = std::string(instruction).find("full") != std::string::npos;
    bool ftz = std::string(instruction).find("ftz") != std::string::npos;
    auto result = evaluate(std::string(instruction) + " d, a, b;", in, {"d", "b32"});
    for (std::size_t i = 0; i < result.size(); ++i) {
      std::uint64_t a = in[0].values[i], b = in[1].values[i];
      if (ftz) {
        a = f32().flushed(a);
        b = f32().flushed(b);
      }
      double exact = valueOf(a) / valueOf(b), size = std::fabs(valueOf(b));
      if (!full && size > 0x1p126 && std::isfinite(size)) {
        if (std::isnan(exact) || std::isinf(exact))
          ASSERT_EQ(result[i], kNan) << instruction;
        else
          ASSERT_EQ(result[i] & ~kMinus, 0u) << instruction;
      } else if (std::isnan(exact)) {
        ASSERT_EQ(result[i], kNan) << instruction;
      } else if (std::fabs(exact) < 0x1p-126) {
        ASSERT_NEAR(valueOf(result[i]), exact, ftz ? 0x1p-126 : 0x1p-148) << instruction;
      } else if (std::fabs(exact) < 0x1.fffffp127 && (size >= 0x1p-126 || std::fabs(valueOf(a)) < 0x1p100)) {
        ASSERT_NEAR(valueOf(result[i]), exact, std::fabs(exact) * 0x1p-22)
            << instruction << std::hex << a << " " << b;
      } else if (std::isinf(exact)) {
        ASSERT_EQ(valueOf(result[i]), exact) << instruction;
      }
    }
  }
}

TEST(PtxApproximate, DoublesByTheirUpperWord) {
  constexpr std::uint64_t kUpperNan = 0x7fffffff00000000;
  EXPECT_EQ(one("rcp.approx.ftz.f64", 0x7ff0000000000001, "b64"),
            0u); // the lower word does not count: infinity
  EXPECT_EQ(one("rcp.approx.ftz.f64", 0xfff8000000000000, "b64"), kUpperNan);
  EXPECT_EQ(one("rcp.approx.ftz.f64", 0x8000000000000001, "b64"), 0xfff0000000000000u);
  EXPECT_EQ(one("rcp.approx.ftz.f64", 0x000fffffffffffff, "b64"), 0x7ff0000000000000u);
  EXPECT_EQ(one("rcp.approx.ftz.f64", 0x7fefffffffffffff, "b64"), 0u); // a subnormal result
  EXPECT_EQ(one("rcp.approx.ftz.f64", 0x40000000deadbeef, "b64"), 0x3fe0000000000000u);
  EXPECT_EQ(one("rsqrt.approx.ftz.f64", 0xc000000000000000, "b64"), kUpperNan);
  EXPECT_EQ(one("rsqrt.approx.ftz.f64", 0x4010000000000001, "b64"), 0x3fe0000000000000u);
  EXPECT_EQ(one("rsqrt.approx.f64", std::bit_cast<std::uint64_t>(0x1p-1074), "b64"),
            std::bit_cast<std::uint64_t>(0x1p537));
  for (double x : {1.1, 3.7e-200, 5.5e200}) {
    auto bits = std::bit_cast<std::uint64_t>(x);
    double reciprocal = std::bit_cast<double>(one("rcp.approx.ftz.f64", bits, "b64"));
    double root = std::bit_cast<double>(one("rsqrt.approx.f64", bits, "b64"));
    EXPECT_NEAR(reciprocal * x, 1, 0x1p-19);
    EXPECT_NEAR(root * root * x, 1, 0x1p-51);
  }
}

double halfValue(const FloatType& type, std::uint64_t bits) {
  bool lost = false;
  llvm::APFloat value = type.value(bits);
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

std::uint64_t rounded(const FloatType& type, double x) {
  bool lost = false;
  llvm::APFloat value(x);
  value.convert(*type.semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.isNaN() ? 0x7fff : type.bitsOf(value);
}

TEST(PtxApproximate, HalvesExhaustively) {
  std::vector<SnippetInput> in = {{"a", "b16", all16()}};
  auto power = evaluate("ex2.approx.f16 d, a;", in, {"d", "b16"});
  auto bfloatPower = evaluate("ex2.approx.ftz.bf16 d, a;", in, {"d", "b16"});
  auto tangent = evaluate("tanh.approx.f16 d, a;", in, {"d", "b16"});
  auto bfloatTangent = evaluate("tanh.approx.bf16 d, a;", in, {"d", "b16"});
  auto pair = evaluate("{ .reg .b32 x; mov.b32 x, {a, 0x3c00}; tanh.approx.f16x2 x, x; mov.b32 {d, _}, x; }",
                       in, {"d", "b16"});
  for (std::uint64_t a = 0; a < 65536; ++a) {
    double x = halfValue(f16(), a), y = halfValue(bf16(), bf16().flushed(a));
    ASSERT_EQ(power[a], rounded(f16(), std::exp2(x))) << std::hex << a;
    ASSERT_EQ(bfloatPower[a], bf16().flushed(rounded(bf16(), std::exp2(y)))) << std::hex << a;
    ASSERT_EQ(tangent[a], f16().isSubnormal(a) ? a : rounded(f16(), std::tanh(x))) << std::hex << a;
    ASSERT_EQ(bfloatTangent[a], bf16().isSubnormal(a) ? a : rounded(bf16(), std::tanh(y))) << std::hex << a;
    ASSERT_EQ(pair[a], tangent[a]);
  }
}

TEST(PtxApproximate, SeedsMoveResultsThatAreNotExact) {
  std::vector<SnippetInput> in = {{"a", "b32", {}}};
  for (unsigned i = 0; i < 256; ++i)
    in[0].values.push_back(kOne + i * 0x10001);
  ExecutionOptions options;
  auto plain = runSnippet("rcp.approx.f32 d, a;", in, {{"d", "b32"}}, options);
  EXPECT_EQ(plain.execution.approximations, 255u); // 1/1 is exact
  options.approximationSeed = 7;
  auto moved = runSnippet("rcp.approx.f32 d, a;", in, {{"d", "b32"}}, options);
  unsigned histogram[3] = {};
  for (std::size_t i = 0; i < 256; ++i) {
    std::uint64_t step = moved.outputs[0][i] - plain.outputs[0][i] + 1;
    ASSERT_LT(step, 3u);
    ++histogram[step];
  }
  for (unsigned count : histogram)
    EXPECT_GT(count, 50u);
  EXPECT_EQ(moved.outputs[0][0], kOne);
  auto again = runSnippet("rcp.approx.f32 d, a;", in, {{"d", "b32"}}, options);
  EXPECT_EQ(again.outputs, moved.outputs);
  options.approximationSeed = 8;
  EXPECT_NE(runSnippet("rcp.approx.f32 d, a;", in, {{"d", "b32"}}, options).outputs, moved.outputs);
}

TEST(PtxApproximate, FormsThatThereAreNot) {
  for (const char* body :
       {"rcp.approx.f64 %d0, %d1;", "sqrt.approx.f64 %d0, %d1;", "rsqrt.f32 %r0, %r1;",
        "rsqrt.rn.f32 %r0, %r1;", "sin.f32 %r0, %r1;", "sin.approx.f64 %d0, %d1;",
        "tanh.approx.ftz.f32 %r0, %r1;", "ex2.approx.bf16 %h0, %h1;", "ex2.approx.ftz.f16 %h0, %h1;",
        "div.full.f64 %d0, %d1, %d2;", "div.full.approx.f32 %r0, %r1, %r2;", "rcp.full.f32 %r0, %r1;",
        "lg2.approx.f16 %h0, %h1;", "rcp.approx.rn.f32 %r0, %r1;"})
    expectUnsupported(body);
}

} // namespace
} // namespace harness::ptx
