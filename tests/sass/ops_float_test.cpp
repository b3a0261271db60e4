// Every f32 opcode and modifier against llvm::APFloat.

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"

#include <bit>
#include <cmath>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u32 = std::uint32_t;

struct Direction {
  const char* word;
  Mode mode;
};
constexpr Direction kDirections[] = {{"", kNearest}, {".RM", kDown}, {".RP", kUp}, {".RZ", kZero}};

u32 saturated(const APFloat& value) {
  if (value.isNaN() || value.isNegative() || value.isZero()) return 0;
  APFloat one(1.0f);
  return resultBits32(value > one ? one : value);
}

/// A result as `.FTZ` and `.SAT` leave it.
u32 finished(const APFloat& value, bool ftz, bool sat) {
  APFloat flush = ftz ? flushed(value) : value;
  return sat ? saturated(flush) : resultBits32(flush);
}

APFloat entered(u32 bits, bool ftz) {
  return ftz ? flushed(single(bits)) : single(bits);
}

template <typename F> void checkBinary(const std::string& opcode, F f) {
  for (const Direction& direction : kDirections)
    for (bool ftz : {false, true})
      for (bool sat : {false, true})
        checkLanes({opcode + (ftz ? ".FTZ" : "") + direction.word + (sat ? ".SAT" : "") + " R20, R10, R11",
                    [=](const LaneInput& in, LaneOutput& out) {
                      out.r[0] =
                          finished(f(entered(in.r[0], ftz), entered(in.r[1], ftz), direction.mode), ftz, sat);
                    }},
                   pairs(floatEdges(), floatEdges()));
}

APFloat add(APFloat a, const APFloat& b, Mode mode) {
  a.add(b, mode);
  return a;
}
APFloat multiply(APFloat a, const APFloat& b, Mode mode) {
  a.multiply(b, mode);
  return a;
}
APFloat multiplyAdd(APFloat a, const APFloat& b, const APFloat& c, Mode mode) {
  a.fusedMultiplyAdd(b, c, mode);
  return a;
}

TEST(SassFloat, Fadd) {
  checkBinary("FADD", add);
}

TEST(SassFloat, Fmul) {
  checkBinary("FMUL", multiply);
}

TEST(SassFloat, Ffma) {
  for (const Direction& direction : kDirections)
    for (bool ftz : {false, true})
      for (bool sat : {false, true})
        checkLanes({std::string("FFMA") + (ftz ? ".FTZ" : "") + direction.word + (sat ? ".SAT" : "") +
                        " R20, R10, R11, R12",
                    [=](const LaneInput& in, LaneOutput& out) {
                      out.r[0] = finished(multiplyAdd(entered(in.r[0], ftz), entered(in.r[1], ftz),
                                                      entered(in.r[2], ftz), direction.mode),
                                          ftz, sat);
                    }},
                   triples(fewFloats(), fewFloats(), fewFloats()));
}

TEST(SassFloat, UniformArithmetic) {
  auto inputs = triples(fewFloats(), {0x3fc00001, 0x80000000, 0x7f800000}, {0x33800000, 0, 0xff800000});
  checkUniform({"UFADD UR20, UR10, -UR11",
                [](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = resultBits32(add(single(in.r[0]), -single(in.r[1]), kNearest));
                },
                0, 120},
               inputs);
  checkUniform({"UFMUL.RZ UR20, UR10, UR11",
                [](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = resultBits32(multiply(single(in.r[0]), single(in.r[1]), kZero));
                },
                0, 120},
               inputs);
  checkUniform({"UFFMA UR20, UR10, UR11, UR12",
                [](const LaneInput& in, LaneOutput& out) {
                  out.r[0] =
                      resultBits32(multiplyAdd(single(in.r[0]), single(in.r[1]), single(in.r[2]), kNearest));
                },
                0, 120},
               inputs);
}

TEST(SassFloat, SignsAndBars) {
  auto inputs = pairs(floatEdges(), floatEdges());
  checkLanes({"FADD R20, -R10, |R11|",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] =
                    resultBits32(add(single(in.r[0] ^ 0x80000000), single(in.r[1] & 0x7fffffff), kNearest));
              }},
             inputs);
  checkLanes({"FMUL R20, -|R10|, R11",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(multiply(single(in.r[0] | 0x80000000), single(in.r[1]), kNearest));
              }},
             inputs);
  checkLanes({"FFMA R20, R10, -R11, -R12",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(multiplyAdd(single(in.r[0]), single(in.r[1] ^ 0x80000000),
                                                    single(in.r[2] ^ 0x80000000), kNearest));
              }},
             inputs);
}

/// -RZ is the float -0, without which these would not be moves.
TEST(SassFloat, MovesThroughAddition) {
  auto inputs = pairs(floatEdges(), {0});
  checkLanes({"FADD R20, -RZ, -R10",
              [](const LaneInput& in, LaneOutput& out) { out.r[0] = resultBits32(-single(in.r[0])); }},
             inputs);
  checkLanes({"FADD R20, -RZ, |R10|",
              [](const LaneInput& in, LaneOutput& out) { out.r[0] = resultBits32(abs(single(in.r[0]))); }},
             inputs);
  checkLanes(
      {"FADD.FTZ R20, -R10, -RZ",
       [](const LaneInput& in, LaneOutput& out) { out.r[0] = resultBits32(flushed(-single(in.r[0]))); }},
      inputs);
  checkLanes({"FFMA R20, R10, R11, -RZ",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(multiply(single(in.r[0]), single(in.r[1]), kNearest));
              }},
             pairs(fewFloats(), fewFloats()));
}

/// The printed text is rounded, or no number at all: the bits come from the encoding.
TEST(SassFloat, NumbersComeFromTheEncoding) {
  auto inputs = pairs(floatEdges(), {0});
  for (const char* text : {"1.84467440737095516160e+19", "0", "-0", "+INF ", "-QNAN ", "1"})
    for (u32 bits : {0x5f800000u, 0x80000000u, 0x00000001u, 0x7f800000u, 0x3f800001u})
      checkLanes({std::string("FFMA R20, R10, ") + text + ", R11",
                  [bits](const LaneInput& in, LaneOutput& out) {
                    out.r[0] =
                        resultBits32(multiplyAdd(single(in.r[0]), single(bits), single(in.r[1]), kNearest));
                  },
                  bits},
                 inputs);
  checkLanes({"FFMA R20, -R10, R10, 1",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] =
                    resultBits32(multiplyAdd(-single(in.r[0]), single(in.r[0]), APFloat(1.0f), kNearest));
              },
              0x3f800000},
             inputs);
}

/// Division of 1 by every edge through FFMA.RM and .RP gives neighbouring results: the modes do not leak.
TEST(SassFloat, RoundingDoesNotLeak) {
  Assembly a;
  a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
  a.lines("MOV R10, 0x3f800000\nMOV R11, 0x33000000"); // 1 and 2^-25
  a.lines(R"(
    FADD.RP R20, R10, R11
    FADD R21, R10, R11
    FADD.RM R22, R10, -R11
    FADD R23, R10, -R11
    STG.E.128 desc[UR4][R4.64], R20
    EXIT)");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out"), (std::vector<u32>{0x3f800001, 0x3f800000, 0x3f7fffff, 0x3f800000}));
}

/// A fault inside the launch must not leave the host in another mode either.
TEST(SassFloat, RoundingIsRestored) {
  Assembly a;
  a.add("FADD.RM R20, R10, c[0x0][0x7000]").add("EXIT");
  EXPECT_EQ(a.run(1).end, ExecutionEnd::Unsupported);
  volatile float one = 1.0f, tiny = 0x1p-25f;
  EXPECT_EQ(one - tiny, 1.0f);
}

// ---- minimum, maximum, select

/// PTX: a NaN loses against a number, two give the canonical one, -0 < +0.
u32 minMax(APFloat a, APFloat b, bool minimum) {
  return resultBits32(minimum ? llvm::minimumnum(a, b) : llvm::maximumnum(a, b));
}

TEST(SassFloat, Fmnmx) {
  for (bool ftz : {false, true}) {
    std::string name = ftz ? "FMNMX.FTZ" : "FMNMX";
    checkLanes({name + " R20, R10, R11, P0",
                [ftz](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = minMax(entered(in.r[0], ftz), entered(in.r[1], ftz), in.p[0]);
                }},
               pairs(floatEdges(), floatEdges()));
    checkLanes({name + " R20, |R10|, -R11, !PT",
                [ftz](const LaneInput& in, LaneOutput& out) {
                  out.r[0] =
                      minMax(entered(in.r[0] & 0x7fffffff, ftz), entered(in.r[1] ^ 0x80000000, ftz), false);
                }},
               pairs(floatEdges(), floatEdges()));
  }
  checkUniform({"UFMNMX UR20, UR10, UR11, UPT",
                [](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = minMax(single(in.r[0]), single(in.r[1]), true);
                },
                0, 120},
               pairs(fewFloats(), fewFloats()));
}

TEST(SassFloat, Fsel) {
  // A move: no NaN becomes canonical.
  checkLanes(
      {"FSEL R20, R10, -R11, P0",
       [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.p[0] ? in.r[0] : in.r[1] ^ 0x80000000; }},
      pairs(floatEdges(), floatEdges()));
  checkLanes({"FSEL R20, R10, +QNAN , !P1",
              [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.p[1] ? 0x7fffffff : in.r[0]; },
              0x7fffffff},
             pairs(floatEdges(), {0}));
  checkUniform({"UFSEL UR20, UR10, UR11, UP0",
                [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.p[0] ? in.r[0] : in.r[1]; }, 0, 120},
               pairs(fewFloats(), fewFloats()));
}

/// Not met in real code; named by its modifier alone.
TEST(SassFloat, FselFtzFlushesTheChosenOneAssumed) {
  checkLanes({"FSEL.FTZ R20, R10, R11, P0",
              [](const LaneInput& in, LaneOutput& out) {
                u32 chosen = in.p[0] ? in.r[0] : in.r[1];
                out.r[0] = single(chosen).isDenormal() ? chosen & 0x80000000 : chosen;
              }},
             pairs(floatEdges(), floatEdges()));
}

// ---- comparison

bool holds(const std::string& compare, const APFloat& a, const APFloat& b) {
  auto relation = a.compare(b);
  bool unordered = relation == APFloat::cmpUnordered;
  if (compare == "NUM") return !unordered;
  if (compare == "NAN") return unordered;
  if (unordered) return compare.ends_with('U');
  std::string ordered = compare.ends_with('U') ? compare.substr(0, 2) : compare;
  bool less = relation == APFloat::cmpLessThan, equal = relation == APFloat::cmpEqual;
  if (ordered == "LT") return less;
  if (ordered == "LE") return less || equal;
  if (ordered == "EQ") return equal;
  if (ordered == "NE") return !equal;
  return ordered == "GE" ? !less : !less && !equal;
}

TEST(SassFloat, Fsetp) {
  for (const std::string compare :
       {"LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU"})
    for (bool ftz : {false, true})
      for (const std::string boolOp : {"AND", "OR", "XOR"})
        checkLanes({"FSETP." + compare + (ftz ? ".FTZ." : ".") + boolOp + " P4, P5, R10, R11, P2",
                    [=](const LaneInput& in, LaneOutput& out) {
                      bool is = holds(compare, entered(in.r[0], ftz), entered(in.r[1], ftz));
                      auto join = [&](bool x) {
                        return boolOp == "AND" ? x && in.p[2] : boolOp == "OR" ? x || in.p[2] : x != in.p[2];
                      };
                      out.p[0] = join(is);
                      out.p[1] = join(!is);
                    }},
                   pairs(floatEdges(), floatEdges()));
  checkLanes({"FSETP.GTU.FTZ.AND P4, PT, |R10|, +INF , PT",
              [](const LaneInput& in, LaneOutput& out) { out.p[0] = single(in.r[0]).isNaN(); }, 0x7f800000},
             pairs(floatEdges(), {0}));
  checkUniform(
      {"UFSETP.GT.AND UP4, UPT, UR10, URZ, UPT",
       [](const LaneInput& in, LaneOutput& out) { out.p[0] = holds("GT", single(in.r[0]), single(0)); }, 0,
       120},
      pairs(floatEdges(), {0}));
}

// ---- division

/// Which operands the hardware sends to the slow path is not known. What must hold: nothing that the fast
/// path cannot do is sent there. It needs a quotient, a reciprocal and a remainder that are all normal.
TEST(SassFloat, FchkSendsTheDifficultToTheSlowPath) {
  auto inputs = pairs(floatEdges(), floatEdges());
  Assembly a;
  std::vector<u32> in;
  for (const LaneInput& input : inputs)
    in.insert(in.end(), input.r.begin(), input.r.begin() + 2);
  a.buffer("in", in).buffer("out", std::vector<u32>(inputs.size()));
  a.lines("S2R R0, SR_CTAID.X").pointer(2, "in").pointer(4, "out");
  a.lines(R"(
    IMAD.WIDE.U32 R2, R0, 0x8, R2
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    LDG.E.64 R8, desc[UR4][R2.64]
    FCHK P0, R8, R9
    SEL R10, RZ, 0x1, !P0
    STG.E desc[UR4][R4.64], R10
    EXIT)");
  Launch launch;
  launch.grid = {static_cast<u32>(inputs.size()), 1, 1};
  ASSERT_EQ(a.run(launch).end, ExecutionEnd::Completed);
  std::vector<u32> slow = a.words("out");
  unsigned fast = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (slow[i]) continue;
    ++fast;
    APFloat x = single(inputs[i].r[0]), y = single(inputs[i].r[1]), quotient = x, reciprocal(1.0f);
    quotient.divide(y, kNearest);
    reciprocal.divide(y, kNearest);
    EXPECT_TRUE(x.isNormal() && y.isNormal() && quotient.isNormal() && reciprocal.isNormal());
    // The remainder's last bit lies 48 bits below x.
    EXPECT_GE(ilogb(x), -126 + 48);
  }
  EXPECT_GT(fast, 100u) << "1.0 / 1.5 is not difficult";
}

/// Division as compilers write it, both ways, comes out correctly rounded.
TEST(SassFloat, DivisionFastPathIsCorrectlyRounded) {
  std::vector<u32> values;
  for (u32 bits : floatEdges())
    if ((bits >> 23 & 0xff) >= 64 && (bits >> 23 & 0xff) <= 190) values.push_back(bits);
  for (u32 i = 0; i < 40; ++i)
    values.push_back(0x3f000000 + i * 0x31415);
  // ptxas: r = rcp(b); e = fma(-b, r, 1); r = fma(r, e, r); q = fma(a, r, 0); f = fma(-b, q, a);
  // q = fma(r, f, q); f = fma(-b, q, a); q = fma(r, f, q)
  Assembly a;
  auto inputs = pairs(values, values);
  std::vector<u32> in;
  for (const LaneInput& input : inputs)
    in.insert(in.end(), input.r.begin(), input.r.begin() + 2);
  a.buffer("in", in).buffer("out", std::vector<u32>(inputs.size()));
  a.lines("S2R R0, SR_CTAID.X").pointer(2, "in").pointer(4, "out");
  a.lines(R"(
    IMAD.WIDE.U32 R2, R0, 0x8, R2
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    LDG.E.64 R8, desc[UR4][R2.64]
    MUFU.RCP R10, R9)");
  a.add("FFMA R11, -R9, R10, 1", 0x3f800000);
  a.lines(R"(
    FFMA R10, R10, R11, R10
    FFMA R12, R8, R10, RZ
    FFMA R13, -R9, R12, R8
    FFMA R12, R10, R13, R12
    FFMA R13, -R9, R12, R8
    FFMA R12, R10, R13, R12
    STG.E desc[UR4][R4.64], R12
    EXIT)");
  Launch launch;
  launch.grid = {static_cast<u32>(inputs.size()), 1, 1};
  ASSERT_EQ(a.run(launch).end, ExecutionEnd::Completed);
  std::vector<u32> out = a.words("out");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    APFloat quotient = single(inputs[i].r[0]);
    quotient.divide(single(inputs[i].r[1]), kNearest);
    EXPECT_EQ(out[i], resultBits32(quotient));
  }
}

// ---- scaled products

/// Rounded once or twice, the product must be the same; such operands are in every list of edges.
TEST(SassFloat, FmulScaled) {
  struct Scale {
    const char* word;
    float factor;
  };
  for (const Scale& scale :
       {Scale{"D2", 0.5f}, {"D4", 0.25f}, {"D8", 0.125f}, {"M2", 2.0f}, {"M4", 4.0f}, {"M8", 8.0f}})
    for (bool ftz : {false, true})
      for (bool sat : {false, true}) {
        auto once = [=](u32 a, u32 b) {
          APFloat product = converted(entered(a, ftz), APFloat::IEEEdouble());
          product.multiply(converted(entered(b, ftz), APFloat::IEEEdouble()), kNearest);
          product.multiply(converted(APFloat(scale.factor), APFloat::IEEEdouble()), kNearest);
          return finished(converted(product, APFloat::IEEEsingle()), ftz, sat);
        };
        auto later = [=](u32 a, u32 b) {
          APFloat product = multiply(entered(a, ftz), entered(b, ftz), kNearest);
          if (ftz) product = flushed(product);
          return finished(multiply(product, APFloat(scale.factor), kNearest), ftz, sat);
        };
        std::vector<LaneInput> settled;
        for (const LaneInput& input : pairs(floatEdges(), floatEdges()))
          if (once(input.r[0], input.r[1]) == later(input.r[0], input.r[1])) settled.push_back(input);
        settled.resize(settled.size() / 32 * 32);
        ASSERT_GT(settled.size(), 3000u);
        checkLanes({std::string("FMUL") + (ftz ? ".FTZ." : ".") + scale.word + (sat ? ".SAT" : "") +
                        " R20, R10, R11",
                    [=](const LaneInput& in, LaneOutput& out) { out.r[0] = once(in.r[0], in.r[1]); }},
                   settled);
      }
}

/// 2^127 × 2, halved: infinite or 2^127? Not settled, so the launch ends; lanes that do not run do not count.
TEST(SassFloat, FmulScaledUnsettledIsRefused) {
  auto end = [](const char* guard) {
    Assembly a;
    a.lines("MOV R10, 0x7f000000\nMOV R11, 0x40000000\nS2R R0, SR_TID.X\nISETP.GT.AND P0, PT, R0, 31, PT");
    a.add(std::string(guard) + "FMUL.D2 R20, R10, R11").add("EXIT");
    return a.run(32).end;
  };
  EXPECT_EQ(end(""), ExecutionEnd::Unsupported);
  EXPECT_EQ(end("@P0 "), ExecutionEnd::Completed);
}

// ---- packed

u32 packedFloat(const std::string& op, u32 a, u32 b, u32 c, bool ftz, Mode mode) {
  APFloat x = entered(a, ftz), y = entered(b, ftz), z = entered(c, ftz);
  return finished(op == "FADD2"   ? add(x, y, mode)
                  : op == "FMUL2" ? multiply(x, y, mode)
                                  : multiplyAdd(x, y, z, mode),
                  ftz, false);
}

TEST(SassFloat, Packed) {
  constexpr u32 kMinus = 0x80000000;
  auto inputs = triples(fewFloats(), fewFloats(), {0x3f800001, 0x80000001, 0x7f7fffff, 0xffc00000});
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (unsigned r = 3; r < 6; ++r)
      inputs[i].r[r] = floatEdges()[(i * 7 + r * 13) % floatEdges().size()];
  for (const std::string op : {"FADD2", "FMUL2", "FFMA2"})
    for (const Direction& direction : kDirections)
      for (bool ftz : {false, true}) {
        std::string name = op + (ftz ? ".FTZ" : "") + direction.word;
        bool three = op == "FFMA2";
        auto check = [&](const std::string& a, const std::string& b, auto first, auto second) {
          checkLanes({name + " R20, " + a + ", " + b + (three ? ", R14.F32x2.HI_LO" : ""),
                      [=](const LaneInput& in, LaneOutput& out) {
                        for (unsigned e = 0; e < 2; ++e)
                          out.r[e] =
                              packedFloat(op, first(in, e), second(in, e), in.r[4 + e], ftz, direction.mode);
                      },
                      0x40400000, 100},
                     inputs);
        };
        auto word = [](unsigned pair, bool swapped, u32 flipLow, u32 flipHigh) {
          return [=](const LaneInput& in, unsigned e) {
            return in.r[pair + (e ^ (swapped ? 1 : 0))] ^ (e ? flipHigh : flipLow);
          };
        };
        check("R10.F32x2.HI_LO", "R12.F32x2.HI_LO", word(0, false, 0, 0), word(2, false, 0, 0));
        check("R10.F32x2.LO_HI", "-R12.F32x2.HI_LO", word(0, true, 0, 0), word(2, false, kMinus, kMinus));
        check("-R10.F32x2.LO_HI.NP", "R12.F32x2.HI_LO.NP", word(0, true, kMinus, 0),
              word(2, false, 0, kMinus));
        check(
            "R11.F32", "-R12.F32", [](const LaneInput& in, unsigned) { return in.r[1]; },
            [](const LaneInput& in, unsigned) { return in.r[2] ^ kMinus; });
        check(
            "|R10|.F32x2.HI_LO", "3", [](const LaneInput& in, unsigned e) { return in.r[e] & ~kMinus; },
            [](const LaneInput&, unsigned) { return 0x40400000; });
        check("R10.F32x2.HI_LO", "-RZ.F32", word(0, false, 0, 0),
              [](const LaneInput&, unsigned) { return kMinus; });
      }
}

// ---- further minima and maxima

TEST(SassFloat, FmnmxNan) {
  for (bool ftz : {false, true})
    checkLanes({std::string("FMNMX") + (ftz ? ".FTZ" : "") + ".NAN R20, R10, |R11|, P0",
                [=](const LaneInput& in, LaneOutput& out) {
                  APFloat a = entered(in.r[0], ftz), b = entered(in.r[1] & 0x7fffffff, ftz);
                  out.r[0] = resultBits32(in.p[0] ? llvm::minimum(a, b) : llvm::maximum(a, b));
                }},
               pairs(floatEdges(), floatEdges()));
}

/// PTX min/max.xorsign.abs.
TEST(SassFloat, FmnmxXorSign) {
  for (bool ftz : {false, true})
    for (bool nan : {false, true})
      checkLanes({std::string("FMNMX") + (ftz ? ".FTZ" : "") + (nan ? ".NAN" : "") +
                      ".XORSIGN R20, |R10|, |R11|, P0",
                  [=](const LaneInput& in, LaneOutput& out) {
                    APFloat a = entered(in.r[0] & 0x7fffffff, ftz), b = entered(in.r[1] & 0x7fffffff, ftz);
                    APFloat best = nan ? (in.p[0] ? llvm::minimum(a, b) : llvm::maximum(a, b))
                                       : (in.p[0] ? llvm::minimumnum(a, b) : llvm::maximumnum(a, b));
                    out.r[0] = resultBits32(best);
                    if (!best.isNaN()) out.r[0] |= (in.r[0] ^ in.r[1]) & 0x80000000;
                  }},
                 pairs(floatEdges(), floatEdges()));
}

TEST(SassFloat, Fmnmx3) {
  for (bool ftz : {false, true})
    for (bool nan : {false, true})
      checkLanes(
          {std::string("FMNMX3") + (ftz ? ".FTZ" : "") + (nan ? ".NAN" : "") + " R20, R10, |R11|, R12, P0",
           [=](const LaneInput& in, LaneOutput& out) {
             APFloat a = entered(in.r[0], ftz), b = entered(in.r[1] & 0x7fffffff, ftz),
                     c = entered(in.r[2], ftz);
             auto pick = [&](const APFloat& x, const APFloat& y) {
               if (nan) return in.p[0] ? llvm::minimum(x, y) : llvm::maximum(x, y);
               return in.p[0] ? llvm::minimumnum(x, y) : llvm::maximumnum(x, y);
             };
             out.r[0] = resultBits32(pick(a, pick(b, c)));
           },
           0, 100},
          triples(fewFloats(), fewFloats(), fewFloats()));
}

TEST(SassFloat, Fset) {
  for (const std::string compare : {"LT", "NE", "GEU", "NUM", "NAN"})
    for (bool ftz : {false, true})
      for (const std::string boolOp : {"AND", "OR", "XOR"})
        checkLanes(
            {"FSET.BF." + compare + (ftz ? ".FTZ." : ".") + boolOp + " R20, R10, -R11, P2",
             [=](const LaneInput& in, LaneOutput& out) {
               bool is = holds(compare, entered(in.r[0], ftz), -entered(in.r[1], ftz));
               bool joined = boolOp == "AND" ? is && in.p[2] : boolOp == "OR" ? is || in.p[2] : is != in.p[2];
               out.r[0] = joined ? 0x3f800000 : 0;
             }},
            pairs(floatEdges(), floatEdges()));
}

// ---- FRND

APFloat integral(APFloat value, Mode mode) {
  value.roundToIntegral(mode);
  return value;
}

constexpr Direction kIntegrals[] = {{"", kNearest}, {".FLOOR", kDown}, {".CEIL", kUp}, {".TRUNC", kZero}};

TEST(SassFloat, Frnd) {
  for (const Direction& direction : kIntegrals)
    for (bool ftz : {false, true})
      checkLanes({std::string("FRND") + (ftz ? ".FTZ" : "") + direction.word + " R20, -R10",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = resultBits32(integral(-entered(in.r[0], ftz), direction.mode));
                  }},
                 pairs(floatEdges(), {0}));
  checkUniform({"UFRND.TRUNC UR20, UR10",
                [](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = resultBits32(integral(single(in.r[0]), kZero));
                },
                0, 120},
               pairs(floatEdges(), {0}));
}

/// Of every half and bfloat16; what stands in the upper half of the source is ignored.
TEST(SassFloat, FrndNarrow) {
  std::vector<LaneInput> all(0x10000);
  for (u32 i = 0; i < all.size(); ++i)
    all[i].r[0] = i | (i * 0x9e37u) << 16;
  for (const Direction& direction : kIntegrals) {
    checkLanes({std::string("FRND.F16") + direction.word + " R20, R10",
                [=](const LaneInput& in, LaneOutput& out) {
                  out.r[0] =
                      resultBits32(integral(half(static_cast<std::uint16_t>(in.r[0])), direction.mode));
                }},
               all);
    checkLanes({std::string("FRND.BF16") + direction.word + " R20, R10",
                [=](const LaneInput& in, LaneOutput& out) {
                  APFloat value(APFloat::BFloat(), llvm::APInt(16, in.r[0] & 0xffff));
                  out.r[0] = resultBits32(integral(value, direction.mode));
                }},
               all);
  }
}

TEST(SassFloat, FrndDouble) {
  std::vector<std::uint64_t> values = {0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000000123,
                                       0xfff8000000000123, 0x8000000000000000, 0x0000000000000001};
  for (double value : {0.5, -0.5, 1.5, -1.5, 2.5, 0.49999999999999994, 4503599627370495.5, 1e300})
    values.push_back(std::bit_cast<std::uint64_t>(value));
  for (const Direction& direction : kIntegrals)
    checkLanes({std::string("FRND.F64") + direction.word + " R20, R10",
                [=](const LaneInput& in, LaneOutput& out) {
                  APFloat value = twice(in.pair(0));
                  out.pair(value.isNaN() ? in.pair(0) | std::uint64_t{1} << 51 // payload kept [assumed]
                                         : integral(value, direction.mode).bitcastToAPInt().getZExtValue());
                }},
               widePairs(values));
}

} // namespace
} // namespace harness::sass::test
