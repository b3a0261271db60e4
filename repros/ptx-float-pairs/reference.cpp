#include "harness/reference.h"

#include <cfenv>
#include <cmath>
#include <cstring>

namespace {

/// One operation under a rounding of the host, which its compiler does not know of.
template <typename Operation> float rounded(int mode, Operation operation) {
  std::fesetround(mode);
  volatile float r = operation();
  std::fesetround(FE_TONEAREST);
  return r;
}

float flushed(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* x = static_cast<const float*>(args[0]);
  const float* y = static_cast<const float*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t)
    for (std::uint32_t half = 0; half < 2; ++half) {
      volatile float a = x[2 * t + half], b = y[2 * t + half], c = x[2 * (t ^ 5) + half];
      const float r[4] = {rounded(FE_TOWARDZERO, [&] { return a + b; }),
                          rounded(FE_DOWNWARD, [&] { return a - b; }), flushed(flushed(a) * flushed(b)),
                          rounded(FE_UPWARD, [&] { return std::fma(a, b, c); })};
      for (std::uint32_t i = 0; i < 4; ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, &r[i], sizeof bits);
        out[8 * t + 2 * i + half] = std::isnan(r[i]) ? 0x7fffffff : bits;
      }
    }
}
