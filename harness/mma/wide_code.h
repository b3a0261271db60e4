// The body of wide_*.cpp, each compiled for another instruction set; kLanes floats make a vector there.
// Everything is in an unnamed namespace and no library is used, so that no function of one set is linked into
// another.

#include "harness/mma/wide.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

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
/// 2^(exponent − the bias of floats).
Float power(Int exponent) {
  return floats(exponent << kFloatMantissa);
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

constexpr WideLayout kF16 = {2, 0, 10, 5, 15, true, true};

/// `kOfF16` spares what its layout makes constant.
template <typename Code, bool kOfF16> bool loadOf(const WideLoad& load) {
  Int any{};
  const WideLayout layout = kOfF16 ? kF16 : load.layout;
  int mantissaMask = (1 << layout.mantissaBits) - 1, topExponent = (1 << layout.exponentBits) - 1;
  int lastPlace = 1 - layout.bias - layout.mantissaBits;
  Float subnormalUnit =
      power(splat(kFloatBias + (lastPlace < kLeastAlignment ? 0 : lastPlace))); // lower ones are odd
  for (std::size_t i = 0; i < load.count; i += kLanes) {
    auto codes = read<typename CodesOf<Code>::Type>(static_cast<const Code*>(load.codes) + i);
    Int code = (Int)(__builtin_convertvector(codes, Word) >> layout.dropped);
    Int mantissa = code & mantissaMask, biased = code >> layout.mantissaBits & topExponent;
    Int negative = code << (31 - layout.mantissaBits - layout.exponentBits) & splat(INT32_MIN);
    Int subnormal = biased == 0, zero = subnormal & (mantissa == 0);
    Int exponent = greater(biased, splat(1)) - layout.bias;
    Int odd = (exponent < kLeastWideExponent) | (exponent > kGreatestWideExponent);
    if (layout.hasInfinity)
      odd |= biased == topExponent;
    else if (layout.hasNan)
      odd |= (biased == topExponent) & (mantissa == mantissaMask);
    odd &= ~zero;
    Int normalBits =
        (exponent + kFloatBias) << kFloatMantissa | mantissa << (kFloatMantissa - layout.mantissaBits);
    Int value = subnormal ? bits(toFloat(mantissa) * subnormalUnit) : normalBits;
    Int none = odd | zero;
    write(load.values + i, floats((value | negative) & ~none));
    write(load.exponents + i, none ? splat(kNoExponent) : exponent + load.exponentBias);
    write(load.odd + i, read<Int>(load.odd + i) | odd);
    any |= odd;
  }
  return anyOf(any);
}

bool load(const WideLoad& load) {
  switch (load.layout.bytes) {
  case 1: return loadOf<std::uint8_t, false>(load);
  case 2:
    return load.layout.mantissaBits == kF16.mantissaBits ? loadOf<std::uint16_t, true>(load)
                                                         : loadOf<std::uint16_t, false>(load);
  default: return loadOf<std::uint32_t, false>(load);
  }
}

/// What steps result in.
enum class Result {
  F32,
  Cut,  ///< an f32 whose last bits are cut off
  Half, ///< rounded to an f16, kept as a float
};

/// The float next to `sum` toward zero, or with its last bit set if `kSticky` and it is inexact; `odd` where
/// it cannot be told.
template <bool kSticky> Float toFloatTowardZero(Int sum, [[maybe_unused]] Int& odd) {
#ifdef __AVX512F__
  if constexpr (kLanes == 16) {
    Float value = (Float)_mm512_cvt_roundepi32_ps((__m512i)sum, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    return kSticky ? floats(bits(value) | ((toInt(value) != sum) & 1)) : value;
  }
#endif
  odd |= sum > 0x7fffff00; // which becomes 2^31, and no Int again
  Float value = toFloat(sum);
  Int back = toInt(value), positive = sum >= 0;
  Int tooFar = ((back ^ positive) - positive) < ((sum ^ positive) - positive); // both made negative
  Int result = bits(value) + tooFar;                                           // a mask is -1
  return floats(kSticky ? result | ((back != sum) & 1) : result);
}

/// To the nearest f16, as a float; an infinity where it is too large, +0 where it is too small. `value` was
/// made sticky.
Float toHalf(Float value) {
  Int magnitude = bits(value) & INT32_MAX, sign = bits(value) & INT32_MIN;
  constexpr std::int32_t kLeastNormal = (kFloatBias - 14) << kFloatMantissa, kTooLarge = (kFloatBias + 16)
                                                                                         << kFloatMantissa;
  Int normal = (magnitude + 0xfff + (magnitude >> 13 & 1)) & ~0x1fff;
  normal = normal >= kTooLarge ? splat(0xff << kFloatMantissa) : normal;
  constexpr float kShift = 0.75f; // the last place of [0.5, 1) is 2^-24
  Int subnormal = bits((floats(magnitude) + kShift) - kShift);
  Int result = magnitude < kLeastNormal ? subnormal : normal;
  return floats(result ? result | sign : result);
}

constexpr std::size_t kMostProducts = 16; ///< whose sum fits an Int, if a term has 27 bits

/// The chains of kRows × kLanes outputs. kProducts of a step, 0 = what the task says; kMayWrap if the sum of
/// a step may leave an Int. Exponents of products are biased as those of floats are.
template <Result kResult, std::size_t kProducts, bool kMayWrap, int kRows> class Chains {
public:
  Chains(const WideTask& task, int row, std::size_t column)
      : task_(task), columns_(static_cast<std::size_t>(task.columns)),
        depth_(static_cast<std::size_t>(task.k)), place_(static_cast<std::size_t>(row) * columns_ + column),
        aValues_(task.aValues + static_cast<std::size_t>(row) * depth_),
        aExponents_(task.aExponents + static_cast<std::size_t>(row) * depth_),
        bValues_(task.bValues + column), bExponents_(task.bExponents + column) {}

  /// What is odd in any.
  Int run() {
    for (std::size_t r = 0; r < kRows; ++r) {
      Float c = read<Float>(task_.d + place_ + r * columns_);
      c_[r] = floats((bits(c) & INT32_MAX) == 0 ? Int{} : bits(c)); // -0 is never a result
      odd_[r] = read<Int>(task_.odd + place_ + r * columns_);
    }
    least_ = splat(task_.leastExponentOfC + kFloatBias);
    std::size_t products = kProducts ? kProducts : static_cast<std::size_t>(task_.products);
    for (std::size_t from = 0; from < depth_; from += products) {
      step(from, kProducts || from + products <= depth_ ? from + products : depth_);
      least_ = splat(kFloatBias + (kResult == Result::Half ? -14 : -126));
    }
    Int any{};
    for (std::size_t r = 0; r < kRows; ++r) {
      write(task_.d + place_ + r * columns_, c_[r]);
      write(task_.odd + place_ + r * columns_, odd_[r]);
      any |= odd_[r];
    }
    return any;
  }

private:
  void step(std::size_t from, std::size_t to) {
    Int greatest[kRows], sum[kRows];
    Float unit[kRows];
    for (std::size_t r = 0; r < kRows; ++r)
      greatest[r] = greater(exponentOfC(r), splat(task_.floor + kFloatBias));
    for (std::size_t k = from; k < to; ++k) {
      Int exponents = read<Int>(bExponents_ + k * columns_);
      for (std::size_t r = 0; r < kRows; ++r)
        greatest[r] = greater(greatest[r], exponents + aExponents_[r * depth_ + k]);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      unit[r] = power(task_.fraction + 2 * kFloatBias - greatest[r]);
      sum[r] = toInt(c_[r] * unit[r]);
    }
    if constexpr (kMayWrap)
      for (std::size_t begin = from; begin < to; begin += kMostProducts)
        addWatched(begin, begin + kMostProducts < to ? begin + kMostProducts : to, unit, sum);
    else
      add(from, to, unit, sum);
    for (std::size_t r = 0; r < kRows; ++r)
      c_[r] = rounded(r, sum[r], greatest[r]);
  }

  /// Biased.
  Int exponentOfC(std::size_t r) {
    Int exponent = bits(c_[r]) >> kFloatMantissa & 0xff;
    odd_[r] |= exponent == 0xff;
    if constexpr (kResult != Result::Half)
      return exponent; // those of zero and subnormals are below any floor
    return bits(c_[r]) == 0 ? splat(kNoExponent) : greater(exponent, least_);
  }

  void add(std::size_t from, std::size_t to, const Float (&unit)[kRows], Int (&sum)[kRows]) const {
    for (std::size_t k = from; k < to; ++k) {
      Float values = read<Float>(bValues_ + k * columns_);
      for (std::size_t r = 0; r < kRows; ++r)
        sum[r] += toInt(values * aValues_[r * depth_ + k] * unit[r]);
    }
  }

  void addWatched(std::size_t from, std::size_t to, const Float (&unit)[kRows], Int (&sum)[kRows]) {
    Int part[kRows] = {};
    add(from, to, unit, part);
    for (std::size_t r = 0; r < kRows; ++r) {
      Int total = (Int)((Word)part[r] + (Word)sum[r]); // wraps
      odd_[r] |= ((part[r] ^ total) & (sum[r] ^ total)) < 0;
      sum[r] = total;
    }
  }

  Float rounded(std::size_t r, Int sum, Int greatest) {
    Float result =
        toFloatTowardZero < kResult == Result::Half > (sum, odd_[r]) * power(greatest - task_.fraction);
    if constexpr (kResult == Result::Half) return toHalf(result);
    // Lower than sums are aligned there is no product, and C stays.
    Int kept = greatest == task_.floor + kFloatBias ? bits(c_[r]) : bits(result);
    if constexpr (kResult == Result::F32) return floats(kept);
    kept &= task_.resultMask;
    return floats((kept & INT32_MAX) == 0 ? Int{} : kept);
  }

  const WideTask& task_;
  std::size_t columns_, depth_, place_;
  const float* aValues_;
  const std::int32_t* aExponents_;
  const float* bValues_;
  const std::int32_t* bExponents_;
  Float c_[kRows];
  Int odd_[kRows], least_;
};

template <Result kResult, std::size_t kProducts, bool kMayWrap> bool multiplyOf(const WideTask& task) {
  Int any{};
  constexpr int kRows = 4;
  for (std::size_t column = 0; column < static_cast<std::size_t>(task.columns); column += kLanes) {
    int row = 0;
    for (; row + kRows <= task.rows; row += kRows)
      any |= Chains<kResult, kProducts, kMayWrap, kRows>(task, row, column).run();
    for (; row < task.rows; ++row)
      any |= Chains<kResult, kProducts, kMayWrap, 1>(task, row, column).run();
  }
  return anyOf(any);
}

bool multiply(const WideTask& task) {
  if (task.half) return multiplyOf<Result::Half, 0, true>(task);
  if (~task.resultMask) return multiplyOf<Result::Cut, 0, true>(task);
  bool whole = task.k % task.products == 0;
  if (whole && task.products == 4 && task.fraction <= 25) return multiplyOf<Result::F32, 4, false>(task);
  if (whole && task.products == 8 && task.fraction <= 25) return multiplyOf<Result::F32, 8, false>(task);
  if (whole && task.products == 16) return multiplyOf<Result::F32, 16, true>(task);
  return multiplyOf<Result::F32, 0, true>(task);
}

} // namespace

} // namespace harness::mma
