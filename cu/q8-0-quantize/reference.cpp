#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

/// IEEE binary16 bits of a finite value >= 0, to nearest-even, counted in units of the last place.
std::uint16_t halfBits(float value) {
  if (value == 0) return 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  int lastPlace = std::max(exponent - 11, -24);
  double units = std::nearbyint(std::ldexp(static_cast<double>(value), -lastPlace));
  double bits = units + 1024.0 * (lastPlace + 24); // the implicit bit adds one to the exponent field
  return static_cast<std::uint16_t>(std::min(bits, 31744.0));
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  const auto* factor = static_cast<const float*>(args[1]);
  auto* out = static_cast<std::uint8_t*>(args[2]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[3]);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    float value[32], largest = 0;
    for (int i = 0; i < 32; ++i) {
      value[i] = x[b * 32 + i] * factor[b];
      largest = std::max(largest, std::fabs(value[i]));
    }
    float d = largest / 127.0f;
    float inverse = d != 0 ? 1.0f / d : 0.0f;
    std::uint16_t bits = halfBits(d);
    std::uint8_t* block = out + b * 34;
    block[0] = static_cast<std::uint8_t>(bits & 255);
    block[1] = static_cast<std::uint8_t>(bits >> 8);
    for (int i = 0; i < 32; ++i)
      block[2 + i] = static_cast<std::uint8_t>(std::lround(value[i] * inverse));
  }
}
