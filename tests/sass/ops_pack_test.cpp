// Packed conversions against llvm::APFloat, and for formats of 8 bits and fewer against a search through all
// numbers.

#include "tests/sass/narrow_reference.h"
#include "tests/sass/op_test.h"

#include <algorithm>
#include <bit>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

struct Direction {
  const char* word;
  Mode mode;
};
constexpr Direction kNearestAndZero[] = {{"", kNearest}, {".RZ", kZero}};

struct HalfFormat {
  const char* word;
  const llvm::fltSemantics& (*semantics)();

  APFloat value(u32 bits) const { return {semantics(), llvm::APInt(16, bits & 0xffff)}; }
};
constexpr HalfFormat kHalfFormats[] = {{"F16", APFloat::IEEEhalf}, {"BF16", APFloat::BFloat}};

/// f32 values around what a format can hold, beside the edges.
std::vector<u32> around(const llvm::fltSemantics& semantics) {
  std::vector<u32> values = floatEdges();
  for (u32 exponent : {0x33000000u, 0x33800000u, 0x38000000u, 0x38800000u, 0x3f800000u, 0x477fe000u,
                       0x47800000u, 0x7f000000u})
    for (u32 mantissa :
         {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x2000u, 0x7fffu, 0x8000u, 0x8001u, 0x18000u})
      for (u32 sign : {0u, 0x80000000u})
        values.push_back(sign | (exponent + mantissa));
  for (APFloat limit : {APFloat::getLargest(semantics), APFloat::getSmallest(semantics)}) {
    u32 bits = resultBits32(converted(limit, APFloat::IEEEsingle()));
    values.insert(values.end(), {bits, bits + 1, bits - 1, bits | 0x80000000u});
  }
  return values;
}

/// SATFINITE and RELU around a rounded half, bf16 or tf32. What relu makes of -0: see SassHalf.
APFloat modified(const APFloat& source, const llvm::fltSemantics& to, Mode mode, const std::string& form) {
  APFloat result = converted(source, to, mode);
  if (form.find("SATFINITE") != std::string::npos && result.isInfinity())
    result = APFloat::getLargest(to, result.isNegative());
  if (form.find("RELU") != std::string::npos && !result.isNaN() && result.isNegative())
    return APFloat::getZero(to);
  return result;
}

TEST(SassPack, Halves) {
  for (const HalfFormat& to : kHalfFormats)
    for (const char* form : {"", "RELU.", "SATFINITE.", "SATFINITE.RELU."})
      for (const Direction& direction : kNearestAndZero) {
        auto model = [&](const LaneInput& in, LaneOutput& out) {
          auto one = [&](u32 bits) {
            return resultBits32(modified(single(bits), to.semantics(), direction.mode, form));
          };
          out.r[0] = one(in.r[0]) << 16 | one(in.r[1]);
        };
        auto inputs = pairs(around(to.semantics()), floatEdges());
        std::string name = "F2FP." + std::string(form) + to.word;
        checkLanes({name + ".F32.PACK_AB" + direction.word + " R20, R10, R11", model}, inputs);
        // As nvdisasm prints it for sm_80.
        std::string old = "F2FP." + std::string(form) + (to.word == std::string("F16") ? "" : "BF16.");
        checkLanes({old + "PACK_AB" + direction.word + " R20, R10, R11", model, 0, 80}, inputs);
        checkLanes({name + ".F32.MERGE_C" + direction.word + " R20, -|R10|, RZ",
                    [&](const LaneInput& in, LaneOutput& out) {
                      out.r[0] = resultBits32(
                          modified(single(in.r[0] | 0x80000000u), to.semantics(), direction.mode, form));
                    }},
                   pairs(around(to.semantics()), {0}));
      }
}

/// Of a NaN it is not settled which bits it has; only that it is one.
TEST(SassPack, Tf32) {
  auto values = around(APFloat::FloatTF32());
  std::erase_if(values, [](u32 bits) { return single(bits).isNaN(); });
  for (const char* form : {"", "RELU.", "SATFINITE.", "SATFINITE.RELU."})
    for (const Direction& direction : kNearestAndZero)
      checkLanes({"F2FP." + std::string(form) + "TF32.F32.PACK_B" + direction.word + " R20, R10",
                  [&](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = resultBits32(
                        converted(modified(single(in.r[0]), APFloat::FloatTF32(), direction.mode, form),
                                  APFloat::IEEEsingle()));
                  }},
                 pairs(values, {0}));
}

u32 element(const NarrowReference& to, double value, bool relu) {
  if (relu && std::signbit(value) && !std::isnan(value)) return 0;
  return to.nearest(value);
}

double asDouble(const APFloat& value) {
  return converted(value, APFloat::IEEEdouble()).convertToDouble();
}

/// f32 values: all of the format, all middles of two, what lies next to them, and edges.
std::vector<u32> aroundAll(const NarrowReference& format) {
  std::vector<u32> values = floatEdges();
  for (u32 bits = 0; bits + 1 < format.count / 2; ++bits) {
    auto here = format.value(bits), next = format.value(bits + 1);
    if (!here) continue;
    double beyond = next ? *next : *here * 1.125;
    for (double x : {*here, (*here + beyond) / 2}) {
      u32 single = std::bit_cast<u32>(static_cast<float>(x));
      for (u32 near : {single, single + 1, single - (single > 0)})
        values.insert(values.end(), {near, near | 0x80000000u});
    }
  }
  return values;
}

/// Two elements stand below C: so ptxas -O3 packs four fp8 or eight fp4, where -O0 shifts and joins.
TEST(SassPack, NarrowFromFloat) {
  for (const NarrowReference& to : kNarrowReferences)
    for (bool relu : {false, true}) {
      std::string name =
          std::string("F2FP.SATFINITE.") + (relu ? "RELU." : "") + to.name + ".F32.PACK_AB_MERGE_C";
      unsigned bits = to.count == 16 ? 4 : 8;
      auto two = [=, &to](const LaneInput& in) {
        auto one = [&](u32 x) { return element(to, asDouble(single(x)), relu); };
        return one(in.r[0]) << bits | one(in.r[1]);
      };
      auto inputs = pairs(aroundAll(to), {0x3fa00000, 0xc0b00000, 0x7f800000, 0x7fffffff});
      checkLanes(
          {name + " R20, R10, R11, RZ", [=](const LaneInput& in, LaneOutput& out) { out.r[0] = two(in); }},
          inputs);
      if (bits == 4) { // eight fp4 are packed by four in a chain
        checkLanes({name + " R20, R10, R11, R12",
                    [=](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[2] << 8 | two(in); }},
                   inputs);
        continue;
      }
      checkLanes({name + " R20, R10, R11, R12",
                  [=](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[2] << 16 | two(in); }},
                 inputs);
      checkLanes(
          {name + " R20, R10, R11, R12.H1",
           [=](const LaneInput& in, LaneOutput& out) { out.r[0] = (in.r[2] & 0xffff0000u) | two(in); }},
          inputs);
    }
}

/// All halves and bf16.
TEST(SassPack, NarrowFromHalves) {
  std::vector<u32> words;
  for (u32 bits = 0; bits < 0x10000; bits += 3)
    words.push_back(bits << 16 | ((bits * 40503u + 1) & 0xffff));
  for (const HalfFormat& from : kHalfFormats)
    for (const NarrowReference& to : kNarrowReferences) {
      bool relu = to.format == &kE5M2 || to.format == &kE2M1;
      unsigned bits = to.count == 16 ? 4 : 8;
      auto two = [=, &to](u32 word) {
        return element(to, asDouble(from.value(word >> 16)), relu) << bits |
               element(to, asDouble(from.value(word)), relu);
      };
      std::string name = std::string("F2FP.SATFINITE.") + (relu ? "RELU." : "") + to.name + "." + from.word;
      checkLanes({name + ".UNPACK_B_MERGE_C R20, R10, RZ",
                  [=](const LaneInput& in, LaneOutput& out) { out.r[0] = two(in.r[0]); }},
                 pairs(words, {0}));
    }
}

/// Exact: both formats hold every number of the narrow ones.
TEST(SassPack, HalvesFromNarrow) {
  std::vector<u32> words;
  for (u32 byte = 0; byte < 256; ++byte)
    words.push_back(byte | ((byte * 7 + 3) & 0xff) << 8 | (255 - byte) << 16 | (byte ^ 0x55) << 24);
  for (const HalfFormat& to : kHalfFormats)
    for (const NarrowReference& from : kNarrowReferences)
      for (bool relu : {false, true}) {
        unsigned bits = from.count == 16 ? 4 : 8;
        bool isBf16 = to.semantics == kHalfFormats[1].semantics;
        auto one = [=, &from](u32 code) {
          code &= from.count - 1;
          APFloat source(from.semantics(),
                         llvm::APInt(llvm::APFloat::semanticsSizeInBits(from.semantics()), code));
          if (source.isNaN()) return u32{0x7fff};
          APFloat value = converted(source, to.semantics());
          return relu && value.isNegative() ? 0 : resultBits32(value);
        };
        std::string name =
            std::string("F2FP.") + (relu ? "RELU." : "") + to.word + "." + from.name + ".UNPACK_B R20, R10";
        std::string ones = isBf16 ? ", 4.5736980577097704378e-41.H0" : "";
        std::vector<std::string> parts = {"", ".H1"};
        if (bits == 4) parts = {"", ".B1", ".B2", ".B3"};
        for (std::size_t part = 0; part < parts.size(); ++part)
          checkLanes({name + parts[part] + ones,
                      [=](const LaneInput& in, LaneOutput& out) {
                        u32 packed = in.r[0] >> (2 * bits * part);
                        out.r[0] = one(packed >> bits) << 16 | one(packed);
                      },
                      0x7f7f, 100},
                     pairs(words, {0}));
      }
}

/// The scale of a number by search: the largest power of two not above its magnitude, or the smallest not
/// below. Signs do not count; NaN is 0xff, and so is without SATFINITE what is larger than 2^127
/// (cuda_fp8.hpp).
u32 scaleOf(double x, bool up, bool finite) {
  if (std::isnan(x)) return 0xff;
  x = std::fabs(x);
  u32 scale = 0;
  if (up)
    while (scale < 0xff && std::ldexp(1.0, static_cast<int>(scale) - 127) < x)
      ++scale;
  else
    while (scale < 0xff && std::ldexp(1.0, static_cast<int>(scale) - 126) <= x)
      ++scale;
  return finite && scale == 0xff ? 0xfe : scale;
}

TEST(SassPack, Scales) {
  std::vector<u32> values = around(APFloat::BFloat());
  for (u32 bits : {0x003fffffu, 0x00400000u, 0x00400001u, 0x007fffffu, 0x7f000000u, 0x7f000001u})
    values.insert(values.end(), {bits, bits | 0x80000000u});
  for (bool finite : {false, true})
    for (bool up : {false, true}) {
      std::string name = std::string("F2FP.") + (finite ? "SATFINITE." : "") + "E8.";
      std::string end = std::string("_MERGE_C") + (up ? ".RP" : ".RZ");
      auto scale = [=](u32 bits) { return scaleOf(asDouble(single(bits)), up, finite); };
      checkLanes({name + "F32.PACK_AB" + end + " R20, R10, R11, R12",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = in.r[2] << 16 | scale(in.r[0]) << 8 | scale(in.r[1]);
                  },
                  0, 100},
                 pairs(values, floatEdges()));
      checkLanes({name + "BF16.UNPACK_B" + end + " R20, R10, RZ",
                  [=](const LaneInput& in, LaneOutput& out) {
                    out.r[0] = scale(in.r[0] & 0xffff0000u) << 8 | scale(in.r[0] << 16);
                  },
                  0, 100},
                 pairs(values, {0}));
    }
  std::vector<u32> words;
  for (u32 byte = 0; byte < 256; ++byte)
    words.push_back(byte | (255 - byte) << 8 | byte << 16 | (byte ^ 0x55) << 24);
  auto half = [](u32 byte) {
    if (byte == 0xff) return u32{0x7fff};
    APFloat power = scalbn(APFloat(1.0), static_cast<int>(byte) - 127, kNearest);
    return resultBits32(converted(power, APFloat::BFloat()));
  };
  for (unsigned part : {0u, 1u})
    checkLanes({std::string("F2FP.BF16.E8.UNPACK_B R20, R10") + (part ? ".H1" : ""),
                [=](const LaneInput& in, LaneOutput& out) {
                  out.r[0] =
                      half(in.r[0] >> (16 * part + 8) & 0xff) << 16 | half(in.r[0] >> 16 * part & 0xff);
                },
                0, 100},
               pairs(words, {0}));
}

TEST(SassPack, FloatToBytes) {
  constexpr Direction kIntegral[] = {{"", kNearest}, {".FLOOR", kDown}, {".CEIL", kUp}, {".TRUNC", kZero}};
  std::vector<u32> values = floatEdges();
  for (float x : {0.5f, 1.5f, 2.5f, 254.5f, 255.0f, 255.4f, 255.5f, 256.0f, -0.6f, 127.5f})
    values.push_back(std::bit_cast<u32>(x));
  for (const Direction& direction : kIntegral)
    checkLanes({std::string("F2IP.U8.F32") + direction.word + ".NTZ R20, R10, -R11, R12",
                [=](const LaneInput& in, LaneOutput& out) {
                  auto byte = [=](const APFloat& x) {
                    return static_cast<u32>(toInteger(x, 8, false, direction.mode, 0));
                  };
                  out.r[0] = in.r[2] << 16 | byte(single(in.r[0])) << 8 | byte(-single(in.r[1]));
                }},
               pairs(values, values));
}

} // namespace
} // namespace harness::sass::test
