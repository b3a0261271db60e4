#pragma once

#include <cstddef>
#include <cstdint>

// The fused steps of many outputs at once. Values and powers are kept apart: a product is that of two floats
// (exact, 22 bits at most), its exponent the sum of two integers, and cutting a term is a conversion to an
// integer, toward zero. This file is included where other instructions are allowed than elsewhere: it must
// define no function.

namespace harness::mma {

/// The exponent of a zero: a sum of it and of any other loses against all sums of others.
inline constexpr std::int32_t kNoExponent = -(1 << 20);

/// Exponents of elements that are multiplied so. With others a product might leave the range of floats: what
/// meets one is left to the scalar code. All of f16 and of the formats of a byte are inside.
inline constexpr std::int32_t kLeastWideExponent = -45, kGreatestWideExponent = 61;
/// Sums are never aligned lower; those of two such elements do not get there.
inline constexpr std::int32_t kLeastAlignment = -100;

/// How elements are taken apart.
struct WideLayout {
  int bytes;   ///< of an element: 1, 2, 4
  int dropped; ///< low bits that do not count
  int mantissaBits, exponentBits, bias;
  bool hasInfinity, hasNan;
};

/// Values and exponents of `count` elements, a multiple of the lanes; 0 for one that is not finite or whose
/// exponent is out of range, and ~0 to its `odd`, which is left as it is otherwise.
struct WideLoad {
  WideLayout layout;
  int exponentBias; ///< is added to exponents
  const void* codes;
  std::size_t count;
  float* values;
  std::int32_t* exponents;
  std::int32_t* odd;
};

struct WideTask {
  int rows, columns; ///< columns: a multiple of the lanes
  int k, products;   ///< steps begin at multiples of `products`
  int fraction, floor;
  std::uint32_t resultMask; ///< of f32 results
  bool half;                ///< results are rounded to f16, and kept as floats
  int leastExponentOfC;     ///< -14 of f16, -126 of f32; of results by `half`
  const float* aValues;     ///< rows × k
  const std::int32_t* aExponents;
  const float* bValues; ///< k × columns; of the exponents those of floats, biased
  const std::int32_t* bExponents;
  float* d;          ///< rows × columns: C, then D
  std::int32_t* odd; ///< rows × columns: set where d is not to be used; what is set stays
};

struct WideCode {
  const char* name;
  int lanes;
  /// True if an `odd` was set.
  bool (*load)(const WideLoad&);
  /// True if an `odd` is set.
  bool (*multiply)(const WideTask&);
};

extern const WideCode kWideBaseline;
#ifdef HARNESS_MMA_X86
extern const WideCode kWideV3, kWideV4;
#endif

} // namespace harness::mma
