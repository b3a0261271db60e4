#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

float halfValue(unsigned bits) {
  unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double magnitude =
      exponent ? std::ldexp(1024.0 + mantissa, static_cast<int>(exponent) - 25) : std::ldexp(mantissa, -24);
  return static_cast<float>(bits & 0x8000 ? -magnitude : magnitude);
}

/// IEEE binary16 bits to nearest-even, counted in units of the last place.
std::uint16_t halfBits(double value) {
  if (value == 0) return std::signbit(value) ? 0x8000 : 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  int lastPlace = std::max(exponent - 11, -24);
  double units = std::nearbyint(std::ldexp(std::fabs(value), -lastPlace));
  double bits = std::min(units + 1024.0 * (lastPlace + 24), 31744.0);
  return static_cast<std::uint16_t>(static_cast<unsigned>(bits) | (std::signbit(value) ? 0x8000u : 0u));
}

/// Lane i + distance is added to lane i; what lane 0 ends with.
float folded(float* lane) {
  for (int distance = 16; distance > 0; distance /= 2)
    for (int i = 0; i < distance; ++i)
      lane[i] += lane[i + distance];
  return lane[0];
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const std::uint16_t*>(args[0]);
  const auto* gain = static_cast<const float*>(args[1]);
  const auto* bias = static_cast<const float*>(args[2]);
  auto* out = static_cast<std::uint16_t*>(args[3]);
  auto* stats = static_cast<float*>(args[4]);
  std::uint32_t rows = *static_cast<const std::uint32_t*>(args[5]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[6]) * 2;
  float eps = *static_cast<const float*>(args[7]);
  for (std::uint32_t row = 0; row < rows; ++row, x += n, out += n) {
    float sum[32] = {}, squares[32] = {};
    for (std::uint32_t i = 0; i < n; ++i)
      sum[i / 2 % 32] += halfValue(x[i]);
    float mean = folded(sum) / static_cast<float>(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      float d = halfValue(x[i]) - mean;
      squares[i / 2 % 32] = std::fma(d, d, squares[i / 2 % 32]);
    }
    float r = 1.0f / std::sqrt(folded(squares) / static_cast<float>(n) + eps);
    for (std::uint32_t i = 0; i < n; ++i)
      out[i] = halfBits(std::fma((halfValue(x[i]) - mean) * r, gain[i], bias[i]));
    stats[row * 2] = mean;
    stats[row * 2 + 1] = r;
  }
}
