#include "harness/sass/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kDoubleMantissa = 52;
constexpr int kDoubleBias = 1023;
constexpr u64 kDoubleSign = u64{1} << 63;
constexpr u64 kDoubleInfinity = u64{0x7ff} << kDoubleMantissa;

bool isNan(u32 magnitude, const SmallFloat& format) {
  return format.infinity ? magnitude > format.infinity : magnitude > format.largest;
}

bool roundsUp(Rounding rounding, bool negative, u64 lost, u64 half, bool odd) {
  switch (rounding) {
  case Rounding::Nearest: return lost > half || (lost == half && odd);
  case Rounding::Down: return negative && lost;
  case Rounding::Up: return !negative && lost;
  case Rounding::Zero: break;
  }
  return false;
}

} // namespace

double widen(u32 bits, const SmallFloat& format) {
  u32 magnitude = bits & (format.sign() - 1);
  if (isNan(magnitude, format)) return std::numeric_limits<double>::quiet_NaN();
  u64 sign = bits & format.sign() ? kDoubleSign : 0;
  if (format.infinity && magnitude == format.infinity) return std::bit_cast<double>(sign | kDoubleInfinity);
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  u32 mantissa = magnitude & ((u32{1} << format.mantissaBits) - 1);
  if (exponent == 0) {
    double value = std::ldexp(mantissa, 1 - format.bias - static_cast<int>(format.mantissaBits));
    return sign ? -value : value;
  }
  return std::bit_cast<double>(sign |
                               static_cast<u64>(exponent - format.bias + kDoubleBias) << kDoubleMantissa |
                               static_cast<u64>(mantissa) << (kDoubleMantissa - format.mantissaBits));
}

u32 narrow(double value, const SmallFloat& format, Rounding rounding, bool finite) {
  u64 bits = std::bit_cast<u64>(value), magnitude = bits & ~kDoubleSign;
  if (magnitude > kDoubleInfinity) return format.nan;
  bool negative = bits >> 63;
  u32 sign = negative ? format.sign() : 0;
  finite |= format.infinity == 0;
  if (magnitude == kDoubleInfinity) return sign | (finite ? format.largest : format.infinity);
  // A subnormal double is far below every format and stays a number that is not zero.
  int exponent = static_cast<int>(magnitude >> kDoubleMantissa) - kDoubleBias;
  u64 significand = magnitude & ((u64{1} << kDoubleMantissa) - 1);
  if (exponent > -kDoubleBias) significand |= u64{1} << kDoubleMantissa;
  int lowest = 1 - format.bias; // exponent of the smallest normal number
  int below = std::max(lowest - exponent, 0);
  unsigned shift = kDoubleMantissa - format.mantissaBits + static_cast<unsigned>(std::min(below, 11 + 23));
  shift = std::min(shift, 63u);
  u64 kept = significand >> shift, lost = significand & ((u64{1} << shift) - 1);
  u64 half = shift ? u64{1} << (shift - 1) : 0;
  // The leading one counts as one more in the exponent.
  if (exponent > lowest) kept += static_cast<u64>(exponent - lowest) << format.mantissaBits;
  kept += roundsUp(rounding, negative, lost, half, kept & 1);
  if (kept <= format.largest) return sign | static_cast<u32>(kept);
  bool toInfinity = rounding == Rounding::Nearest || rounding == (negative ? Rounding::Down : Rounding::Up);
  return sign | (finite || !toInfinity ? format.largest : format.infinity);
}

double addToOdd(double a, double b, Rounding rounding) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  // What the sum lost, exactly.
  double fromB = sum - a, fromA = sum - fromB;
  double lost = (a - fromA) + (b - fromB);
  if (sum == 0 && a != 0 && rounding == Rounding::Down) return -0.0;
  if (sum == 0 && std::signbit(a) != std::signbit(b) && rounding == Rounding::Down) return -0.0;
  u64 bits = std::bit_cast<u64>(sum);
  if (lost == 0 || (bits & 1)) return sum;
  return std::bit_cast<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

double oddDouble(u64 magnitude, bool negative) {
  constexpr u64 kBelow = (u64{1} << 11) - 1; // what a double of 64 bits cannot hold
  if (magnitude >> 53) magnitude = (magnitude & ~kBelow) | (magnitude & kBelow ? kBelow + 1 : 0);
  auto value = static_cast<double>(magnitude);
  return negative ? -value : value;
}

float halfToFloat(std::uint16_t bits) {
  u32 sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude > kHalf.infinity) return std::numeric_limits<float>::quiet_NaN();
  if (magnitude == kHalf.infinity) return std::bit_cast<float>(sign | 0x7f800000u);
  // The exponent's bias differs by 112; subnormals come out right because the product is exact.
  float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<u32>(scaled));
}

} // namespace harness::sass
