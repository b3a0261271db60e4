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
  // With its exponent in place, but biased as an f32's, a number is 2^-112 of what it should be.
  auto number = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
  return std::bit_cast<float>(sign | (magnitude < 0x7c00 ? number : 0x7f800000 | (magnitude & 0x3ff) << 13));
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
  bool moves = (error < 0 || error > 0) && !(bits & 1); // the error of an infinite sum is a NaN
  return std::bit_cast<double>(moves ? ((error > 0) == (sum > 0) ? bits + 1 : bits - 1) : bits);
}

/// A number rounded to nearest even in a 16-bit format: bits of its mantissa, exponent of its least normal
/// number.
template <unsigned Mantissa, int Least> std::uint64_t roundedTo(double value) {
  constexpr std::uint64_t kInfinity = 0x8000 - (std::uint64_t{1} << Mantissa);
  constexpr auto kBeyond = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 2 - Least) << 52);
  double size = std::min(std::fabs(value), kBeyond);
  int exponent = std::max(static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023, Least);
  auto perUnit =
      std::bit_cast<double>(static_cast<std::uint64_t>(1023 + static_cast<int>(Mantissa) - exponent) << 52);
  // The sum's last bits are the number of units (of the format's last bit), rounded.
  std::uint64_t units =
      std::bit_cast<std::uint64_t>(size * perUnit + 0x1p52) - std::bit_cast<std::uint64_t>(0x1p52);
  std::uint64_t magnitude =
      std::min((static_cast<std::uint64_t>(exponent - Least) << Mantissa) + units, kInfinity);
  return value == value ? (std::bit_cast<std::uint64_t>(value) >> 48 & 0x8000) | magnitude : kNan16;
}
inline std::uint64_t toHalf(double value) {
  return roundedTo<10, -14>(value);
}
inline std::uint64_t toBfloat(double value) {
  return roundedTo<7, -126>(value);
}

} // namespace harness::ptx
