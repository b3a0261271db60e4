// MUFU: the stand-ins are correctly rounded, special values are exact, and a seed moves the rest by an ulp.

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <set>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u32 = std::uint32_t;

constexpr u32 kNan = 0x7fffffff, kInfinity = 0x7f800000, kSign = 0x80000000;

float asFloat(u32 bits) {
  return std::bit_cast<float>(bits);
}

/// Normal numbers of every exponent and sign, mantissas scattered.
std::vector<u32> manyFloats() {
  std::vector<u32> values = floatEdges();
  for (u32 i = 0; i < 2000; ++i)
    values.push_back(i * 0x9e3779b1u);
  return values;
}

struct Outcome {
  std::vector<u32> out;
  std::uint64_t approximations = 0;
};

/// `instruction` R10 → R12 on every value, a lane each.
Outcome runOn(const std::string& instruction, std::vector<u32> values, std::uint64_t seed = 0) {
  values.resize((values.size() + 31) / 32 * 32, values.back());
  Assembly a;
  a.buffer("in", values).buffer("out", std::vector<u32>(values.size()));
  a.lines("S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD R0, R1, 0x20, R0").pointer(2, "in").pointer(4, "out");
  a.lines("IMAD.WIDE.U32 R2, R0, 0x4, R2\nIMAD.WIDE.U32 R4, R0, 0x4, R4\nLDG.E R10, desc[UR4][R2.64]");
  a.add(instruction).lines("STG.E desc[UR4][R4.64], R12\nEXIT");
  Launch launch;
  launch.block = {32, 1, 1};
  launch.grid = {static_cast<u32>(values.size() / 32), 1, 1};
  ExecutionOptions options;
  options.approximationSeed = seed;
  ExecutionResult result = a.run(launch, options);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  return {a.words("out"), result.approximations};
}

/// Every result lies within half an ulp of `f`, which is computed by another formula in long double; what is
/// subnormal before or after is zero.
template <typename F> void checkRounded(const std::string& name, const std::vector<u32>& values, F f) {
  Outcome run = runOn("MUFU." + name + " R12, R10", values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    u32 x = resultBits32(flushed(single(values[i])));
    long double exact = f(static_cast<long double>(asFloat(x)));
    u32 got = run.out[i];
    if (std::isnan(exact)) {
      EXPECT_EQ(got, kNan) << name << std::hex << " of " << values[i];
    } else if (!std::isfinite(static_cast<float>(exact)) || std::fabs(exact) < 0x0.fffffffp-126L) {
      EXPECT_EQ(got, resultBits32(flushed(APFloat(static_cast<float>(exact)))))
          << name << std::hex << " of " << values[i];
    } else {
      long double ulp = std::ldexp(1.0L, std::max(std::ilogb(exact), -126) - 23);
      EXPECT_LE(std::fabs(static_cast<long double>(asFloat(got)) - exact), ulp * 0.500001L)
          << name << std::hex << " of " << values[i] << ": " << got;
    }
  }
}

TEST(SassMufu, Reciprocal) {
  for (const char* form : {"MUFU.RCP R20, R10", "MUFU.RCP R20, -|R10|"})
    checkLanes({form,
                [=](const LaneInput& in, LaneOutput& out) {
                  u32 bits = std::string_view(form).ends_with('|') ? in.r[0] | kSign : in.r[0];
                  APFloat one(1.0f);
                  one.divide(flushed(single(bits)), kNearest);
                  out.r[0] = resultBits32(flushed(one));
                }},
               pairs(manyFloats(), {0}));
}

TEST(SassMufu, Roots) {
  checkLanes({"MUFU.SQRT R20, R10",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(APFloat(std::sqrt(asFloat(resultBits32(flushed(single(in.r[0])))))));
              }},
             pairs(manyFloats(), {0}));
  checkRounded("RSQ", manyFloats(),
               [](long double x) { return x == 0 || std::isinf(x) ? 1 / std::sqrt(x) : std::sqrt(x) / x; });
  // The middle between two floats is 2^-49 away: 3f16209f is what a sequence without care gives.
  EXPECT_EQ(runOn("MUFU.RSQ R12, R10", {0x403a18e3}).out[0], 0x3f16209eu);
}

TEST(SassMufu, ExponentialAndLogarithm) {
  std::vector<u32> values = manyFloats();
  for (int i = -1280; i <= 1290; ++i)
    values.push_back(std::bit_cast<u32>(static_cast<float>(i) * 0.1f));
  checkRounded("EX2", values, [](long double x) { return std::exp(x * std::numbers::ln2_v<long double>); });
  checkRounded("LG2", values, [](long double x) {
    // Near 1 the sum of the series' argument keeps what the quotient loses.
    return std::fabs(x - 1) < 0.25L ? std::log1p(x - 1) / std::numbers::ln2_v<long double>
                                    : std::log(x) / std::numbers::ln2_v<long double>;
  });
}

/// In turns: sin(2πx).
TEST(SassMufu, SineAndCosine) {
  std::vector<u32> values;
  for (int i = -400; i <= 400; ++i)
    values.push_back(std::bit_cast<u32>(static_cast<float>(i) * 0.0123f));
  for (u32 bits : {0x33800000u, 0x00800000u, 0x3f7fffffu, 0x3f000001u, 0x3e7fffffu, 0xbe800001u})
    values.push_back(bits);
  constexpr long double kTurn = 2 * std::numbers::pi_v<long double>;
  checkRounded("SIN", values, [=](long double x) {
    long double part = x - std::round(2 * x) / 2, sign = std::fmod(std::round(2 * x), 2.0L) == 0 ? 1 : -1;
    return sign * std::sin(kTurn * part);
  });
  checkRounded("COS", values, [=](long double x) {
    long double shifted = std::fabs(x), half = std::floor(2 * shifted); // cos(2πx) = ∓sin(2π(x - ¼ - …))
    long double part = shifted - half / 2 - 0.25L, sign = std::fmod(half, 2.0L) == 0 ? -1 : 1;
    return sign * std::sin(kTurn * part);
  });
  Outcome sine = runOn("MUFU.SIN R12, R10", {0, kSign, 0x3e800000, 0x3f400000, kInfinity, 0x7fc00000});
  EXPECT_EQ(std::vector(sine.out.begin(), sine.out.begin() + 6),
            (std::vector<u32>{0, kSign, 0x3f800000, 0xbf800000, kNan, kNan}));
  Outcome cosine = runOn("MUFU.COS R12, R10", {0, kSign, 0x3f000000, 0x3f800000, kInfinity, 0x4b800001});
  EXPECT_EQ(std::vector(cosine.out.begin(), cosine.out.begin() + 6),
            (std::vector<u32>{0x3f800000, 0x3f800000, 0xbf800000, 0x3f800000, kNan, 0x3f800000}));
  EXPECT_EQ(sine.approximations + cosine.approximations, 0u);
}

/// PTX ISA: a subnormal is its own tangent.
TEST(SassMufu, Tangent) {
  std::vector<u32> values;
  for (int i = -300; i <= 300; ++i)
    values.push_back(std::bit_cast<u32>(static_cast<float>(i) * 0.0371f));
  checkRounded("TANH", values, [](long double x) {
    long double twice = std::expm1(2 * x);
    return twice / (twice + 2);
  });
  Outcome run = runOn("MUFU.TANH R12, R10", {1, 0x807fffff, 0, kSign, kInfinity, 0xff800000, 0x7fc00000});
  EXPECT_EQ(std::vector(run.out.begin(), run.out.begin() + 7),
            (std::vector<u32>{1, 0x807fffff, 0, kSign, 0x3f800000, 0xbf800000, kNan}));
}

/// PTX ISA, rcp and rsqrt.approx.ftz.f64; the results are rounded to their upper words.
TEST(SassMufu, UpperWords) {
  std::vector<u32> values = {0,          kSign,      1,          0x800fffff, 0x00100000, 0x3ff00000,
                             0xbff80000, 0x40080000, 0x40100000, 0x7fe00000, 0x7fd00001, 0x7ff00000,
                             0xfff00000, 0x7ff80000, 0xfff00001, 0x3fefffff, 0x3ff00001, 0x3ff55555};
  for (u32 i = 0; i < 500; ++i)
    values.push_back(i * 0x9e3779b1u);
  auto check = [&values](const char* name, auto f) {
    Outcome run = runOn(std::string("MUFU.") + name + " R12, R10", values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      u32 x = values[i];
      bool subnormal = (x & 0x7ff00000) == 0;
      auto value = std::bit_cast<double>(std::uint64_t{subnormal ? x & kSign : x} << 32);
      long double exact = f(static_cast<long double>(value));
      if (std::isnan(exact)) {
        EXPECT_EQ(run.out[i], kNan) << name << std::hex << " of " << x;
      } else if (std::isinf(exact) || std::fabs(exact) < 0x1p-1022L) {
        u32 sign = std::signbit(exact) ? kSign : 0;
        EXPECT_EQ(run.out[i], std::isinf(exact) ? sign | 0x7ff00000 : sign)
            << name << std::hex << " of " << x;
      } else {
        auto got = std::bit_cast<double>(std::uint64_t{run.out[i]} << 32);
        EXPECT_LE(std::fabs(got - exact), std::ldexp(0.500001L, std::ilogb(exact) - 20))
            << name << std::hex << " of " << x;
      }
    }
  };
  check("RCP64H", [](long double x) { return 1 / x; });
  check("RSQ64H", [](long double x) { return 1 / std::sqrt(x); });
}

/// Every half and bfloat16, from both halves of the register.
TEST(SassMufu, NarrowFormats) {
  struct Format {
    const char* name;
    const llvm::fltSemantics& semantics;
    bool flushes;
  };
  for (const Format& format : {Format{"F16", APFloat::IEEEhalf(), false}, {"BF16", APFloat::BFloat(), true}})
    for (bool upper : {false, true})
      for (bool tangent : {false, true}) {
        std::vector<u32> values(0x10000);
        for (u32 i = 0; i < values.size(); ++i)
          values[i] = upper ? i << 16 | 0xbeef : i | 0xbeef0000;
        Outcome run = runOn(std::string("MUFU.") + (tangent ? "TANH." : "EX2.") + format.name + " R12, R10" +
                                (upper ? ".H1" : ""),
                            values);
        for (u32 i = 0; i < values.size(); ++i) {
          APFloat x(format.semantics, llvm::APInt(16, i));
          u32 want = 0;
          if (x.isDenormal() && tangent) {
            want = i;
          } else {
            if (format.flushes) x = flushed(x);
            double value = x.convertToDouble();
            APFloat y = converted(APFloat(tangent ? std::tanh(value) : std::exp2(value)), format.semantics);
            want = resultBits32(format.flushes ? flushed(y) : y);
          }
          ASSERT_EQ(run.out[i], want) << format.name << std::hex << " " << i;
        }
      }
}

// ---- perturbation

const char* const kFunctions[] = {"RCP", "RSQ", "SQRT", "EX2",    "LG2",
                                  "SIN", "COS", "TANH", "RCP64H", "RSQ64H"};

TEST(SassMufu, SeedMovesByAnUlp) {
  std::vector<u32> values;
  for (u32 i = 0; i < 640; ++i)
    values.push_back(0x3e812345 + i * 0x5431);
  for (std::string name : kFunctions) {
    std::string text = "MUFU." + name + " R12, R10";
    Outcome still = runOn(text, values);
    EXPECT_GT(still.approximations, 600u) << name;
    std::set<int> steps;
    for (std::uint64_t seed : {1, 2, 3}) {
      Outcome moved = runOn(text, values, seed);
      EXPECT_EQ(moved.approximations, still.approximations) << name;
      EXPECT_EQ(moved.out, runOn(text, values, seed).out) << name;
      EXPECT_NE(moved.out, still.out) << name;
      EXPECT_NE(moved.out, runOn(text, values, seed + 1).out) << name;
      for (std::size_t i = 0; i < values.size(); ++i)
        steps.insert(static_cast<int>(moved.out[i] - still.out[i]));
    }
    EXPECT_EQ(steps, (std::set<int>{-1, 0, 1})) << name;
  }
}

/// The same value in every lane, twice: the step depends on where and when.
TEST(SassMufu, StepDependsOnLaneAndTime) {
  std::vector<u32> out = runOn("MUFU.RCP R12, R10", std::vector<u32>(64, 0x40400000), 7).out;
  EXPECT_EQ(std::set<u32>(out.begin(), out.end()), (std::set<u32>{0x3eaaaaaa, 0x3eaaaaab, 0x3eaaaaac}));
  EXPECT_NE(std::vector(out.begin(), out.begin() + 32), std::vector(out.begin() + 32, out.end()));
}

TEST(SassMufu, ExactStaysExact) {
  const std::vector<u32> special = {0, kSign, 1, 0x807fffff, kInfinity, 0xff800000, 0x7fc00000, 0xff812345};
  const std::vector<u32> specialUpper = {0,          kSign,      1,          0x800fffff, 0x7ff00000,
                                         0xfff00000, 0x7ff80000, 0xfff00001, 0x40000000, 0xbff00000};
  std::vector<u32> powers, squares, integers;
  for (u32 exponent = 2; exponent < 253; ++exponent) {
    powers.push_back(exponent << 23);
    if (exponent % 2) squares.push_back(exponent << 23);
  }
  for (int i = -200; i <= 200; ++i)
    integers.push_back(std::bit_cast<u32>(static_cast<float>(i)));
  for (std::string name : kFunctions) {
    std::vector<u32> values = name.ends_with("64H") ? specialUpper : special;
    if (name == "RSQ64H") values[8] = 0x40100000;
    auto add = [&values](const std::vector<u32>& more) {
      values.insert(values.end(), more.begin(), more.end());
    };
    if (name == "RCP" || name == "LG2") add(powers);
    if (name == "RSQ" || name == "SQRT") add(squares);
    if (name == "EX2" || name == "SIN" || name == "COS") add(integers);
    std::string text = "MUFU." + name + " R12, R10";
    Outcome still = runOn(text, values);
    EXPECT_EQ(still.approximations, 0u) << name;
    for (std::uint64_t seed : {1, 2, 3, 4})
      EXPECT_EQ(runOn(text, values, seed).out, still.out) << name;
  }
}

/// Lanes that do not run are not counted.
TEST(SassMufu, CountsRunningLanes) {
  Assembly a;
  a.lines("S2R R0, SR_TID.X\nMOV R10, 0x40400000\nISETP.LT.AND P0, PT, R0, 0x5, PT");
  a.lines("@P0 MUFU.RCP R12, R10\nMUFU.RCP R12, R10\nMUFU.RCP R12, RZ\nEXIT");
  EXPECT_EQ(a.run(20).approximations, 25u);
}

} // namespace
} // namespace harness::sass::test
