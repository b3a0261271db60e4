#include "harness/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

std::uint32_t bits(float v) {
  std::uint32_t r;
  std::memcpy(&r, &v, sizeof r);
  return std::isnan(v) ? 0x7fffffff : r;
}

/// Numbers in their order, -0 before 0, as integers.
std::int64_t rank(float v) {
  std::int64_t r = bits(std::fabs(v));
  return std::signbit(v) ? -r - 1 : r;
}

float flushed(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}

/// NaNs count only if all are, or if `nan`.
template <std::size_t N> float extreme(const float (&v)[N], bool greatest, bool nan) {
  float best = NAN;
  for (float each : v) {
    if (std::isnan(each)) {
      if (nan) return NAN;
    } else if (std::isnan(best) || (greatest ? rank(each) > rank(best) : rank(each) < rank(best)))
      best = each;
  }
  return best;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* x = static_cast<const float*>(args[0]);
  const float* y = static_cast<const float*>(args[1]);
  const float* z = static_cast<const float*>(args[2]);
  const std::int32_t* n = static_cast<const std::int32_t*>(args[3]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[4]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 8) {
    float a = x[t], b = y[t], c = z[t];
    bool negative = std::signbit(a) != std::signbit(b);
    auto signedly = [&](float v) { return std::isnan(v) ? bits(v) : bits(v) | (negative ? 0x80000000 : 0); };
    out[0] = bits(extreme({a, b}, false, true));
    out[1] = bits(extreme({flushed(a), flushed(b)}, true, true));
    out[2] = signedly(extreme({std::fabs(a), std::fabs(b)}, false, false));
    out[3] = signedly(extreme({std::fabs(a), std::fabs(b)}, true, true));
    out[4] = bits(extreme({a, b, c}, false, false));
    out[5] = bits(extreme({std::fabs(a), std::fabs(b), std::fabs(c)}, true, true));
    out[6] = static_cast<std::uint32_t>(std::max({n[t], n[(t + 37) % 128], 0}));
    std::uint32_t first, second;
    std::memcpy(&first, &a, sizeof first);
    std::memcpy(&second, &c, sizeof second);
    first ^= t;
    out[7] = 0;
    for (int half = 0; half < 32; half += 16) {
      std::int16_t p = static_cast<std::int16_t>(first >> half),
                   q = static_cast<std::int16_t>(second >> half);
      out[7] |= std::uint32_t{static_cast<std::uint16_t>(std::max(std::min(p, q), std::int16_t{0}))} << half;
    }
  }
}
