#include "harness/reference.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>

namespace {

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, 4);
  return std::isnan(value) ? 0x7fc00000 : result;
}

std::uint32_t clamped(float value) {
  return value > 0 ? bits(std::min(value, 1.0f)) : 0;
}

/// a * b + c on the host's unit; a plain product or sum is one of them with an operand of 1 or -0 where that
/// is exact.
float fma(int rounding, float a, float b, float c) {
  volatile float x = a, y = b, z = c;
  std::fesetround(rounding);
  volatile float result = std::fma(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t, out += 10) {
    float a = in[t % 32], b = in[t / 32], c = in[(t * 7 + t / 32) % 32];
    float x = flushed(a), y = flushed(b), z = flushed(c);
    out[0] = bits(flushed(fma(FE_TONEAREST, x, 1, y)));
    out[1] = bits(flushed(fma(FE_UPWARD, y, -1, x)));
    out[2] = bits(flushed(fma(FE_TONEAREST, x, y, -0.0f)));
    out[3] = bits(flushed(fma(FE_TOWARDZERO, x, y, std::copysign(0.0f, x * y))));
    out[4] = bits(flushed(fma(FE_TONEAREST, x, y, z)));
    out[5] = bits(flushed(fma(FE_DOWNWARD, x, y, z)));
    out[6] = clamped(fma(FE_TONEAREST, a, 1, b));
    out[7] = clamped(flushed(fma(FE_UPWARD, x, y, -0.0f)));
    out[8] = clamped(fma(FE_TONEAREST, a, b, c));
    out[9] = clamped(flushed(fma(FE_TOWARDZERO, x, y, z)));
  }
}
