#include "harness/reference.h"

#include <cmath>

namespace {

double halfValue(unsigned bits) {
  unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 31) return 0;
  double magnitude =
      exponent ? std::ldexp(1024.0 + mantissa, static_cast<int>(exponent) - 25) : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* in = static_cast<const std::uint8_t*>(args[0]);
  auto* out = static_cast<float*>(args[1]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[2]);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const std::uint8_t* block = in + b * 144;
    const std::uint8_t* packed = block + 4;
    double d = halfValue(block[0] + 256u * block[1]), dmin = halfValue(block[2] + 256u * block[3]);
    int scale[8], minimum[8];
    for (int j = 0; j < 4; ++j) {
      scale[j] = packed[j] % 64;
      minimum[j] = packed[4 + j] % 64;
      scale[4 + j] = packed[8 + j] % 16 + packed[j] / 64 * 16;
      minimum[4 + j] = packed[8 + j] / 16 + packed[4 + j] / 64 * 16;
    }
    for (int i = 0; i < 256; ++i) {
      int byte = block[16 + i / 64 * 32 + i % 32];
      int nibble = i % 64 < 32 ? byte % 16 : byte / 16;
      // Both products have at most 21 significant bits; the difference of two floats is rounded once.
      float product = static_cast<float>(d * scale[i / 32] * nibble);
      float offset = static_cast<float>(dmin * minimum[i / 32]);
      out[b * 256 + i] = product - offset;
    }
  }
}
