#pragma once

// Operations on whole warps that need the host's vector instructions by name.

#include "harness/sass/op.h"

#include <cstring>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace harness::sass {

/// The lanes of `from` in `mask` to `to`.
inline void copyLanes(std::uint32_t* to, const std::uint32_t* from, LaneMask mask) {
  if (mask == kAllLanes) {
    std::memcpy(to, from, sizeof(Lanes));
    return;
  }
  for (unsigned i = 0; i < kLanes; ++i)
    to[i] = (mask >> i & 1) ? from[i] : to[i];
}

/// out[i] = value[from[i]]; all of `from` are below kLanes.
inline void permuteLanes(Lanes& out, const std::uint32_t* value, const Lanes& from) {
#if defined(__AVX512F__)
  __m512i low = _mm512_loadu_si512(value), high = _mm512_loadu_si512(value + 16);
  for (unsigned i = 0; i < kLanes; i += 16)
    _mm512_store_si512(out.v + i, _mm512_permutex2var_epi32(low, _mm512_load_si512(from.v + i), high));
#else
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] = value[from.v[i]];
#endif
}

/// Lanes whose value is not 0.
inline LaneMask nonZeroLanes(const Lanes& lanes) {
#if defined(__AVX512F__)
  __m512i low = _mm512_load_si512(lanes.v), high = _mm512_load_si512(lanes.v + 16);
  return _mm512_test_epi32_mask(low, low) | LaneMask{_mm512_test_epi32_mask(high, high)} << 16;
#elif defined(__AVX2__)
  LaneMask mask = 0;
  for (unsigned i = 0; i < kLanes; i += 8) {
    __m256i isZero = _mm256_cmpeq_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(lanes.v + i)),
                                        _mm256_setzero_si256());
    mask |= static_cast<LaneMask>(_mm256_movemask_ps(_mm256_castsi256_ps(isZero))) << i;
  }
  return ~mask;
#else
  LaneMask mask = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    mask |= LaneMask{lanes.v[i] != 0} << i;
  return mask;
#endif
}

} // namespace harness::sass
