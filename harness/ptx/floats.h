#pragma once

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace harness::ptx {

// Floating point as the PTX ISA describes it (9.7.3 and 9.7.4), on top of the host's IEEE arithmetic.

// What an operation gives that has no number to give. f32, f16 and bf16: PTX says "unspecified"; these are
// the values that it calls canonical elsewhere. f64: IEEE's default NaN; NaN operands keep their payload
// instead.
inline constexpr std::uint32_t kNan32 = 0x7fffffff;
inline constexpr std::uint64_t kNan64 = 0xfff8000000000000;
inline constexpr std::uint16_t kNan16 = 0x7fff;

/// Rounds as FE_… says until it goes out of scope.
class RoundingScope {
public:
  explicit RoundingScope(int direction) : before_(std::fegetround()) { std::fesetround(direction); }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

private:
  int before_;
};

/// .ftz: a subnormal becomes a zero of its sign.
inline float flushed(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>(bits & ((bits & 0x7f800000) ? 0xffffffffu : 0x80000000u));
}

/// The value of an f16; a NaN becomes a NaN.
inline float fromHalf(std::uint64_t bits) {
  auto sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  auto magnitude = static_cast<std::uint32_t>(bits & 0x7fff);
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  // As a subnormal f32 with the exponent in place, the value is 2^-112 of what it should be.
  return std::bit_cast<float>(sign |
                              std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f));
}

/// The value of a bf16.
inline float fromBfloat(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0xffff) << 16);
}

/// .ftz of an f16 or (Exponent = 0x7f80) bf16.
template <std::uint64_t Exponent = 0x7c00> std::uint64_t flushedHalf(std::uint64_t bits) {
  return bits & ((bits & Exponent) ? 0xffff : 0x8000);
}

/// a + b rounded to odd: what is inexact ends in a one, so that rounding once more, to a format of at most 51
/// bits, gives what rounding the exact sum would. Needs round to nearest.
inline double sumToOdd(double a, double b) {
  double sum = a + b, bPart = sum - a, error = (a - (sum - bPart)) + (b - bPart);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  bool inexact = error < 0 || error > 0; // of an infinite sum it is a NaN
  if (!inexact || (bits & 1)) return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// A number rounded to nearest even in a 16-bit format: bits of its mantissa, exponent of its least normal
/// number.
template <unsigned Mantissa, int Least> std::uint64_t roundedTo(double value) {
  if (value != value) return kNan16;
  constexpr std::uint64_t kInfinity = 0x8000 - (std::uint64_t{1} << Mantissa);
  auto bits = std::bit_cast<std::uint64_t>(value);
  std::uint64_t sign = bits >> 48 & 0x8000;
  int exponent = std::max(static_cast<int>(bits >> 52 & 0x7ff) - 1023, Least);
  if (exponent > -Least + 1) return sign | kInfinity;
  auto quantum =
      std::bit_cast<double>(static_cast<std::uint64_t>(exponent - static_cast<int>(Mantissa) + 1023) << 52);
  double units = (std::fabs(value) / quantum + 0x1p52) - 0x1p52; // to nearest, an integer
  std::uint64_t magnitude =
      (static_cast<std::uint64_t>(exponent - Least) << Mantissa) + static_cast<std::uint64_t>(units);
  return sign | std::min(magnitude, kInfinity);
}
inline std::uint64_t toHalf(double value) {
  return roundedTo<10, -14>(value);
}
inline std::uint64_t toBfloat(double value) {
  return roundedTo<7, -126>(value);
}

} // namespace harness::ptx
