// Packed half and bf16 arithmetic against llvm::APFloat.

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

/// A packed format under test.
struct Type {
  const char* word;
  const llvm::fltSemantics& (*semantics)();
  u16 one;

  APFloat value(u16 bits) const { return {semantics(), llvm::APInt(16, bits)}; }
};
constexpr Type kTypes[] = {{"", APFloat::IEEEhalf, 0x3c00}, {".BF16_V2", APFloat::BFloat, 0x3f80}};

/// Edges of both formats: what is one thing in one is something else in the other.
const std::vector<u16> kHalves = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x80ff, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401,
    0x1400, 0x2400, 0x250e, 0x37ff, 0x3800, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0xbe00, 0x3f7f,
    0x3f80, 0xbf80, 0x3f81, 0x4248, 0x5800, 0x6400, 0x63ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01,
    0x7e00, 0xfe00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0x7fc0, 0x7fff, 0xffff};

/// Edges in both halves.
std::vector<u32> packed() {
  std::vector<u32> words;
  for (std::size_t i = 0; i < kHalves.size(); ++i)
    words.push_back(kHalves[i] | u32{kHalves[(i * 7 + 3) % kHalves.size()]} << 16);
  return words;
}

const std::vector<u32> kFew = {0x3c003f80, 0xbe00fbff, 0x00018000, 0x7c007e00,
                               0x37ff0401, 0xff803f81, 0x7f7f8001};

u16 low(u32 x) {
  return static_cast<u16>(x);
}
u16 high(u32 x) {
  return static_cast<u16>(x >> 16);
}
u32 twiceLow(u32 x) {
  return low(x) * 0x10001u;
}
u32 twiceHigh(u32 x) {
  return high(x) * 0x10001u;
}

/// FTZ, SAT and RELU around a result. Saturation makes a NaN +0, relu leaves it (PTX ISA, fma). That relu
/// makes -0 +0 is what max(x, +0) gives, by which cuda_fp16.hpp stands in for it; the PTX ISA does not say.
u32 modified(APFloat result, const std::string& form) {
  auto has = [&](const char* word) { return form.find(word) != std::string::npos; };
  if (has(".FTZ")) result = flushed(result);
  if (has(".SAT")) {
    if (result.isNaN() || result.isNegative()) return 0;
    APFloat one(result.getSemantics(), 1);
    if (result > one) result = one;
  }
  if (has(".RELU") && !result.isNaN() && result.isNegative()) return 0;
  return resultBits32(result);
}

using Operation = std::function<APFloat(APFloat, APFloat, APFloat)>;

u32 onHalves(const Type& type, const std::string& form, const Operation& operation, u32 a, u32 b, u32 c) {
  bool ftz = form.find(".FTZ") != std::string::npos;
  auto one = [&](unsigned shift) {
    auto value = [&](u32 x) {
      APFloat number = type.value(static_cast<u16>(x >> shift));
      return ftz ? flushed(number) : number;
    };
    return modified(operation(value(a), value(b), value(c)), form) << shift;
  };
  return one(0) | one(16);
}

APFloat sum(APFloat a, const APFloat& b, const APFloat&) {
  a.add(b, kNearest);
  return a;
}
APFloat product(APFloat a, const APFloat& b, const APFloat&) {
  a.multiply(b, kNearest);
  return a;
}
APFloat fused(APFloat a, const APFloat& b, const APFloat& c) {
  a.fusedMultiplyAdd(b, c, kNearest);
  return a;
}

TEST(SassHalf, SumAndProduct) {
  auto inputs = pairs(packed(), packed());
  for (const Type& type : kTypes)
    for (const char* form : {"", ".FTZ", ".SAT", ".FTZ.SAT"}) {
      if (*type.word && *form) continue; // not met
      std::string modifiers = std::string(type.word) + form;
      for (auto [name, operation] : {std::pair{"HADD2", &sum}, std::pair{"HMUL2", &product}}) {
        checkLanes({name + modifiers + " R20, R10, R11",
                    [&, f = operation](const LaneInput& in, LaneOutput& out) {
                      out.r[0] = onHalves(type, modifiers, f, in.r[0], in.r[1], 0);
                    }},
                   inputs);
        checkLanes({name + modifiers + " R20, -|R10|.H1_H1, R11.H0_H0",
                    [&, f = operation](const LaneInput& in, LaneOutput& out) {
                      out.r[0] = onHalves(type, modifiers, f, twiceHigh(in.r[0]) | 0x80008000u,
                                          twiceLow(in.r[1]), 0);
                    }},
                   inputs);
      }
    }
}

/// The bits of two numbers stand in the encoding, whatever is printed.
TEST(SassHalf, Immediates) {
  for (const Type& type : kTypes)
    for (u32 bits : {0u, 0x3c004000u, 0x80017bffu, 0x3f80bf81u}) {
      checkLanes({std::string("HADD2") + type.word + " R20, R10, 1, 2",
                  [&](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = onHalves(type, "", sum, in.r[0], bits, 0);
                  },
                  bits},
                 pairs(packed(), {0}));
      checkLanes({std::string("HFMA2") + type.word + " R20, R10, -0, +INF , -R11.H1_H1",
                  [&](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = onHalves(type, "", fused, in.r[0], bits, twiceHigh(in.r[1]) ^ 0x80008000u);
                  },
                  bits},
                 pairs(packed(), kFew));
    }
}

TEST(SassHalf, ConstantsAndUniformRegisters) {
  Assembly a;
  a.buffer("out", std::vector<u32>(3)).pointer(4, "out");
  // A pointer is a constant whose bits are known.
  a.lines(R"(
    MOV R10, 0x3c003c00
    MOV R11, c[0x0][{param:out}]
    R2UR UR7, R11
    HMNMX2 R12, R11, c[0x0][{param:out}], PT
    HADD2 R13, -RZ, -c[0x0][{param:out}].H0_H0
    HADD2 R14, -RZ.H0_H0, |UR7|.H1_H1)");
  a.add("STG.E " + a.at(4) + ", R12")
      .add("STG.E " + a.at(4, 4) + ", R13")
      .add("STG.E " + a.at(4, 8) + ", R14");
  a.add("STG.E " + a.at(4, 4) + ", R13").add("EXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  Assembly pointer;
  pointer.buffer("out", std::vector<u32>(3)).pointer(4, "out");
  pointer.add("STG.E " + pointer.at(4) + ", R4").add("EXIT");
  ASSERT_EQ(pointer.run(1).end, ExecutionEnd::Completed);
  u32 bits = pointer.words("out")[0];
  EXPECT_EQ(a.words("out")[0], bits);
  EXPECT_EQ(a.words("out")[1], twiceLow(bits) ^ 0x80008000u);
  EXPECT_EQ(a.words("out")[2], twiceHigh(bits) & 0x7fff7fffu);
}

TEST(SassHalf, Hadd2F32WidensOneHalf) {
  auto inputs = pairs(packed(), packed());
  auto widened = [](u16 bits) { return converted(half(bits), APFloat::IEEEsingle()); };
  checkLanes({"HADD2.F32 R20, -RZ, R10.H0_H0",
              [=](const LaneInput& in, LaneOutput& out) { out.r[0] = resultBits32(widened(low(in.r[0]))); }},
             inputs);
  checkLanes({"HADD2.F32 R20, R10.H1_H1, -RZ.H0_H0",
              [=](const LaneInput& in, LaneOutput& out) { out.r[0] = resultBits32(widened(high(in.r[0]))); }},
             inputs);
  checkLanes(
      {"HADD2.F32.SAT R20, -RZ, R10.H0_H0",
       [=](const LaneInput& in, LaneOutput& out) { out.r[0] = modified(widened(low(in.r[0])), ".SAT"); }},
      inputs);
}

/// sm_75 has them for an operation in f16 whose result is widened. Integers: all results are halves.
TEST(SassHalf, WidenedResults) {
  const u32 kIntegers[] = {0x3c00bc00, 0x40004200, 0xc0003c00, 0x00008000,
                           0x45004400, 0x7c003c00, 0x3c007e01};
  std::vector<u32> values(std::begin(kIntegers), std::end(kIntegers));
  auto inputs = pairs(values, values);
  auto wide = [](u16 bits) { return converted(half(bits), APFloat::IEEEsingle()); };
  checkLanes({"HADD2.F32 R20, R10.H0_H0, -|R11|.H1_H1",
              [=](const LaneInput& in, LaneOutput& out) {
                APFloat x = wide(low(in.r[0]));
                x.add(wide(high(in.r[1]) | 0x8000), kNearest);
                out.r[0] = resultBits32(x);
              },
              0, 75},
             inputs);
  checkLanes({"HADD2.F32 R20, -R10.H1_H1, 1, 1",
              [=](const LaneInput& in, LaneOutput& out) {
                APFloat x = wide(high(in.r[0]) ^ 0x8000);
                x.add(APFloat(1.0f), kNearest);
                out.r[0] = resultBits32(x);
              },
              0x3c003c00, 75},
             inputs);
  checkLanes({"HMUL2.F32 R20, R10.H0_H0, R11.H1_H1",
              [=](const LaneInput& in, LaneOutput& out) {
                APFloat x = wide(low(in.r[0]));
                x.multiply(wide(high(in.r[1])), kNearest);
                out.r[0] = resultBits32(x);
              },
              0, 75},
             inputs);
}

/// Whether such a result is rounded to a half before it is widened has not been seen.
TEST(SassHalf, WidenedResultThatIsNoHalf) {
  for (const char* text : {"HADD2.F32 R6, R4.H0_H0, R5.H0_H0", "HMUL2.F32 R6, R4.H0_H0, R4.H0_H0"}) {
    Assembly a(75);
    a.lines("MOV R4, 0x3c01\nMOV R5, 0x1000").add(text).add("EXIT");
    ExecutionResult result = a.run(1);
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << text;
  }
}

/// sm_75 converts an f32 to a half so where PTX says cvt.rz, and looks at the low half.
TEST(SassHalf, Hadd2OfAFloat) {
  auto rounded = [](u32 bits) { return converted(single(bits), APFloat::IEEEhalf(), kZero); };
  checkLanes(
      {"HADD2 R20, R10.F32, -RZ.H0_H0",
       [=](const LaneInput& in, LaneOutput& out) { out.r[0] = resultBits32(rounded(in.r[0])) * 0x10001u; }},
      pairs(floatEdges(), {0}));
  checkLanes({"HADD2.SAT R20, R10.F32, -RZ.H0_H0",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] = modified(rounded(in.r[0]), ".SAT") * 0x10001u;
              }},
             pairs(floatEdges(), {0}));
}

TEST(SassHalf, Hfma2) {
  auto inputs =
      triples(packed(), kFew, {0, 0x80008000, 0x83ff0001, 0xfc007bff, 0x3c00bc01, 0xbf80ff7f, 0x00800001});
  for (const Type& type : kTypes)
    for (const char* form : {"", ".RELU", ".FTZ", ".SAT", ".FTZ.SAT", ".FTZ.RELU"}) {
      if (*type.word && *form && std::string(form) != ".RELU") continue; // not met
      std::string modifiers = std::string(type.word) + form;
      for (const char* unit : {"", ".MMA"})
        checkLanes({"HFMA2" + std::string(unit) + modifiers + " R20, R10, R11, R12",
                    [&](const LaneInput& in, LaneOutput& out) {
                      out.r[0] = onHalves(type, modifiers, fused, in.r[0], in.r[1], in.r[2]);
                    }},
                   inputs);
      checkLanes({"HFMA2" + modifiers + " R20, R10.H0_H0, -R11.H1_H1, |R12|",
                  [&](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = onHalves(type, modifiers, fused, twiceLow(in.r[0]),
                                        twiceHigh(in.r[1]) ^ 0x80008000u, in.r[2] & 0x7fff7fffu);
                  }},
                 inputs);
    }
}

/// The form that loads constants; the printed halves say nothing of the bits.
TEST(SassHalf, Hfma2LoadsConstants) {
  auto inputs = pairs({0}, {0});
  for (u32 bits : {0u, 0x3c000000u, 0x00000010u, 0x02040401u, 0x7bfffbffu, 0x80008000u})
    for (const char* text :
         {"0, 0", "0, 9.5367431640625e-07", "1.0009765625, 3.07559967041015625e-05", "-0, +INF "})
      for (const Type& type : kTypes)
        checkLanes({std::string("HFMA2") + type.word + " R20, -RZ, RZ, " + text,
                    // -0 * +0 + x = x, even for -0.
                    [&](const LaneInput&, LaneOutput& out) { out.r[0] = bits; }, bits},
                   inputs);
  checkLanes({"HFMA2 R20, RZ, RZ, -0, 1",
              // +0 * +0 + -0 = +0.
              [](const LaneInput&, LaneOutput& out) { out.r[0] = 0x00003c00; }, 0x80003c00},
             inputs);
}

u16 minimumOrMaximum(const Type& type, const std::string& form, u16 a, u16 b, bool minimum) {
  auto has = [&](const char* word) { return form.find(word) != std::string::npos; };
  bool xorSign = has(".XORSIGN");
  u16 sign = (a ^ b) & 0x8000;
  APFloat x = type.value(xorSign ? a & 0x7fff : a), y = type.value(xorSign ? b & 0x7fff : b);
  if (has(".FTZ")) {
    x = flushed(x);
    y = flushed(y);
  }
  if (has(".NAN") && (x.isNaN() || y.isNaN())) return 0x7fff;
  auto less = [](const APFloat& a, const APFloat& b) { // -0 is less than +0
    return a.isZero() && b.isZero() ? a.isNegative() && !b.isNegative() : a < b;
  };
  APFloat result = x.isNaN() ? y : y.isNaN() || less(x, y) == minimum ? x : y;
  if (result.isNaN()) return 0x7fff;
  if (xorSign && (result.isNegative() != (sign != 0))) result.changeSign();
  return static_cast<u16>(result.bitcastToAPInt().getZExtValue());
}

TEST(SassHalf, MinimumAndMaximum) {
  auto inputs = pairs(packed(), packed());
  for (const Type& type : kTypes)
    for (const char* form :
         {"", ".NAN", ".XORSIGN", ".NAN.XORSIGN", ".FTZ", ".FTZ.NAN", ".FTZ.NAN.XORSIGN"}) {
      if (*type.word && std::string(form).starts_with(".FTZ")) continue; // not met
      bool xorSign = std::string(form).ends_with("XORSIGN");
      std::string operands = xorSign ? " R20, |R10|, |R11|, !P0" : " R20, R10, R11, !P0";
      checkLanes({"HMNMX2" + std::string(type.word) + form + operands,
                  [&](const LaneInput& in, LaneOutput& out) {
                    auto one = [&](u16 a, u16 b) {
                      return u32{minimumOrMaximum(type, form, a, b, !in.p[0])};
                    };
                    out.r[0] = one(low(in.r[0]), low(in.r[1])) | one(high(in.r[0]), high(in.r[1])) << 16;
                  }},
                 inputs);
    }
}

struct Compare {
  const char* word;
  bool less, equal, greater, unordered;
};
constexpr Compare kCompares[] = {
    {"LT", true, false, false, false}, {"EQ", false, true, false, false},  {"LE", true, true, false, false},
    {"GT", false, false, true, false}, {"NE", true, false, true, false},   {"GE", false, true, true, false},
    {"NUM", true, true, true, false},  {"NAN", false, false, false, true}, {"LTU", true, false, false, true},
    {"EQU", false, true, false, true}, {"LEU", true, true, false, true},   {"GTU", false, false, true, true},
    {"NEU", true, false, true, true},  {"GEU", false, true, true, true}};

bool holds(const Compare& compare, const Type& type, bool ftz, u16 a, u16 b) {
  APFloat x = type.value(a), y = type.value(b);
  if (ftz) {
    x = flushed(x);
    y = flushed(y);
  }
  switch (x.compare(y)) {
  case APFloat::cmpLessThan: return compare.less;
  case APFloat::cmpEqual: return compare.equal;
  case APFloat::cmpGreaterThan: return compare.greater;
  case APFloat::cmpUnordered: break;
  }
  return compare.unordered;
}

bool combined(const std::string& boolOp, bool a, bool b) {
  return boolOp == "AND" ? a && b : boolOp == "OR" ? a || b : a != b;
}

TEST(SassHalf, Comparisons) {
  auto inputs = pairs(packed(), packed());
  for (const Type& type : kTypes)
    for (const Compare& compare : kCompares)
      for (bool ftz : {false, true}) {
        if (ftz && *type.word) continue; // not met
        std::string boolOp = compare.less ? "AND" : compare.equal ? "OR" : "XOR";
        std::string words = std::string(compare.word) + (ftz ? ".FTZ." : ".") + boolOp;
        checkLanes({"HSETP2" + std::string(type.word) + "." + words + " P4, P5, R10, |R11|, !P1",
                    [&](const LaneInput& in, LaneOutput& out) {
                      u32 b = in.r[1] & 0x7fff7fffu;
                      out.p[0] = combined(boolOp, holds(compare, type, ftz, low(in.r[0]), low(b)), !in.p[1]);
                      out.p[1] =
                          combined(boolOp, holds(compare, type, ftz, high(in.r[0]), high(b)), !in.p[1]);
                    }},
                   inputs);
        for (bool one : {false, true})
          checkLanes(
              {"HSET2" + std::string(type.word) + (one ? ".BF." : ".") + words + " R20, R10.H1_H1, R11, P1",
               [&](const LaneInput& in, LaneOutput& out) {
                 u32 yes = one ? type.one : 0xffff;
                 bool l = holds(compare, type, ftz, high(in.r[0]), low(in.r[1]));
                 bool h = holds(compare, type, ftz, high(in.r[0]), high(in.r[1]));
                 out.r[0] = (combined(boolOp, l, in.p[1]) ? yes : 0) |
                            (combined(boolOp, h, in.p[1]) ? yes << 16 : 0);
               }},
              inputs);
      }
}

TEST(SassHalf, MixedWithFloat) {
  struct Direction {
    const char* word;
    Mode mode;
  };
  auto inputs = triples(packed(), kFew,
                        {0, 0x80000000, 0x3f800001, 0xbf7fffff, 0x00000001, 0x7f7fffff, 0xff800000,
                         0x7fc00001, 0x33800000, 0xc7801001});
  for (const Type& type : kTypes)
    for (Direction direction : {Direction{"", kNearest}, Direction{".RM", kDown}, Direction{".RP", kUp},
                                Direction{".RZ", kZero}, Direction{".SAT", kNearest}}) {
      std::string modifiers = (*type.word ? ".BF16" : "") + std::string(direction.word);
      auto wide = [&](u16 bits) { return converted(type.value(bits), APFloat::IEEEsingle()); };
      checkLanes({"FHADD" + modifiers + " R20, -|R10|.H1, -R12",
                  [&](const LaneInput& in, LaneOutput& out) {
                    APFloat x = wide(high(in.r[0]) | 0x8000);
                    x.add(single(in.r[2] ^ 0x80000000u), direction.mode);
                    out.r[0] = modified(x, direction.word);
                  }},
                 inputs);
      checkLanes({"FHFMA" + modifiers + " R20, R10, -R11.H1, R12",
                  [&](const LaneInput& in, LaneOutput& out) {
                    APFloat x = wide(low(in.r[0]));
                    x.fusedMultiplyAdd(wide(high(in.r[1]) ^ 0x8000), single(in.r[2]), direction.mode);
                    out.r[0] = modified(x, direction.word);
                  }},
                 inputs);
    }
}

} // namespace
} // namespace harness::sass::test
