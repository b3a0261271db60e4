#include "harness/reference.h"

#include <cmath>

namespace {

float halfValue(unsigned bits) {
  unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 31) return 0;
  double magnitude =
      exponent ? std::ldexp(1024.0 + mantissa, static_cast<int>(exponent) - 25) : std::ldexp(mantissa, -24);
  return static_cast<float>(bits & 0x8000 ? -magnitude : magnitude);
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* weights = static_cast<const std::uint8_t*>(args[0]);
  const auto* quants = static_cast<const std::int8_t*>(args[1]);
  const auto* scales = static_cast<const float*>(args[2]);
  auto* out = static_cast<float*>(args[3]);
  std::uint32_t rows = *static_cast<const std::uint32_t*>(args[4]);
  std::uint32_t supers = *static_cast<const std::uint32_t*>(args[5]);
  for (std::uint32_t row = 0; row < rows; ++row) {
    float lane[8] = {};
    for (std::uint32_t s = 0; s < supers; ++s) {
      const std::uint8_t* block = weights + (row * supers + s) * 144;
      const std::uint8_t* packed = block + 4;
      float d = halfValue(block[0] + 256u * block[1]), dmin = halfValue(block[2] + 256u * block[3]);
      for (int j = 0; j < 8; ++j) {
        int k = j % 4, scale, minimum;
        if (j < 4) {
          scale = packed[k] % 64;
          minimum = packed[4 + k] % 64;
        } else {
          scale = packed[8 + k] % 16 + packed[k] / 64 * 16;
          minimum = packed[8 + k] / 16 + packed[4 + k] / 64 * 16;
        }
        int product = 0, sum = 0;
        for (int i = 0; i < 32; ++i) {
          int byte = block[16 + j / 2 * 32 + i];
          int u = quants[s * 256 + static_cast<std::uint32_t>(j * 32 + i)];
          product += (j % 2 ? byte / 16 : byte % 16) * u;
          sum += u;
        }
        float factor = scales[s * 8 + static_cast<std::uint32_t>(j)];
        float dl = d * static_cast<float>(scale), ml = dmin * static_cast<float>(minimum);
        lane[j] = std::fma(dl, static_cast<float>(product) * factor, lane[j]);
        lane[j] = std::fma(-ml, static_cast<float>(sum) * factor, lane[j]);
      }
    }
    // The butterfly as lane 0 sees it: addition commutes, so it is a tree.
    for (int width = 4; width > 0; width /= 2)
      for (int j = 0; j < width; ++j)
        lane[j] += lane[j + width];
    out[row] = lane[0];
  }
}
