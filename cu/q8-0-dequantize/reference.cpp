#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

double halfValue(unsigned bits) {
  unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 31) return 0;
  double magnitude =
      exponent ? std::ldexp(1024.0 + mantissa, static_cast<int>(exponent) - 25) : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
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

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* in = static_cast<const std::uint8_t*>(args[0]);
  auto* out = static_cast<std::uint16_t*>(args[1]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[2]);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const std::uint8_t* block = in + b * 34;
    double d = halfValue(block[0] + 256u * block[1]);
    for (int i = 0; i < 32; ++i) {
      int quant = block[2 + i] < 128 ? block[2 + i] : block[2 + i] - 256;
      out[b * 32 + i] = halfBits(d * quant);
    }
  }
}
