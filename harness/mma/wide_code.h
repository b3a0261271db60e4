// The body of wide_*.cpp, each compiled for another instruction set; kLanes floats make a vector there. Everything is
// in an unnamed namespace and no library is used, so that no function of one set is linked into another.

#include "harness/mma/wide.h"

namespace harness::mma {

namespace {

typedef float Float __attribute__((vector_size(kLanes * 4)));
typedef std::int32_t Int __attribute__((vector_size(kLanes * 4)));
typedef std::uint32_t Word __attribute__((vector_size(kLanes * 4)));
template <typename Code> struct CodesOf {
  typedef Code Type __attribute__((vector_size(kLanes * sizeof(Code))));
};

constexpr int kFloatBias = 127, kFloatMantissa = 23;

Int splat(std::int32_t value) {
  return value - Int{};
}
Int bits(Float value) {
  return (Int)value;
}
Float floats(Int value) {
  return (Float)value;
}
Int greater(Int a, Int b) {
  return a > b ? a : b;
}
/// 2^exponent.
Float power(Int exponent) {
  return floats((exponent + kFloatBias) << kFloatMantissa);
}
Int toInt(Float value) {
  return __builtin_convertvector(value, Int);
}
Float toFloat(Int value) {
  return __builtin_convertvector(value, Float);
}
template <typename Vector, typename T> Vector read(const T* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}
template <typename Vector, typename T> void write(T* to, Vector vector) {
  __builtin_memcpy(to, &vector, sizeof vector);
}

bool anyOf(Int mask) {
  std::int32_t lanes[kLanes], all = 0;
  write(lanes, mask);
  for (std::int32_t lane : lanes)
    all |= lane;
  return all;
}

template <typename Code> bool loadOf(const WideLoad& load) {
  Int any{};
  const WideLayout& layout = load.layout;
  int mantissaMask = (1 << layout.mantissaBits) - 1, topExponent = (1 << layout.exponentBits) - 1;
  int lastPlace = 1 - layout.bias - layout.mantissaBits;
  Float subnormalUnit = power(splat(lastPlace < kLeastAlignment ? 0 : lastPlace)); // lower ones are odd
  for (std::size_t i = 0; i < load.count; i += kLanes) {
    auto codes = read<typename CodesOf<Code>::Type>(static_cast<const Code*>(load.codes) + i);
    Int code = (Int)(__builtin_convertvector(codes, Word) >> layout.dropped);
    Int mantissa = code & mantissaMask, biased = code >> layout.mantissaBits & topExponent;
    Int negative = code << (31 - layout.mantissaBits - layout.exponentBits) & splat(INT32_MIN);
    Int subnormal = biased == 0, zero = subnormal & (mantissa == 0);
    Int exponent = greater(biased, splat(1)) - layout.bias;
    Int odd = (exponent < kLeastWideExponent) | (exponent > kGreatestWideExponent);
    if (layout.hasInfinity) odd |= biased == topExponent;
    else if (layout.hasNan) odd |= (biased == topExponent) & (mantissa == mantissaMask);
    odd &= ~zero;
    Int normalBits = (exponent + kFloatBias) << kFloatMantissa | mantissa << (kFloatMantissa - layout.mantissaBits);
    Int value = subnormal ? bits(toFloat(mantissa) * subnormalUnit) : normalBits;
    Int none = odd | zero;
    write(load.values + i, floats((value | negative) & ~none));
    write(load.exponents + i, none ? splat(kNoExponent) : exponent);
    write(load.odd + i, read<Int>(load.odd + i) | odd);
    any |= odd;
  }
  return anyOf(any);
}

bool load(const WideLoad& load) {
  switch (load.layout.bytes) {
  case 1: return loadOf<std::uint8_t>(load);
  case 2: return loadOf<std::uint16_t>(load);
  default: return loadOf<std::uint32_t>(load);
  }
}

/// The float next to `sum` toward zero; `odd` where it cannot be told. The last bit of an inexact one is set if
/// `sticky`.
Float toFloatTowardZero(Int sum, bool sticky, Int& odd) {
  odd |= sum > 0x7fffff00; // which becomes 2^31, and no Int again
  Float value = toFloat(sum);
  Int back = toInt(value), positive = sum >= 0;
  Int tooFar = ((back ^ positive) - positive) < ((sum ^ positive) - positive); // both made negative
  Int result = bits(value) + tooFar;                                          // a mask is -1
  if (sticky) result |= (back != sum) & 1;
  return floats(result);
}

/// To the nearest f16, as a float; an infinity where it is too large, +0 where it is too small. `value` was made sticky.
Float toHalf(Float value) {
  Int magnitude = bits(value) & INT32_MAX, sign = bits(value) & INT32_MIN;
  constexpr std::int32_t kLeastNormal = (kFloatBias - 14) << kFloatMantissa, kTooLarge = (kFloatBias + 16) << kFloatMantissa;
  Int normal = (magnitude + 0xfff + (magnitude >> 13 & 1)) & ~0x1fff;
  normal = normal >= kTooLarge ? splat(0xff << kFloatMantissa) : normal;
  constexpr float kShift = 0.75f; // the last place of [0.5, 1) is 2^-24
  Int subnormal = bits((floats(magnitude) + kShift) - kShift);
  Int result = magnitude < kLeastNormal ? subnormal : normal;
  return floats(result ? result | sign : result);
}

constexpr int kMostProducts = 16; ///< whose sum fits an Int, if a term has 27 bits

/// The steps of kRows outputs beside each other.
template <int kRows, bool kHalf> Int stepsOf(const WideTask& task, int row, std::size_t column) {
  const std::size_t columns = static_cast<std::size_t>(task.columns), depth = static_cast<std::size_t>(task.k);
  const float* aValues = task.aValues + static_cast<std::size_t>(row) * depth;
  const std::int32_t* aExponents = task.aExponents + static_cast<std::size_t>(row) * depth;
  Float c[kRows];
  Int odd[kRows];
  for (int r = 0; r < kRows; ++r) {
    std::size_t at = static_cast<std::size_t>(row + r) * columns + column;
    c[r] = read<Float>(task.d + at);
    odd[r] = read<Int>(task.odd + at);
  }
  Int leastExponent = splat(task.leastExponentOfC);
  for (std::size_t from = 0; from < depth; from += static_cast<std::size_t>(task.products)) {
    std::size_t to = from + static_cast<std::size_t>(task.products) < depth ? from + static_cast<std::size_t>(task.products) : depth;
    Int best[kRows];
    for (int r = 0; r < kRows; ++r)
      best[r] = splat(2 * kNoExponent);
    for (std::size_t k = from; k < to; ++k) {
      Int exponents = read<Int>(task.bExponents + k * columns + column);
      for (int r = 0; r < kRows; ++r)
        best[r] = greater(best[r], exponents + aExponents[static_cast<std::size_t>(r) * depth + k]);
    }
    Float unit[kRows];
    Int greatest[kRows], sum[kRows], wrapped[kRows];
    for (int r = 0; r < kRows; ++r) {
      Int exponent = (bits(c[r]) >> kFloatMantissa & 0xff) - kFloatBias;
      odd[r] |= exponent == 128;
      exponent = greater(exponent, leastExponent);
      exponent = (bits(c[r]) & INT32_MAX) == 0 ? splat(kNoExponent) : exponent;
      greatest[r] = greater(greater(best[r], exponent), splat(task.floor));
      unit[r] = power(task.fraction - greatest[r]);
      sum[r] = toInt(c[r] * unit[r]);
      wrapped[r] = Int{};
    }
    for (std::size_t begin = from; begin < to; begin += kMostProducts) {
      Int part[kRows] = {};
      std::size_t end = begin + kMostProducts < to ? begin + kMostProducts : to;
      for (std::size_t k = begin; k < end; ++k) {
        Float values = read<Float>(task.bValues + k * columns + column);
        for (int r = 0; r < kRows; ++r)
          part[r] += toInt(values * aValues[static_cast<std::size_t>(r) * depth + k] * unit[r]);
      }
      for (int r = 0; r < kRows; ++r) {
        Int total = part[r] + sum[r];
        wrapped[r] |= (part[r] ^ total) & (sum[r] ^ total);
        sum[r] = total;
      }
    }
    for (int r = 0; r < kRows; ++r) {
      odd[r] |= wrapped[r] < 0;
      Float result = toFloatTowardZero(sum[r], kHalf, odd[r]) * power(greatest[r] - task.fraction);
      if constexpr (kHalf) {
        c[r] = toHalf(result);
      } else {
        // Without a product C stays, cut to the result's width; it may be lower than sums are aligned.
        Int kept = best[r] < kNoExponent / 2 ? bits(c[r]) : bits(result);
        kept &= task.resultMask;
        c[r] = floats((kept & INT32_MAX) == 0 ? Int{} : kept);
      }
    }
    leastExponent = splat(kHalf ? -14 : -126);
  }
  Int any{};
  for (int r = 0; r < kRows; ++r) {
    std::size_t at = static_cast<std::size_t>(row + r) * columns + column;
    write(task.d + at, c[r]);
    write(task.odd + at, odd[r]);
    any |= odd[r];
  }
  return any;
}

template <bool kHalf> bool multiplyOf(const WideTask& task) {
  Int any{};
  constexpr int kRows = 2;
  for (std::size_t column = 0; column < static_cast<std::size_t>(task.columns); column += kLanes) {
    int row = 0;
    for (; row + kRows <= task.rows; row += kRows)
      any |= stepsOf<kRows, kHalf>(task, row, column);
    for (; row < task.rows; ++row)
      any |= stepsOf<1, kHalf>(task, row, column);
  }
  return anyOf(any);
}

bool multiply(const WideTask& task) {
  return task.half ? multiplyOf<true>(task) : multiplyOf<false>(task);
}

} // namespace

} // namespace harness::mma
