// Conversions against llvm::APFloat.

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"
#include <llvm/Support/FormatVariadic.h>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Direction {
  const char* word;
  Mode mode;
};
constexpr Direction kDirections[] = {{"", kNearest}, {".RM", kDown}, {".RP", kUp}, {".RZ", kZero}};
constexpr Direction kIntegral[] = {{"", kNearest}, {".FLOOR", kDown}, {".CEIL", kUp}, {".TRUNC", kZero}};

/// f32 values around what a half can hold, beside the edges.
std::vector<u32> floats() {
  std::vector<u32> values = floatEdges();
  for (u32 exponent :
       {0x33000000u, 0x33800000u, 0x38000000u, 0x38800000u, 0x3f800000u, 0x477fe000u, 0x47800000u})
    for (u32 mantissa :
         {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x2000u, 0x3000u, 0x3001u, 0x400000u, 0x7fffffu})
      for (u32 sign : {0u, 0x80000000u})
        values.push_back(sign | (exponent + mantissa));
  return values;
}

struct FloatFormat {
  const char* word;
  const llvm::fltSemantics& (*semantics)();
};
constexpr FloatFormat kHalfFormats[] = {{"F16", APFloat::IEEEhalf}, {"BF16", APFloat::BFloat}};

APFloat halfOf(const FloatFormat& format, u32 bits) {
  return {format.semantics(), llvm::APInt(16, bits & 0xffff)};
}

/// Some of all halves, and edges; the other half must not matter.
std::vector<u32> halves() {
  std::vector<u32> values;
  for (u32 bits = 0; bits < 0x10000; bits += 37)
    values.push_back(bits | (bits * 0x9e37u & 0xffffu) << 16);
  for (u32 bits : {0x0001u, 0x007fu, 0x0080u, 0x7c00u, 0xfc00u, 0x7e00u, 0x3800u, 0x3e00u, 0x5bf8u, 0x5bfcu,
                   0x5c00u, 0x7f80u, 0xff80u, 0x7f7fu, 0x4f00u, 0xcf00u})
    values.push_back(bits | 0x7c010000u);
  return values;
}

/// The upper half of the register is zero: ptxas -O3 stores all of it for a half extended to 32 bits.
TEST(SassConvert, FloatToHalf) {
  for (const FloatFormat& to : kHalfFormats)
    for (const Direction& direction : kDirections) {
      std::string name = std::string("F2F.") + to.word + ".F32" + direction.word;
      auto model = [=](const LaneInput& in, LaneOutput& out) {
        out.r[0] = resultBits32(converted(single(in.r[0]), to.semantics(), direction.mode));
      };
      checkLanes({name + " R20, R10", model}, pairs(floats(), {0}));
      checkLanes({name + " R20, -|R10|",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] =
                        resultBits32(converted(single(in.r[0] | 0x80000000), to.semantics(), direction.mode));
                  }},
                 pairs(floats(), {0}));
    }
  checkLanes({"F2F.FTZ.BF16.F32.RP R20, R10",
              [](const LaneInput& in, LaneOutput& out) {
                out.r[0] = resultBits32(converted(flushed(single(in.r[0])), APFloat::BFloat(), kUp));
              }},
             pairs(floats(), {0}));
}

TEST(SassConvert, DoubleToFloat) {
  constexpr FloatFormat kFormats[] = {
      {"F16", APFloat::IEEEhalf}, {"BF16", APFloat::BFloat}, {"F32", APFloat::IEEEsingle}};
  std::vector<u64> values;
  for (const FloatFormat& format : kFormats)
    for (u32 bits : floats()) {
      // Numbers of the format, middles of two, and their neighbours.
      APFloat here = converted(converted(single(bits), format.semantics()), APFloat::IEEEdouble());
      if (!here.isFiniteNonZero()) continue;
      unsigned precision = APFloat::semanticsPrecision(format.semantics());
      u64 number = here.bitcastToAPInt().getZExtValue(), middle = u64{1} << (52 - precision);
      for (u64 x :
           {number, number + 1, number - 1, number + middle, number + middle + 1, number + middle - 1})
        values.push_back(x);
    }
  for (u64 x : wideEdges())
    values.push_back(x);
  std::vector<LaneInput> inputs;
  for (u64 x : values)
    inputs.push_back({{static_cast<u32>(x), static_cast<u32>(x >> 32)}, {}});
  for (const FloatFormat& to : kFormats)
    for (const Direction& direction : kDirections)
      checkLanes({std::string("F2F.") + to.word + ".F64" + direction.word + " R20, -R10",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = resultBits32(converted(-twice(in.pair(0)), to.semantics(), direction.mode));
                  }},
                 inputs);
}

/// A NaN keeps its sign and payload, as on a CPU; whether it does so on a GPU is not settled, so only its
/// being one is looked at.
TEST(SassConvert, ToDoubleIsExact) {
  auto model = [](const APFloat& value, LaneOutput& out) {
    out.pair(resultBits(converted(value, APFloat::IEEEdouble())));
  };
  auto numbers = [](std::vector<u32> values, auto isNan) {
    std::erase_if(values, isNan);
    return pairs(values, {0});
  };
  checkLanes({"F2F.F64.F32 R20, |R10|",
              [=](const LaneInput& in, LaneOutput& out) { model(abs(single(in.r[0])), out); }},
             numbers(floats(), [](u32 x) { return single(x).isNaN(); }));
  for (const FloatFormat& from : kHalfFormats)
    for (unsigned part : {0u, 1u})
      checkLanes(
          {std::string("F2F.F64.") + from.word + (part ? " R20, R10.H1" : " R20, R10"),
           [=](const LaneInput& in, LaneOutput& out) { model(halfOf(from, in.r[0] >> 16 * part), out); }},
          numbers(halves(), [=](u32 x) { return halfOf(from, x >> 16 * part).isNaN(); }));
}

TEST(SassConvert, HalfToOtherHalf) {
  for (const Direction& direction : kDirections) {
    checkLanes({std::string("F2F.F16.BF16") + direction.word + " R20, R10",
                [=](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = resultBits32(
                      converted(halfOf(kHalfFormats[1], in.r[0]), APFloat::IEEEhalf(), direction.mode));
                }},
               pairs(halves(), {0}));
    checkLanes({std::string("F2F.BF16.F16") + direction.word + " R20, R10",
                [=](const LaneInput& in, LaneOutput& out) {
                  out.r[0] = resultBits32(
                      converted(halfOf(kHalfFormats[0], in.r[0]), APFloat::BFloat(), direction.mode));
                }},
               pairs(halves(), {0}));
  }
  checkLanes({"F2F.FTZ.F32.BF16 R20, R10",
              [=](const LaneInput& in, LaneOutput& out) {
                out.r[0] =
                    resultBits32(flushed(converted(halfOf(kHalfFormats[1], in.r[0]), APFloat::IEEEsingle())));
              }},
             pairs(halves(), {0}));
}

// ---- float to integer

struct IntegerType {
  const char* word;
  unsigned bits;
  bool isSigned;
};
constexpr IntegerType kTypes[] = {{"", 32, true},     {".S32", 32, true},  {".U32", 32, false},
                                  {".U8", 8, false},  {".U16", 16, false}, {".U64", 64, false},
                                  {".S64", 64, true}, {".S8", 8, true},    {".S16", 16, true}};

/// NTZ: 0; without: 1 << (bits-1) (PTX ISA, cvt; agrees with __double2ll_rz on x86). The bits above a narrow
/// result of an f64 are not settled: ptxas masks them.
u64 nanOf(const IntegerType& type, bool ntz) {
  u64 top = u64{1} << (type.bits - 1);
  return ntz ? 0 : type.isSigned ? 0 - top : top;
}

void put(LaneOutput& out, u64 value, unsigned bits) {
  if (bits == 64)
    out.pair(value);
  else
    out.r[0] = static_cast<u32>(value);
}

TEST(SassConvert, FloatToInteger) {
  for (const IntegerType& type : kTypes)
    for (const Direction& direction : kIntegral)
      for (bool ftz : {false, true})
        for (bool ntz : {false, true}) {
          if (!ntz && type.isSigned && type.bits < 32) continue; // refused

          checkLanes({std::string("F2I") + (ftz ? ".FTZ" : "") + type.word + direction.word +
                          (ntz ? ".NTZ" : "") + " R20, R10",
                      [=](const LaneInput& in, LaneOutput& out) {
                        APFloat x = ftz ? flushed(single(in.r[0])) : single(in.r[0]);
                        put(out, toInteger(x, type.bits, type.isSigned, direction.mode, nanOf(type, ntz)),
                            type.bits);
                      }},
                     pairs(floats(), {0}));
        }
}

TEST(SassConvert, HalfToInteger) {
  for (const FloatFormat& from : kHalfFormats)
    for (const IntegerType& type : kTypes)
      for (const Direction& direction : kIntegral)
        for (unsigned part : {0u, 1u})
          checkLanes({std::string("F2I") + type.word + "." + from.word + direction.word +
                          (type.bits < 64 ? ".NTZ" : "") + (part ? " R20, R10.H1" : " R20, R10"),
                      [=](const LaneInput& in, LaneOutput& out) {
                        put(out,
                            toInteger(halfOf(from, in.r[0] >> 16 * part), type.bits, type.isSigned,
                                      direction.mode, nanOf(type, type.bits < 64)),
                            type.bits);
                      }},
                     pairs(halves(), {0}));
}

/// The byte store of the first report: trunc of a half's value, saturated to a byte. The bits above the byte
/// are not settled: ptxas masks them, so no right code rests on them.
TEST(SassConvert, HalfToByte) {
  Assembly a;
  a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
  for (unsigned i = 0; i < 4; ++i) {
    const u32 kValues[] = {0x250e, 0x3e00, 0x5cb0, 0x7e00}; // 0.0197, 1.5, 300, NaN
    a.add(llvm::formatv("MOV R10, {0:x}", kValues[i])).add("F2I.U8.F16.TRUNC.NTZ R11, R10");
    a.add("STG.E " + a.at(4, i * 4) + ", R11");
  }
  a.add("EXIT");
  ASSERT_EQ(a.run(1).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("out"), (std::vector<u32>{0, 1, 255, 0}));
}

std::vector<u64> doubles() {
  std::vector<u64> values = {
      0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
      0x0010000000000000, 0x3fdfffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000, 0x3fe0000000000001,
      0x3ff0000000000000, 0x3ff8000000000000, 0xbff8000000000000, 0x4004000000000000, 0x406fe00000000000,
      0x406ff00000000000, 0x40efffe000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
      0xc1e0000000000000, 0xc1e0000000200000, 0xc1e0000000100000, 0x41efffffffe00000, 0x41effffffff00000,
      0x41f0000000000000, 0x4330000000000001, 0x433fffffffffffff, 0x43dfffffffffffff, 0x43e0000000000000,
      0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff, 0x43f0000000000000, 0x7fefffffffffffff,
      0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff0000000000001};
  return values;
}

TEST(SassConvert, DoubleToInteger) {
  for (const IntegerType& type : kTypes)
    for (const Direction& direction : kIntegral)
      for (bool ntz : {false, true}) {
        checkLanes(
            {std::string("F2I") + type.word + ".F64" + direction.word + (ntz ? ".NTZ" : "") + " R20, -R10",
             [=](const LaneInput& in, LaneOutput& out) {
               put(out,
                   toInteger(-twice(in.pair(0)), type.bits, type.isSigned, direction.mode, nanOf(type, ntz)),
                   type.bits);
             }},
            widePairs(doubles()));
      }
}

// ---- integer to float

u32 fromInteger(u64 bits, unsigned width, bool isSigned, Mode mode) {
  APFloat value(APFloat::IEEEsingle());
  value.convertFromAPInt(llvm::APInt(width, bits), isSigned, mode);
  return resultBits32(value);
}

std::vector<u32> integers() {
  std::vector<u32> values = integerEdges();
  for (u32 x : {0x1000000u, 0x1000001u, 0x1000002u, 0x1000003u, 0x2000001u, 0x2000002u, 0x2000003u,
                0x7fffffbfu, 0x7fffffc0u, 0x7fffffc1u, 0xffffff7fu, 0xffffff80u, 0xffffff81u}) {
    values.push_back(x);
    values.push_back(0 - x);
  }
  return values;
}

TEST(SassConvert, IntegerToFloat) {
  for (const Direction& direction : kDirections) {
    for (bool isSigned : {true, false}) {
      auto model = [=](const LaneInput& in, LaneOutput& out) {
        out.r[0] = fromInteger(in.r[0], 32, isSigned, direction.mode);
      };
      std::string type = isSigned ? "" : ".U32";
      checkLanes({"I2F" + type + direction.word + " R20, R10", model}, pairs(integers(), {0}));
      std::string explicitType = isSigned ? ".S32" : ".U32";
      checkLanes({"I2FP.F32" + explicitType + direction.word + " R20, R10", model}, pairs(integers(), {0}));
      checkUniform({"UI2F" + type + direction.word + " UR20, UR10", model, 0, 120}, pairs(integers(), {0}));
      checkUniform({"UI2FP.F32" + explicitType + direction.word + " UR20, UR10", model, 0, 120},
                   pairs(integers(), {0}));
      std::vector<u64> wide = wideEdges();
      for (u64 x :
           {0x1000001ull, 0x8000008000000000ull, 0x8000008000000001ull, 0xffffff8000000000ull,
            0xffffff7fffffffffull, 0x7fffffc000000000ull, 0x4000004000000001ull, 0x4000003fffffffffull}) {
        wide.push_back(x);
        wide.push_back(0 - x);
      }
      checkLanes({std::string("I2F") + (isSigned ? ".S64" : ".U64") + direction.word + " R20, R10",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = fromInteger(in.pair(0), 64, isSigned, direction.mode);
                  }},
                 widePairs(wide));
    }
  }
}

/// Parts of a register; the other bits must not matter.
TEST(SassConvert, NarrowIntegerToFloat) {
  struct Target {
    const char* word;
    const llvm::fltSemantics& (*semantics)();
  };
  constexpr Target kTargets[] = {{"", APFloat::IEEEsingle},
                                 {".F16", APFloat::IEEEhalf},
                                 {".BF16", APFloat::BFloat},
                                 {".F64", APFloat::IEEEdouble}};
  struct Part {
    const char* type;
    unsigned bits;
    bool isSigned;
    std::vector<const char*> names;
  };
  const Part kParts[] = {{".U8", 8, false, {"", ".B0", ".B1", ".B2", ".B3"}},
                         {".S8", 8, true, {"", ".B0", ".B1", ".B2", ".B3"}},
                         {".U16", 16, false, {"", ".H0", ".H1"}},
                         {".S16", 16, true, {"", ".H0", ".H1"}}};
  std::vector<u32> values = integers();
  for (u32 byte = 0; byte < 256; ++byte)
    values.push_back(byte | (byte * 7 & 0xff) << 8 | (byte * 13 & 0xff) << 16 | (255 - byte) << 24);
  for (const Target& to : kTargets)
    for (const Part& part : kParts)
      for (std::size_t place = 0; place < part.names.size(); ++place)
        for (const Direction& direction : kDirections) {
          unsigned shift = place ? static_cast<unsigned>(place - 1) * part.bits : 0;
          checkLanes(
              {std::string("I2F") + to.word + part.type + direction.word + " R20, R10" + part.names[place],
               [=](const LaneInput& in, LaneOutput& out) {
                 u64 bits = in.r[0] >> shift & ((1u << part.bits) - 1);
                 APFloat value(to.semantics());
                 value.convertFromAPInt(llvm::APInt(part.bits, bits), part.isSigned, direction.mode);
                 put(out, resultBits(value), APFloat::semanticsSizeInBits(to.semantics()));
               }},
              pairs(values, {0}));
        }
}

TEST(SassConvert, IntegerToHalfAndDouble) {
  struct Target {
    const char* word;
    const llvm::fltSemantics& (*semantics)();
  };
  std::vector<u64> values = wideEdges();
  for (u64 x :
       {0x1000001ull, 0x20000000000001ull, 0x20000000000003ull, 0x8000000000000400ull, 0x8000000000000401ull,
        2049ull, 2051ull, 65519ull, 65520ull, 257ull, 259ull, 0x8080000000000000ull, 0x8080000000000001ull}) {
    values.push_back(x);
    values.push_back(0 - x);
  }
  for (const Target& to : {Target{".F16", APFloat::IEEEhalf}, Target{".BF16", APFloat::BFloat},
                           Target{".F64", APFloat::IEEEdouble}})
    for (const IntegerType& from : {kTypes[0], kTypes[2], kTypes[5], kTypes[6]})
      for (const Direction& direction : kDirections) {
        auto model = [=](const LaneInput& in, LaneOutput& out) {
          APFloat value(to.semantics());
          u64 bits = from.bits == 64 ? in.pair(0) : in.r[0];
          value.convertFromAPInt(llvm::APInt(from.bits, bits), from.isSigned, direction.mode);
          put(out, resultBits(value), APFloat::semanticsSizeInBits(to.semantics()));
        };
        std::string text = std::string("I2F") + to.word + from.word + direction.word;
        checkLanes({text + " R20, R10", model}, widePairs(values));
        checkUniform({"U" + text + " UR20, UR10", model, 0, 120}, widePairs(wideEdges()));
      }
}

/// Integer division by reciprocal, as ptxas writes it for u32: right for every pair, and right too where the
/// reciprocal is off by one unit in the last place.
TEST(SassConvert, UnsignedDivision) {
  std::vector<u32> values = integerEdges();
  for (u32 i = 0; i < 20; ++i)
    values.push_back(i * 0x9e3779b9u);
  std::vector<LaneInput> inputs;
  for (const LaneInput& input : pairs(values, values))
    if (input.r[1]) inputs.push_back(input);
  std::vector<u32> in;
  for (const LaneInput& input : inputs)
    in.insert(in.end(), input.r.begin(), input.r.begin() + 2);
  for (int ulp : {-1, 0, 1}) {
    Assembly a;
    a.buffer("in", in).buffer("out", std::vector<u32>(inputs.size()));
    a.lines("S2R R0, SR_CTAID.X").pointer(2, "in").pointer(4, "out");
    a.lines(R"(
      IMAD.WIDE.U32 R2, R0, 0x8, R2
      IMAD.WIDE.U32 R4, R0, 0x4, R4
      LDG.E.64 R8, desc[UR4][R2.64]
      I2F.U32.RP R10, R9
      ISETP.NE.U32.AND P2, PT, R9, RZ, PT
      MUFU.RCP R10, R10)");
    a.add(llvm::formatv("IADD3 R10, R10, {0}, RZ", ulp));
    a.lines(R"(
      IADD3 R6, R10, 0xffffffe, RZ
      F2I.FTZ.U32.TRUNC.NTZ R7, R6
      MOV R6, RZ
      IADD3 R11, RZ, -R7, RZ
      IMAD R11, R11, R9, RZ
      IMAD.HI.U32 R7, R7, R11, R6
      IMAD.HI.U32 R7, R7, R8, RZ
      IADD3 R11, -R7, RZ, RZ
      IMAD R8, R9, R11, R8
      ISETP.GE.U32.AND P0, PT, R8, R9, PT
      @P0 IADD3 R8, R8, -R9, RZ
      @P0 IADD3 R7, R7, 0x1, RZ
      ISETP.GE.U32.AND P1, PT, R8, R9, PT
      @P1 IADD3 R7, R7, 0x1, RZ
      @!P2 LOP3.LUT R7, RZ, R9, RZ, 0x33, !PT
      STG.E desc[UR4][R4.64], R7
      EXIT)");
    Launch launch;
    launch.grid = {static_cast<u32>(inputs.size()), 1, 1};
    ExecutionResult result = a.run(launch);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    std::vector<u32> out = a.words("out");
    for (std::size_t i = 0; i < inputs.size(); ++i)
      EXPECT_EQ(out[i], inputs[i].r[0] / inputs[i].r[1])
          << inputs[i].r[0] << " / " << inputs[i].r[1] << " at " << ulp;
  }
}

} // namespace
} // namespace harness::sass::test
