#include "harness/reference.h"

#include <cmath>

namespace {

/// The value of finite binary16 bits.
float half(std::uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude = exponent ? std::ldexp(static_cast<float>(1024 + fraction), exponent - 25)
                             : std::ldexp(static_cast<float>(fraction), -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* a = static_cast<const std::uint16_t*>(args[0]);
  auto* b = static_cast<const std::uint16_t*>(args[1]);
  auto* c = static_cast<float*>(args[2]);
  int m = *static_cast<const std::int32_t*>(args[3]);
  int n = *static_cast<const std::int32_t*>(args[4]);
  int k = *static_cast<const std::int32_t*>(args[5]);
  float alpha = *static_cast<const float*>(args[6]), beta = *static_cast<const float*>(args[7]);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum = std::fma(half(a[row * k + i]), half(b[i * n + col]), sum);
      float& out = c[row * n + col];
      float scaled = beta * out;
      out = std::fma(alpha, sum, scaled);
    }
}
