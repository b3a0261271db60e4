#pragma once

#include "harness/sass/rounding.h"

#include <cstdint>

namespace harness::sass {

/// A binary float format of at most 32 bits: sign, exponent, mantissa, from the top.
struct SmallFloat {
  unsigned exponentBits, mantissaBits;
  int bias;
  std::uint32_t largest;  ///< finite magnitude
  std::uint32_t infinity; ///< 0 = the format has none
  std::uint32_t nan;      ///< what a NaN becomes; `largest` where the format has none

  std::uint32_t sign() const { return std::uint32_t{1} << (exponentBits + mantissaBits); }
};

// That a NaN becomes the largest fp6 and fp4: cuda_fp6.hpp, cuda_fp4.hpp; the others: PTX ISA, cvt.
inline constexpr SmallFloat kFloat{8, 23, 127, 0x7f7fffff, 0x7f800000, 0x7fffffff};
inline constexpr SmallFloat kHalf{5, 10, 15, 0x7bff, 0x7c00, 0x7fff};
inline constexpr SmallFloat kBfloat{8, 7, 127, 0x7f7f, 0x7f80, 0x7fff};
inline constexpr SmallFloat kTf32{8, 10, 127, 0x3fbff, 0x3fc00, 0x3ffff}; ///< the upper 19 bits of an f32
inline constexpr SmallFloat kE4M3{4, 3, 7, 0x7e, 0, 0x7f};
inline constexpr SmallFloat kE5M2{5, 2, 15, 0x7b, 0x7c, 0x7f};
inline constexpr SmallFloat kE2M3{2, 3, 1, 0x1f, 0, 0x1f};
inline constexpr SmallFloat kE3M2{3, 2, 3, 0x1f, 0, 0x1f};
inline constexpr SmallFloat kE2M1{2, 1, 1, 0x7, 0, 0x7};

/// Exact.
double widen(std::uint32_t bits, const SmallFloat& format);

/// One rounding. What is too large becomes infinity or the largest by the rounding; with `finite`, or where
/// the format has no infinity, always the largest, infinity too.
std::uint32_t narrow(double value, const SmallFloat& format, Rounding rounding, bool finite = false);

/// narrow() of an f32 to the nearest half. The host must round to nearest.
inline std::uint32_t nearestHalf(std::uint32_t bits) {
  constexpr std::uint32_t kLeastNormal = 113u << 23; // 2^-14
  std::uint32_t magnitude = bits & 0x7fffffffu;
  // The sum with 0.5 has the halves' subnormals as its last bits.
  std::uint32_t subnormal = asBits(asFloat(magnitude) + 0.5f) - asBits(0.5f);
  std::uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
  normal = normal > kHalf.infinity ? kHalf.infinity : normal;
  std::uint32_t half = (bits >> 16 & 0x8000u) | (magnitude < kLeastNormal ? subnormal : normal);
  return magnitude > 0x7f800000u ? kHalf.nan : half;
}

/// The sum rounded to odd: narrow() of it is what one rounding of the exact sum gives. An exact zero of
/// opposite numbers has the sign that `rounding` gives it. The host must round to nearest.
double addToOdd(double a, double b, Rounding rounding = Rounding::Nearest);

/// The number rounded to odd.
double oddDouble(std::uint64_t magnitude, bool negative);

/// Exact; what halfs are mostly made for.
float halfToFloat(std::uint16_t bits);

} // namespace harness::sass
