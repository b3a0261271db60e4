#include "harness/reference.h"

#include <cmath>
#include <cstring>

namespace {

template <typename To, typename From> To bits(From v) {
  To r;
  std::memcpy(&r, &v, sizeof r);
  return r;
}

float flushed(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}

bool normal(int kind) {
  return kind == FP_NORMAL || kind == FP_ZERO;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* x = static_cast<const float*>(args[0]);
  const float* y = static_cast<const float*>(args[1]);
  const double* w = static_cast<const double*>(args[2]);
  const std::int32_t* n = static_cast<const std::int32_t*>(args[3]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[4]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 11) {
    float a = x[t], b = y[t];
    bool unordered = std::isnan(a) || std::isnan(b), less = unordered || a < b || std::isnan(a);
    out[0] = a >= 0 ? t : ~t;
    out[1] = flushed(a) >= 0 ? t : ~t;
    out[2] = bits<std::uint32_t>(n[t] >= 0 ? a : b);
    out[3] = (unordered || a > b) != (n[t] >= 5) ? 0x3f800000 : 0;
    out[4] = flushed(a) <= flushed(b) ? ~0u : 0;
    out[5] = std::isnan(w[t]) || std::isnan(w[t * 3 % 128]) ? ~0u : 0;
    int kind = std::fpclassify(a), wide = std::fpclassify(w[t]);
    // PTX counts zeros as normal.
    out[6] = std::uint32_t{kind != FP_NAN && kind != FP_INFINITE} | (kind == FP_INFINITE) << 1 |
             (kind != FP_NAN) << 2 | (kind == FP_NAN) << 3 | normal(kind) << 4 | (kind == FP_SUBNORMAL) << 5 |
             normal(wide) << 6 | (wide == FP_SUBNORMAL) << 7 | (wide == FP_INFINITE) << 8;
    std::uint32_t sign = bits<std::uint32_t>(a) & 0x80000000;
    out[7] = (bits<std::uint32_t>(b) & 0x7fffffff) | sign;
    std::uint32_t high = static_cast<std::uint32_t>(bits<std::uint64_t>(w[t]) >> 32);
    out[8] = (high & 0x7fffffff) | (n[t] < 0 ? 0x80000000 : 0);
    // The second predicate negates the comparison, not the whole.
    bool isNan = std::isnan(a), compared = unordered || a < b;
    bool second = !compared || isNan;
    out[9] = std::uint32_t{less} + 2 * second;
    out[10] = static_cast<std::uint32_t>((second ? 0x123456789ull : ~0ull << t % 64) >> 20);
  }
}
