#include "harness/sass/half.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <limits>

namespace harness::sass {

namespace {

using llvm::APFloat;

constexpr std::uint16_t kCanonicalNan = 0x7fff;
constexpr std::uint16_t kInfinity = 0x7c00;

APFloat half(std::uint16_t bits) {
  return {APFloat::IEEEhalf(), llvm::APInt(16, bits)};
}

std::uint16_t bitsOf(const APFloat& value) {
  if (value.isNaN()) return kCanonicalNan;
  return static_cast<std::uint16_t>(value.bitcastToAPInt().getZExtValue());
}

} // namespace

float halfToFloat(std::uint16_t bits) {
  std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00) return std::numeric_limits<float>::quiet_NaN();
  if (magnitude == 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u);
  // The exponent's bias differs by 112; subnormals come out right because the product is exact.
  float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

std::uint16_t floatToHalf(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value), magnitude = bits & 0x7fffffffu;
  auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  if (magnitude > 0x7f800000u) return kCanonicalNan;
  if (magnitude == 0x7f800000u) return sign | kInfinity;
  constexpr std::uint32_t kSmallestNormal = 0x38800000; // 2^-14
  // Bits that fall away, and what is left as a half without sign, before rounding.
  std::uint32_t kept = 0, lost = 0, half = 0;
  if (magnitude >= kSmallestNormal) {
    std::uint32_t rebiased = magnitude - (112u << 23);
    kept = rebiased >> 13;
    lost = rebiased & 0x1fff;
    half = 0x1000;
  } else {
    std::uint32_t exponent = magnitude >> 23;
    std::uint32_t mantissa = exponent ? (magnitude & 0x7fffffu) | 0x800000u : magnitude;
    std::uint32_t shift = std::min(126 - std::max(exponent, 1u), 31u); // to units of 2^-24
    kept = mantissa >> shift;
    lost = mantissa & ((1u << shift) - 1);
    half = 1u << (shift - 1);
  }
  bool up = false;
  switch (std::fegetround()) {
  case FE_DOWNWARD: up = sign && lost; break;
  case FE_UPWARD: up = !sign && lost; break;
  case FE_TOWARDZERO: break;
  default: up = lost > half || (lost == half && (kept & 1)); break;
  }
  kept += up;
  if (kept >= kInfinity) {
    // Only rounding towards the overflow's side, or to nearest, gives infinity.
    bool toInfinity =
        std::fegetround() == FE_TONEAREST || std::fegetround() == (sign ? FE_DOWNWARD : FE_UPWARD);
    kept = toInfinity ? kInfinity : kInfinity - 1u;
  }
  return static_cast<std::uint16_t>(sign | kept);
}

std::uint16_t halfFma(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  APFloat result = half(a);
  result.fusedMultiplyAdd(half(b), half(c), APFloat::rmNearestTiesToEven);
  return bitsOf(result);
}

} // namespace harness::sass
