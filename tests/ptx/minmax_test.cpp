#include "tests/ptx/float_values.h"
#include <gtest/gtest.h>

namespace harness::ptx {
namespace {

struct Modifiers {
  bool ftz = false, nan = false, abs = false, xorsign = false;
  std::string text() const {
    return std::string(ftz ? ".ftz" : "") + (nan ? ".NaN" : "") + (xorsign ? ".xorsign" : "") +
           (abs ? ".abs" : "");
  }
};

/// Floats in order as integers: -0 before +0.
std::int64_t rank(const FloatType& type, std::uint64_t bits) {
  auto magnitude = static_cast<std::int64_t>(bits & ~type.sign);
  return bits & type.sign ? -magnitude - 1 : magnitude;
}

std::uint64_t nanOf(const FloatType& type, std::uint64_t bits) {
  return type.bits == 64 ? bits | 0x0008000000000000 : type.nan();
}

std::uint64_t chosen(const FloatType& type, bool max, bool nan, std::uint64_t a, std::uint64_t b) {
  if (type.isNan(a) && (type.isNan(b) || nan)) return nanOf(type, a);
  if (type.isNan(b) && nan) return nanOf(type, b);
  if (type.isNan(a)) return b;
  if (type.isNan(b)) return a;
  return (rank(type, a) > rank(type, b)) == max ? a : b;
}

std::uint64_t expected(const FloatType& type, bool max, Modifiers modifiers,
                       std::vector<std::uint64_t> operands) {
  std::uint64_t sign = (operands[0] ^ operands[1]) & type.sign;
  for (std::uint64_t& value : operands) {
    if (modifiers.ftz) value = type.flushed(value);
    if (modifiers.abs) value &= ~type.sign;
  }
  std::uint64_t result = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i)
    result = chosen(type, max, modifiers.nan, result, operands[i]);
  return modifiers.xorsign && !type.isNan(result) ? (result & ~type.sign) | sign : result;
}

void check(const FloatType& type, Modifiers modifiers) {
  auto in = pairs(type.container(), floatEdges(type));
  for (bool max : {false, true}) {
    std::string text = (max ? "max" : "min") + modifiers.text() + "." + type.name + " d, a, b;";
    auto result = evaluate(text, in, {"d", type.container()});
    for (std::size_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], expected(type, max, modifiers, {in[0].values[i], in[1].values[i]}))
          << text << std::hex << " " << in[0].values[i] << " " << in[1].values[i];
  }
}

TEST(PtxMinMax, EveryModifier) {
  for (const FloatType* type : {&f32(), &f16(), &bf16()})
    for (bool ftz : {false, true})
      for (bool nan : {false, true})
        for (bool xorsign : {false, true})
          if (!ftz || type != &bf16()) check(*type, {ftz, nan, xorsign, xorsign});
  check(f64(), {});
}

TEST(PtxMinMax, OfThree) {
  auto in = triples("b32", floatEdges(f32()));
  for (Modifiers modifiers : {Modifiers{}, Modifiers{true, false, true}, Modifiers{false, true}})
    for (bool max : {false, true}) {
      std::string text = (max ? "max" : "min") + modifiers.text() + ".f32 d, a, b, c;";
      auto result = evaluate(text, in, {"d", "b32"});
      for (std::size_t i = 0; i < result.size(); ++i)
        ASSERT_EQ(result[i],
                  expected(f32(), max, modifiers, {in[0].values[i], in[1].values[i], in[2].values[i]}))
            << text;
    }
}

TEST(PtxMinMax, Pairs) {
  for (const FloatType* type : {&f16(), &bf16()}) {
    auto edges = floatEdges(*type);
    std::vector<SnippetInput> in = {{"a", "b32", {}}, {"b", "b32", {}}};
    for (std::size_t i = 0; i < edges.size() * edges.size(); ++i) {
      std::uint64_t x = edges[i % edges.size()], y = edges[i / edges.size()];
      in[0].values.push_back(x | y << 16);
      in[1].values.push_back(y | edges[(i * 7 + 3) % edges.size()] << 16);
    }
    for (Modifiers modifiers : {Modifiers{}, Modifiers{false, true, true, true}}) {
      auto result = evaluate("max" + modifiers.text() + "." + type->name + "x2 d, a, b;", in, {"d", "b32"});
      for (std::size_t i = 0; i < result.size(); ++i)
        for (unsigned shift : {0, 16})
          ASSERT_EQ(result[i] >> shift & 0xffff,
                    expected(*type, true, modifiers,
                             {in[0].values[i] >> shift & 0xffff, in[1].values[i] >> shift & 0xffff}));
    }
  }
}

TEST(PtxMinMax, FormsThatThereAreNot) {
  for (const char* body :
       {"min.NaN.f64 %d0, %d1, %d2;", "min.abs.f32 %r0, %r1, %r2;", "max.xorsign.f32 %r0, %r1, %r2;",
        "max.xorsign.abs.f32 %r0, %r1, %r2, %r3;", "max.f64 %d0, %d1, %d2, %d3;",
        "max.ftz.bf16 %h0, %h1, %h2;", "min.f32x2 %d0, %d1, %d2;", "min.rn.f32 %r0, %r1, %r2;"})
    expectUnsupported(body);
}

} // namespace
} // namespace harness::ptx
