#pragma once

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

} // namespace harness::ptx
