#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace harness::ptx {
namespace {

using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::fltSemantics;
using Values = std::vector<std::uint64_t>;
using testing::HasSubstr;

struct Format {
  const char* name;
  const fltSemantics& semantics;
  unsigned bits;
  std::uint64_t nan; ///< that conversions give
};

const Format kFormats[] = {
    {"f16", APFloat::IEEEhalf(), 16, 0x7fff},
    {"bf16", APFloat::BFloat(), 16, 0x7fff},
    {"f32", APFloat::IEEEsingle(), 32, 0x7fffffff},
    {"f64", APFloat::IEEEdouble(), 64, 0xfff8000000000000},
};

struct Mode {
  const char* name;
  const char* integral;
  APFloat::roundingMode mode;
};

const Mode kModes[] = {
    {"rn", "rni", APFloat::rmNearestTiesToEven},
    {"rz", "rzi", APFloat::rmTowardZero},
    {"rm", "rmi", APFloat::rmTowardNegative},
    {"rp", "rpi", APFloat::rmTowardPositive},
};

std::string typeOfBits(unsigned bits) {
  return "b" + std::to_string(bits);
}

/// Numbers of a format: around every power of two and its halves, subnormals, specials; all of 16 bits.
Values numbersOf(const Format& format) {
  Values values;
  if (format.bits == 16) {
    for (std::uint64_t i = 0; i < 65536; ++i)
      values.push_back(i);
    return values;
  }
  unsigned mantissa = format.bits == 32 ? 23 : 52;
  std::uint64_t step = std::uint64_t{1} << mantissa, exponents = format.bits == 32 ? 256 : 2048;
  Values mantissas = {
      0, 1, 2, step / 2, step / 2 + 1, step / 2 - 1, step - 1, step / 4 * 3, 0x2aaaaaaaaaaaa % step};
  for (unsigned lost : {13u, 16u, 29u, 42u, 45u}) // halfway cases of the narrower formats
    if (lost <= mantissa)
      for (std::uint64_t base : {std::uint64_t{0}, std::uint64_t{1} << lost})
        for (int off : {-1, 0, 1})
          mantissas.push_back((base + (std::uint64_t{1} << (lost - 1)) + static_cast<std::uint64_t>(off)) %
                              step);
  for (std::uint64_t exponent = 0; exponent < exponents; exponent += format.bits == 32 ? 1 : 3)
    for (std::uint64_t m : mantissas)
      for (std::uint64_t sign : {0, 1})
        values.push_back(sign << (format.bits - 1) | exponent * step | m);
  return values;
}

APFloat number(const Format& format, std::uint64_t bits) {
  return {format.semantics, APInt(format.bits, bits)};
}

TEST(PtxConvert, BetweenFloatFormats) {
  for (const Format& from : kFormats)
    for (const Format& to : kFormats) {
      if (&from == &to || (from.bits == 64 && std::string(to.name) == "bf16") ||
          (from.bits == 16 && to.bits == 16))
        continue;
      for (const Mode& mode : kModes) {
        bool narrows = to.bits < from.bits;
        if (!narrows && &mode != kModes) continue;
        SCOPED_TRACE(std::string("cvt.") + mode.name + "." + to.name + "." + from.name);
        Values in = numbersOf(from);
        std::string body = std::string("cvt") + (narrows ? std::string(".") + mode.name : "") + "." +
                           to.name + "." + from.name + " d, a;";
        Values out = evaluate(body, {{"a", typeOfBits(from.bits), in}}, {"d", typeOfBits(to.bits)});
        for (std::size_t i = 0; i < in.size(); ++i) {
          APFloat value = number(from, in[i]);
          bool lost = false;
          value.convert(to.semantics, mode.mode, &lost);
          // f64 keeps sign and payload, quietened.
          bool canonical = value.isNaN() && to.bits != 64;
          std::uint64_t expected = canonical ? to.nan : value.bitcastToAPInt().getZExtValue();
          if (std::string(from.name) == "bf16" && to.bits == 32) expected = in[i] << 16; // its payload too
          ASSERT_EQ(out[i], expected) << std::hex << in[i];
        }
      }
    }
}

TEST(PtxConvert, FloatsToIntegersSaturate) {
  for (const Format& from : kFormats)
    for (const char* type : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"})
      for (const Mode& mode : kModes) {
        bool isSigned = type[0] == 's';
        auto bits = static_cast<unsigned>(std::stoul(type + 1));
        std::string body = std::string("cvt.") + mode.integral + "." + type + "." + from.name + " d, a;";
        SCOPED_TRACE(body);
        Values in = numbersOf(from);
        Values out =
            evaluate(body, {{"a", typeOfBits(from.bits), in}}, {"d", typeOfBits(std::max(16u, bits))});
        for (std::size_t i = 0; i < in.size(); ++i) {
          APFloat value = number(from, in[i]);
          std::uint64_t expected = 0;
          if (value.isNaN()) {
            // "1 << (BitWidth(dtype) - 1)" where one of the types has 64 bits.
            if (from.bits == 64 || bits == 64) expected = std::uint64_t{1} << (bits - 1);
          } else {
            APSInt integer(bits, !isSigned);
            bool exact = false;
            value.convertToInteger(integer, mode.mode, &exact);
            expected = integer.getZExtValue();
          }
          if (isSigned && bits == 8 && (expected & 0x80)) expected |= 0xff00; // the register has 16 bits
          ASSERT_EQ(out[i], expected) << std::hex << in[i];
        }
      }
}

TEST(PtxConvert, IntegersToFloatsRoundOnce) {
  for (const Format& to : kFormats)
    for (const char* type : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"})
      for (const Mode& mode : kModes) {
        bool isSigned = type[0] == 's';
        auto bits = static_cast<unsigned>(std::stoul(type + 1));
        std::string body = std::string("cvt.") + mode.name + "." + to.name + "." + type + " d, a;";
        SCOPED_TRACE(body);
        Values in = integerEdges(bits);
        for (unsigned shift = 0; shift + 4 < bits; ++shift)
          for (std::uint64_t pattern : {0x9, 0x1001, 0x1800801, 0x3fffffff, 0x200001})
            in.push_back((std::uint64_t{0xffffffff} & pattern) << shift &
                         (bits == 64 ? ~0ull : (1ull << bits) - 1));
        Values out = evaluate(body, {{"a", typeOfBits(bits), in}}, {"d", typeOfBits(to.bits)});
        for (std::size_t i = 0; i < in.size(); ++i) {
          APFloat value(to.semantics);
          value.convertFromAPInt(APInt(bits, in[i]), isSigned, mode.mode);
          ASSERT_EQ(out[i], value.bitcastToAPInt().getZExtValue()) << std::hex << in[i];
        }
      }
}

TEST(PtxConvert, IntegersToIntegers) {
  const char* types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (const char* from : types)
    for (const char* to : types)
      for (bool saturates : {false, true}) {
        auto fromBits = static_cast<unsigned>(std::stoul(from + 1)),
             toBits = static_cast<unsigned>(std::stoul(to + 1));
        std::string body = std::string("cvt") + (saturates ? ".sat." : ".") + to + "." + from + " d, a;";
        SCOPED_TRACE(body);
        Values in = integerEdges(fromBits);
        unsigned registerBits = std::max(16u, toBits);
        Values out = evaluate(body, {{"a", typeOfBits(fromBits), in}}, {"d", typeOfBits(registerBits)});
        for (std::size_t i = 0; i < in.size(); ++i) {
          __int128 value = in[i];
          if (from[0] == 's' && (in[i] >> (fromBits - 1) & 1)) value -= static_cast<__int128>(1) << fromBits;
          __int128 most = (static_cast<__int128>(1) << (to[0] == 's' ? toBits - 1 : toBits)) - 1;
          __int128 least = to[0] == 's' ? -most - 1 : 0;
          if (saturates) value = std::clamp(value, least, most);
          auto expected = static_cast<std::uint64_t>(value);
          if (toBits < 64) {
            expected &= (std::uint64_t{1} << toBits) - 1;
            if (to[0] == 's' && (expected >> (toBits - 1) & 1)) expected |= ~std::uint64_t{0} << toBits;
            if (registerBits < 64) expected &= (std::uint64_t{1} << registerBits) - 1;
          }
          ASSERT_EQ(out[i], expected) << std::hex << in[i];
        }
      }
}

TEST(PtxConvert, ToIntegralKeepsTheSignOfZero) {
  for (const Mode& mode : kModes) {
    std::string body = std::string("cvt.") + mode.integral + ".f32.f32 d, a;";
    Values in = numbersOf(kFormats[2]);
    Values out = evaluate(body, {{"a", "b32", in}}, {"d", "b32"});
    for (std::size_t i = 0; i < in.size(); ++i) {
      APFloat value = number(kFormats[2], in[i]);
      value.roundToIntegral(mode.mode);
      std::uint64_t expected = value.isNaN() ? 0x7fffffff : value.bitcastToAPInt().getZExtValue();
      ASSERT_EQ(out[i], expected) << body << std::hex << in[i];
    }
  }
}

TEST(PtxConvert, SaturationAndFlush) {
  Values in = {0x3f000000, 0x3f800000, 0x40000000, 0x7f800000, 0x7fc00000,
               0xbf000000, 0x80000000, 0x00000001, 0x3f7fffff};
  EXPECT_EQ(evaluate("cvt.sat.f32.f32 d, a;", {{"a", "b32", in}}, {"d", "b32"}),
            (Values{0x3f000000, 0x3f800000, 0x3f800000, 0x3f800000, 0, 0, 0, 1, 0x3f7fffff}));
  EXPECT_EQ(evaluate("cvt.rn.sat.f16.f32 d, a;", {{"a", "b32", in}}, {"d", "b16"}),
            (Values{0x3800, 0x3c00, 0x3c00, 0x3c00, 0, 0, 0, 0, 0x3c00}));
  EXPECT_EQ(evaluate("cvt.ftz.f32.f32 d, a;", {{"a", "b32", {1, 0x807fffff, 0x00800000}}}, {"d", "b32"}),
            (Values{0, 0x80000000, 0x00800000}));
  EXPECT_EQ(evaluate("cvt.rpi.ftz.s32.f32 d, a;", {{"a", "b32", {1, 0x00800000}}}, {"d", "b32"}),
            (Values{0, 1}));
}

/// The values of a narrow format, found by trying all its codes (bias and bits of the OCP formats).
double narrowValue(unsigned code, unsigned exponentBits, unsigned mantissaBits, int bias) {
  unsigned mantissa = code & ((1u << mantissaBits) - 1),
           exponent = code >> mantissaBits & ((1u << exponentBits) - 1);
  double value = exponent ? std::ldexp(1 + std::ldexp(mantissa, -static_cast<int>(mantissaBits)),
                                       static_cast<int>(exponent) - bias)
                          : std::ldexp(mantissa, 1 - bias - static_cast<int>(mantissaBits));
  return code >> (exponentBits + mantissaBits) & 1 ? -value : value;
}

struct Narrow {
  const char* name;
  unsigned exponentBits, mantissaBits;
  int bias;
  unsigned largest;
  int nan; ///< what NaN becomes
};

const Narrow kNarrow[] = {
    {"e4m3x2", 4, 3, 7, 0x7e, 0x7f}, {"e5m2x2", 5, 2, 15, 0x7b, 0x7f}, {"e2m3x2", 2, 3, 1, 0x1f, 0x1f},
    {"e3m2x2", 3, 2, 3, 0x1f, 0x1f}, {"e2m1x2", 2, 1, 1, 0x7, 0x7},
};

/// The nearest code, ties to the even one, by comparing with all.
unsigned nearest(double value, const Narrow& format) {
  if (std::isnan(value)) return static_cast<unsigned>(format.nan);
  unsigned sign = std::signbit(value) ? 1u << (format.exponentBits + format.mantissaBits) : 0;
  double magnitude = std::fabs(value);
  unsigned best = 0;
  double distance = magnitude;
  for (unsigned code = 1; code <= format.largest; ++code) {
    double off =
        std::fabs(narrowValue(code, format.exponentBits, format.mantissaBits, format.bias) - magnitude);
    if (off < distance || (off == distance && code % 2 == 0)) {
      best = code;
      distance = off;
    }
  }
  if (magnitude > narrowValue(format.largest, format.exponentBits, format.mantissaBits, format.bias))
    best = format.largest;
  return sign | best;
}

TEST(PtxConvert, NarrowPairs) {
  Values in;
  for (std::uint64_t exponent = 100; exponent < 150; ++exponent)
    for (std::uint64_t mantissa = 0; mantissa < 0x800000; mantissa += 0x40000)
      for (std::uint64_t off : {0, 1})
        in.push_back((exponent << 23 | (mantissa + off)) | (mantissa & 0x80000 ? 0x80000000 : 0));
  in.insert(in.end(), {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f7fffff, 1});
  Values other = in;
  std::reverse(other.begin(), other.end());
  for (const Narrow& format : kNarrow) {
    bool nibbles = format.exponentBits + format.mantissaBits == 3;
    std::string type = format.name;
    // A .b8 is the destination of four-bit pairs, as cicc writes it.
    std::string body = nibbles ? "{ .reg .b8 t; cvt.rn.satfinite." + type + ".f32 t, a, b; cvt.u16.u8 d, t; }"
                               : "cvt.rn.satfinite." + type + ".f32 d, a, b;";
    SCOPED_TRACE(body);
    Values out = evaluate(body, {{"a", "b32", in}, {"b", "b32", other}}, {"d", "b16"});
    auto value = [](std::uint64_t bits) {
      float f;
      auto low = static_cast<std::uint32_t>(bits);
      std::memcpy(&f, &low, 4);
      return double{f};
    };
    for (std::size_t i = 0; i < in.size(); ++i) {
      unsigned width = nibbles ? 4 : 8;
      ASSERT_EQ(out[i], nearest(value(in[i]), format) << width | nearest(value(other[i]), format))
          << std::hex << in[i] << " " << other[i];
    }
    // Back, every code.
    Values codes;
    unsigned sign = 1u << (format.exponentBits + format.mantissaBits), count = 2 * sign;
    for (unsigned code = 0; code < count; ++code)
      codes.push_back(nibbles ? code : code | code << 8);
    std::string back = nibbles ? "{ .reg .b8 t; cvt.u8.u16 t, a; cvt.rn.f16x2." + type + " d, t; }"
                               : "cvt.rn.f16x2." + type + " d, a;";
    Values halves = evaluate(back, {{"a", "b16", codes}}, {"d", "b32"});
    for (unsigned code = 0; code < count; ++code) {
      if ((code & (sign - 1)) > format.largest) {
        bool infinite = format.bias == 15 && (code & (sign - 1)) == format.largest + 1;
        ASSERT_EQ(halves[code] & 0xffff, !infinite ? 0x7fffu : code & sign ? 0xfc00u : 0x7c00u) << code;
        continue;
      }
      APFloat expected(narrowValue(code, format.exponentBits, format.mantissaBits, format.bias));
      bool lost = false;
      expected.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
      ASSERT_EQ(halves[code] & 0xffff, expected.bitcastToAPInt().getZExtValue()) << code;
    }
  }
}

TEST(PtxConvert, PackedIntegers) {
  auto in = pairs("b32", integerEdges(32));
  Values halves = evaluate("cvt.pack.sat.s16.s32 d, a, b;", in, {"d", "b32"});
  Values bytes = evaluate("{ .reg .b32 c; mov.b32 c, 0x1234abcd; cvt.pack.sat.u8.s32.b32 d, a, b, c; }", in,
                          {"d", "b32"});
  for (std::size_t i = 0; i < halves.size(); ++i) {
    auto value = [&](unsigned which, int least, int most) {
      return static_cast<unsigned>(std::clamp(static_cast<int>(in[which].values[i]), least, most));
    };
    ASSERT_EQ(halves[i], (value(0, -32768, 32767) & 0xffff) << 16 | (value(1, -32768, 32767) & 0xffff));
    ASSERT_EQ(bytes[i], 0xabcd0000u | value(0, 0, 255) << 8 | value(1, 0, 255));
  }
}

TEST(PtxConvert, IllegalFormsAreUnsupported) {
  for (const char* body :
       {"cvt.f16.f32 d, a;", "cvt.rn.f32.f32 d, a;", "cvt.s32.f32 d, a;", "cvt.rni.f16.f32 d, a;",
        "cvt.rn.u32.s32 d, a;", "cvt.rs.f16.f32 d, a;", "cvt.rn.e4m3x2.f32 d, a, a;"}) {
    auto result = runSnippet(body, {{"a", "b32", {1}}}, {{"d", "b32"}});
    EXPECT_EQ(result.execution.end, ExecutionEnd::Unsupported) << body;
    EXPECT_THAT(result.execution.message, HasSubstr("cvt."));
  }
}

} // namespace
} // namespace harness::ptx
