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
      checkLanes({std::string("FFMA") + (ftz ? ".FTZ" : "") + direction.word + " R20, R10, R11, R12",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = finished(multiplyAdd(entered(in.r[0], ftz), entered(in.r[1], ftz),
                                                    entered(in.r[2], ftz), direction.mode),
                                        ftz, false);
                  }},
                 triples(fewFloats(), fewFloats(), fewFloats()));
  checkLanes({"FFMA.SAT R20, R10, R11, R12",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] =
                    saturated(multiplyAdd(single(in.r[0]), single(in.r[1]), single(in.r[2]), kNearest));
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

/// A stand-in, not a model of the hardware: correctly rounded, subnormals flushed on both sides.
TEST(SassFloat, MufuStandIn) {
  auto exact = [](u32 bits, auto f) {
    double x = flushed(single(bits)).convertToFloat();
    return resultBits32(flushed(APFloat(static_cast<float>(f(x)))));
  };
  auto inputs = pairs(floatEdges(), {0});
  checkLanes({"MUFU.RCP R20, R10",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] = exact(in.r[0], [](double x) { return 1 / x; });
              }},
             inputs);
  checkLanes({"MUFU.RCP R20, -|R10|",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] = exact(in.r[0] | 0x80000000, [](double x) { return 1 / x; });
              }},
             inputs);
  checkLanes({"MUFU.RSQ R20, R10",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] = exact(in.r[0], [](double x) { return 1 / std::sqrt(x); });
              }},
             inputs);
  checkLanes({"MUFU.SQRT R20, R10",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] = exact(in.r[0], [](double x) { return std::sqrt(x); });
              }},
             inputs);
  checkLanes(
      {"MUFU.RSQ R20, -QNAN ", [](const LaneInput&, LaneOutput& out) { out.r[0] = 0x7fffffff; }, 0xffc00000},
      inputs);
}

} // namespace
} // namespace harness::sass::test
