#include "harness/mma/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

namespace harness::mma {

namespace {

struct FormatRow {
  std::string_view name, otherName;
  std::size_t bytes;
  FloatLayout layout;  ///< exponentBits = 0: no small float
  int lowest, highest; ///< of an integer
};

// In the order of Format.
constexpr FormatRow kRows[] = {
    {"f16", "fp16", 2, {5, 10, 15, true, true}, 0, 0},
    {"bf16", "", 2, {8, 7, 127, true, true}, 0, 0},
    {"tf32", "", 4, {8, 10, 127, true, true}, 0, 0},
    {"e4m3", "", 1, {4, 3, 7, false, true}, 0, 0},
    {"e5m2", "", 1, {5, 2, 15, true, true}, 0, 0},
    {"e2m3", "", 1, {2, 3, 1, false, false}, 0, 0},
    {"e3m2", "", 1, {3, 2, 3, false, false}, 0, 0},
    {"e2m1", "", 1, {2, 1, 1, false, false}, 0, 0},
    {"s8", "int8", 1, {}, -128, 127},
    {"u8", "uint8", 1, {}, 0, 255},
    {"s4", "int4", 1, {}, -8, 7},
    {"u4", "uint4", 1, {}, 0, 15},
    {"b1", "", 4, {}, 0, 1},
    {"f64", "fp64", 8, {}, 0, 0},
    {"f32", "fp32", 4, {8, 23, 127, true, true}, 0, 0},
    {"s32",
     "int32",
     4,
     {},
     std::numeric_limits<std::int32_t>::min(),
     std::numeric_limits<std::int32_t>::max()},
};

const FormatRow& rowOf(Format format) {
  return kRows[static_cast<std::size_t>(format)];
}

/// TF32 is stored as an f32; the unit does not see the low bits.
constexpr int kTf32DroppedBits = 13;

} // namespace

std::string_view toString(Format format) {
  return rowOf(format).name;
}

std::optional<Format> parseFormat(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kRows); ++i)
    if (!name.empty() && (kRows[i].name == name || kRows[i].otherName == name)) return static_cast<Format>(i);
  return std::nullopt;
}

std::size_t elementBytes(Format format) {
  return rowOf(format).bytes;
}

bool isInteger(Format format) {
  return rowOf(format).highest != 0;
}

bool isNarrowFloat(Format format) {
  return format <= Format::E2M1;
}

const FloatLayout& layoutOf(Format format) {
  return rowOf(format).layout;
}

Number decode(Format format, std::uint32_t code) {
  const FloatLayout& layout = layoutOf(format);
  if (format == Format::TF32) code >>= kTf32DroppedBits;
  std::uint32_t mantissa = code & ((1u << layout.mantissaBits) - 1);
  std::uint32_t topExponent = (1u << layout.exponentBits) - 1;
  std::uint32_t exponent = code >> layout.mantissaBits & topExponent;
  Number number;
  number.negative = code >> (layout.mantissaBits + layout.exponentBits) & 1;
  if (exponent == topExponent && layout.hasInfinity) {
    number.kind = mantissa ? Kind::NotANumber : Kind::Infinite;
  } else if (exponent == topExponent && layout.hasNan && mantissa == (1u << layout.mantissaBits) - 1) {
    number.kind = Kind::NotANumber;
  } else if (exponent || mantissa) {
    number.kind = Kind::Finite;
    number.magnitude = exponent ? mantissa | 1u << layout.mantissaBits : mantissa;
    number.exponent = static_cast<std::int16_t>(static_cast<int>(std::max(exponent, 1u)) - layout.bias);
  }
  return number;
}

double toDouble(Format format, std::uint64_t code) {
  if (format == Format::F64) return std::bit_cast<double>(code);
  if (format == Format::S32) return static_cast<std::int32_t>(code);
  if (isInteger(format)) { // of 4 or 8 bits
    int span = format == Format::S8 || format == Format::U8 ? 256 : 16;
    int value = static_cast<int>(code & static_cast<std::uint64_t>(span - 1));
    return value > rowOf(format).highest ? value - span : value;
  }
  Number number = decode(format, static_cast<std::uint32_t>(code));
  double sign = number.negative ? -1 : 1;
  switch (number.kind) {
  case Kind::Zero: return sign * 0.0;
  case Kind::Infinite: return sign * std::numeric_limits<double>::infinity();
  case Kind::NotANumber: return std::numeric_limits<double>::quiet_NaN();
  case Kind::Finite: break;
  }
  return sign * std::ldexp(number.magnitude, number.exponent - layoutOf(format).mantissaBits);
}

namespace {

std::uint32_t fromDoubleToFloat(const FloatLayout& layout, double value) {
  std::uint32_t topExponent = (1u << layout.exponentBits) - 1;
  std::uint32_t mantissas = 1u << layout.mantissaBits;
  std::uint32_t sign = std::signbit(value) ? 1u << (layout.exponentBits + layout.mantissaBits) : 0;
  std::uint32_t infinity = topExponent << layout.mantissaBits;
  std::uint32_t largest = layout.hasInfinity ? infinity - 1 : infinity + mantissas - (layout.hasNan ? 2 : 1);
  if (std::isnan(value))
    return layout.hasInfinity ? infinity + mantissas - 1 : layout.hasNan ? largest + 1 : largest;
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | (layout.hasInfinity ? infinity : largest);
  if (magnitude == 0) return sign;
  int exponent = std::max(std::ilogb(magnitude), 1 - layout.bias);
  // In units of the last place; up to 2 · mantissas, which carries into the exponent by itself.
  double units = std::nearbyint(std::ldexp(magnitude, layout.mantissaBits - exponent));
  double code = units + static_cast<double>(mantissas) * (exponent + layout.bias - 1);
  double limit = layout.hasInfinity ? infinity : largest;
  return sign | static_cast<std::uint32_t>(std::min(code, limit));
}

} // namespace

std::uint64_t fromDouble(Format format, double value) {
  if (format == Format::F64) return std::bit_cast<std::uint64_t>(value);
  const FormatRow& row = rowOf(format);
  if (isInteger(format)) {
    double whole = std::isnan(value) ? 0 : std::clamp<double>(std::nearbyint(value), row.lowest, row.highest);
    std::uint64_t code = static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
    return code & (row.bytes == 4 ? 0xffffffffu : row.highest <= 15 ? 0xfu : 0xffu);
  }
  std::uint32_t code = fromDoubleToFloat(row.layout, value);
  return format == Format::TF32 ? code << kTf32DroppedBits : code;
}

int blockOf(Scaling scaling) {
  switch (scaling) {
  case Scaling::None: return 0;
  case Scaling::Mxf8f6f4:
  case Scaling::Mxf4: return 32;
  case Scaling::Mxf4Per16:
  case Scaling::Nvf4: return 16;
  }
  return 0;
}

} // namespace harness::mma
