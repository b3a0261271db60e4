// f32, f64 and f32x2 arithmetic against LLVM's APFloat.

#include "tests/ptx/float_values.h"
#include <gtest/gtest.h>

#include <cmath>

namespace harness::ptx {
namespace {

using llvm::APFloat;
using Rounding = APFloat::roundingMode;

struct Mode {
  const char* name;
  Rounding rounding;
};
constexpr Mode kModes[] = {{".rn", Rounding::NearestTiesToEven},
                           {".rz", Rounding::TowardZero},
                           {".rm", Rounding::TowardNegative},
                           {".rp", Rounding::TowardPositive}};

/// .ftz and .sat, as bits.
struct Clamp {
  bool ftz = false, sat = false;
  std::string text() const { return std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : ""); }
};

/// What a NaN result is: of f64, the first NaN among the operands made quiet.
std::uint64_t nanOf(const FloatType& type, const std::vector<std::uint64_t>& operands) {
  if (type.bits == 64)
    for (std::uint64_t value : operands)
      if (type.isNan(value)) return value | 0x0008000000000000;
  return type.nan();
}

template <typename F>
std::uint64_t expected(const FloatType& type, Clamp clamp, std::vector<std::uint64_t> operands, F f) {
  if (clamp.ftz)
    for (std::uint64_t& value : operands)
      value = type.flushed(value);
  APFloat first = type.value(operands[0]);
  f(first, operands);
  std::uint64_t bits = first.isNaN() ? nanOf(type, operands) : type.bitsOf(first);
  if (clamp.ftz) bits = type.flushed(bits);
  return clamp.sat ? type.saturated(bits) : bits;
}

std::uint64_t binary(const FloatType& type, const std::string& op, Clamp clamp, Rounding rounding,
                     std::uint64_t a, std::uint64_t b) {
  return expected(type, clamp, {a, b}, [&](APFloat& value, const std::vector<std::uint64_t>& operands) {
    APFloat second = type.value(operands[1]);
    if (op == "add") value.add(second, rounding);
    if (op == "sub") value.subtract(second, rounding);
    if (op == "mul") value.multiply(second, rounding);
    if (op == "div") value.divide(second, rounding);
  });
}

std::uint64_t fused(const FloatType& type, Clamp clamp, Rounding rounding, std::uint64_t a, std::uint64_t b,
                    std::uint64_t c) {
  return expected(type, clamp, {a, b, c}, [&](APFloat& value, const std::vector<std::uint64_t>& operands) {
    value.fusedMultiplyAdd(type.value(operands[1]), type.value(operands[2]), rounding);
  });
}

void checkBinary(const FloatType& type, const std::string& op, Clamp clamp, const Mode& mode,
                 bool named = true) {
  auto in = pairs(type.container(), floatEdges(type));
  std::string text = op + (named ? mode.name : "") + clamp.text() + "." + type.name + " d, a, b;";
  auto result = evaluate(text, in, {"d", type.container()});
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t a = in[0].values[i], b = in[1].values[i];
    ASSERT_EQ(result[i], binary(type, op, clamp, mode.rounding, a, b))
        << text << std::hex << " " << a << " " << b;
  }
}

TEST(PtxReal, AddSubMulDivRoundInEveryDirection) {
  for (const Mode& mode : kModes)
    for (const char* op : {"add", "sub", "mul", "div"}) {
      checkBinary(f32(), op, {}, mode);
      checkBinary(f64(), op, {}, mode);
    }
}

TEST(PtxReal, FlushingAndSaturation) {
  for (const Mode& mode : kModes)
    for (const char* op : {"add", "sub", "mul"})
      for (Clamp clamp : {Clamp{true, false}, Clamp{false, true}, Clamp{true, true}})
        checkBinary(f32(), op, clamp, mode);
  for (const Mode& mode : kModes)
    checkBinary(f32(), "div", {true, false}, mode);
}

TEST(PtxReal, WithoutRoundingModifierTheNearest) {
  for (const char* op : {"add", "sub", "mul"}) {
    checkBinary(f32(), op, {}, kModes[0], false);
    checkBinary(f64(), op, {}, kModes[0], false);
  }
}

void checkFused(const FloatType& type, const std::string& op, Clamp clamp, const Mode& mode) {
  auto in = triples(type.container(), floatEdges(type));
  std::string text = op + mode.name + clamp.text() + "." + type.name + " d, a, b, c;";
  auto result = evaluate(text, in, {"d", type.container()});
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t a = in[0].values[i], b = in[1].values[i], c = in[2].values[i];
    ASSERT_EQ(result[i], fused(type, clamp, mode.rounding, a, b, c))
        << text << std::hex << " " << a << " " << b << " " << c;
  }
}

TEST(PtxReal, FmaRoundsOnce) {
  checkFused(f32(), "fma", {}, kModes[0]);
  checkFused(f32(), "fma", {true, true}, kModes[1]);
  checkFused(f32(), "fma", {true, false}, kModes[3]);
  checkFused(f64(), "fma", {}, kModes[0]);
  checkFused(f64(), "fma", {}, kModes[2]);
}

TEST(PtxReal, MadIsFma) {
  checkFused(f32(), "mad", {false, true}, kModes[2]);
  checkFused(f64(), "mad", {}, kModes[1]);
}

TEST(PtxReal, ReciprocalsAreQuotients) {
  for (const FloatType* type : {&f32(), &f64()})
    for (const Mode& mode : kModes)
      for (bool ftz : {false, true}) {
        if (ftz && type->bits == 64) continue;
        std::vector<SnippetInput> in = {{"a", type->container(), floatEdges(*type)}};
        std::string text = "rcp" + std::string(mode.name) + (ftz ? ".ftz." : ".") + type->name + " d, a;";
        auto result = evaluate(text, in, {"d", type->container()});
        for (std::size_t i = 0; i < result.size(); ++i)
          ASSERT_EQ(result[i],
                    binary(*type, "div", {ftz, false}, mode.rounding, type->one(), in[0].values[i]))
              << text << std::hex << " " << in[0].values[i];
      }
}

/// A root's square, exact.
APFloat square(APFloat root) {
  bool lost = false;
  root.convert(APFloat::IEEEquad(), Rounding::NearestTiesToEven, &lost);
  root.multiply(root, Rounding::NearestTiesToEven);
  return root;
}

/// Whether `root` is the square root of `x`, both positive and finite, rounded in that direction.
bool isRoot(const FloatType& type, std::uint64_t root, std::uint64_t x, Rounding rounding) {
  bool lost = false;
  APFloat exact = type.value(x);
  exact.convert(APFloat::IEEEquad(), Rounding::NearestTiesToEven, &lost);
  auto against = [&](const APFloat& value) { return square(value).compare(exact); };
  auto below = against(type.value(root));
  if (below == APFloat::cmpEqual) return true;
  auto neighbour = against(type.value(below == APFloat::cmpLessThan ? root + 1 : root - 1));
  if (below == neighbour) return false; // not next to it
  if (rounding == Rounding::TowardPositive) return below == APFloat::cmpGreaterThan;
  if (rounding != Rounding::NearestTiesToEven) return below == APFloat::cmpLessThan;
  // The middle of the two has a bit more than the format; quad holds it, and its square.
  APFloat middle = type.value(root), other = type.value(below == APFloat::cmpLessThan ? root + 1 : root - 1);
  middle.convert(APFloat::IEEEquad(), rounding, &lost);
  other.convert(APFloat::IEEEquad(), rounding, &lost);
  middle.add(other, rounding);
  middle.multiply(APFloat(APFloat::IEEEquad(), "0.5"), rounding);
  middle.multiply(middle, rounding);
  return middle.compare(exact) != below;
}

TEST(PtxReal, SquareRoots) {
  for (const FloatType* type : {&f32(), &f64()})
    for (const Mode& mode : kModes) {
      std::vector<SnippetInput> in = {{"a", type->container(), floatEdges(*type)}};
      std::string text = "sqrt" + std::string(mode.name) + "." + type->name + " d, a;";
      auto result = evaluate(text, in, {"d", type->container()});
      for (std::size_t i = 0; i < result.size(); ++i) {
        std::uint64_t a = in[0].values[i];
        if (type->isNan(a) || (a > type->sign))
          ASSERT_EQ(result[i], nanOf(*type, {a})) << text << std::hex << " " << a;
        else if (a == 0 || a == type->sign || a == type->infinity)
          ASSERT_EQ(result[i], a) << text;
        else
          ASSERT_TRUE(isRoot(*type, result[i], a, mode.rounding))
              << text << std::hex << " " << a << " " << result[i];
      }
    }
}

TEST(PtxReal, PairsAreTwoOfThem) {
  auto edges = floatEdges(f32());
  SnippetInput a{"a", "b64", {}}, b{"b", "b64", {}}, c{"c", "b64", {}};
  for (std::size_t i = 0; i < edges.size() * edges.size(); ++i) {
    std::uint64_t x = edges[i % edges.size()], y = edges[i / edges.size()],
                  z = edges[(i * 7 + 3) % edges.size()];
    a.values.push_back(x | y << 32);
    b.values.push_back(y | z << 32);
    c.values.push_back(z | x << 32);
  }
  auto sums = evaluate("add.rz.ftz.f32x2 d, a, b;", {a, b, c}, {"d", "b64"});
  auto products = evaluate("mul.f32x2 d, a, b;", {a, b, c}, {"d", "b64"});
  auto fusedOnes = evaluate("fma.rn.f32x2 d, a, b, c;", {a, b, c}, {"d", "b64"});
  for (std::size_t i = 0; i < a.values.size(); ++i)
    for (unsigned shift : {0, 32}) {
      auto half = [=](std::uint64_t value) { return value >> shift & 0xffffffff; };
      std::uint64_t x = half(a.values[i]), y = half(b.values[i]), z = half(c.values[i]);
      ASSERT_EQ(half(sums[i]), binary(f32(), "add", {true, false}, Rounding::TowardZero, x, y));
      ASSERT_EQ(half(products[i]), binary(f32(), "mul", {}, Rounding::NearestTiesToEven, x, y));
      ASSERT_EQ(half(fusedOnes[i]), fused(f32(), {}, Rounding::NearestTiesToEven, x, y, z));
    }
}

std::uint64_t widened(const FloatType& type, std::uint64_t bits) {
  bool lost = false;
  APFloat value = type.value(bits);
  value.convert(APFloat::IEEEsingle(), Rounding::NearestTiesToEven, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

TEST(PtxReal, MixedPrecision) {
  auto singles = floatEdges(f32());
  for (const FloatType* type : {&f16(), &bf16()}) {
    SnippetInput a{"a", "b16", {}}, b{"b", "b16", {}}, c{"c", "b32", {}};
    for (std::uint64_t x : floatEdges(*type))
      for (std::uint64_t z : singles) {
        a.values.push_back(x);
        b.values.push_back(floatEdges(*type)[a.values.size() * 11 % 60]);
        c.values.push_back(z);
      }
    auto sums = evaluate("add.rm.f32." + type->name + " d, a, c;", {a, b, c}, {"d", "b32"});
    auto differences = evaluate("sub.sat.f32." + type->name + " d, a, c;", {a, b, c}, {"d", "b32"});
    auto fusedOnes = evaluate("fma.rn.f32." + type->name + " d, a, b, c;", {a, b, c}, {"d", "b32"});
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      std::uint64_t x = widened(*type, a.values[i]), y = widened(*type, b.values[i]), z = c.values[i];
      ASSERT_EQ(sums[i], binary(f32(), "add", {}, Rounding::TowardNegative, x, z));
      ASSERT_EQ(differences[i], binary(f32(), "sub", {false, true}, Rounding::NearestTiesToEven, x, z));
      ASSERT_EQ(fusedOnes[i], fused(f32(), {}, Rounding::NearestTiesToEven, x, y, z));
    }
  }
}

TEST(PtxReal, AbsAndNeg) {
  for (const FloatType* type : {&f32(), &f64()})
    for (bool ftz : {false, true}) {
      if (ftz && type->bits == 64) continue;
      std::vector<SnippetInput> in = {{"a", type->container(), floatEdges(*type)}};
      std::string suffix = (ftz ? ".ftz." : ".") + type->name + " d, a;";
      auto abs = evaluate("abs" + suffix, in, {"d", type->container()});
      auto neg = evaluate("neg" + suffix, in, {"d", type->container()});
      for (std::size_t i = 0; i < abs.size(); ++i) {
        std::uint64_t a = in[0].values[i];
        if (type->isNan(a)) {
          ASSERT_EQ(abs[i], type->bits == 64 ? a : type->nan());
          ASSERT_EQ(neg[i], type->bits == 64 ? a ^ type->sign : type->nan());
          continue;
        }
        if (ftz) a = type->flushed(a);
        ASSERT_EQ(abs[i], a & ~type->sign);
        ASSERT_EQ(neg[i], a ^ type->sign);
      }
    }
}

TEST(PtxReal, FormsThatThereAreNot) {
  for (const char* body : {"add.ftz.f64 %d0, %d1, %d2;",
                           "add.sat.f64 %d0, %d1, %d2;",
                           "add.sat.f32x2 %d0, %d1, %d2;",
                           "add.rna.f32 %r0, %r1, %r2;",
                           "fma.f32 %r0, %r1, %r2, %r3;",
                           "mad.f64 %d0, %d1, %d2, %d3;",
                           "mad.rn.f32x2 %d0, %d1, %d2, %d3;",
                           "div.f32 %r0, %r1, %r2;",
                           "div.rn.sat.f32 %r0, %r1, %r2;",
                           "div.rn.ftz.f64 %d0, %d1, %d2;",
                           "rcp.f64 %d0, %d1;",
                           "sqrt.rn.f32x2 %d0, %d1;",
                           "abs.ftz.f64 %d0, %d1;",
                           "neg.f32x2 %d0, %d1;",
                           "mul.rn.f32.f16 %r0, %h1, %r2;",
                           "add.rn.ftz.f32.f16 %r0, %h1, %r2;",
                           "add.rn.rz.f32 %r0, %r1, %r2;",
                           "add.rn.f32 %r0, %r1;",
                           "add.rn.f32 %r0, %h1, %r2;",
                           "add.relu.f32 %r0, %r1, %r2;",
                           "fma.rn.f32x2.f16 %d0, %h1, %h2, %d1;"})
    expectUnsupported(body);
}

} // namespace
} // namespace harness::ptx
