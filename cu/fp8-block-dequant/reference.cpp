#include "harness/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

/// The value of an E4M3 code; a NaN code counts as zero.
float e4m3(std::uint8_t code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  if (exponent == 15 && mantissa == 7) return 0.0f;
  float magnitude = exponent ? std::ldexp(static_cast<float>(8 + mantissa), exponent - 10)
                             : std::ldexp(static_cast<float>(mantissa), -9);
  return code & 0x80 ? -magnitude : magnitude;
}

/// IEEE binary16 bits of a finite value >= 0, nearest-even: `value` in units of the half's last place.
std::uint16_t halfBits(float value) {
  int exponent = 0;
  std::frexp(value, &exponent);                 // value = m * 2^exponent with m in [0.5, 1)
  int lastPlace = std::max(exponent - 11, -24); // 11 significant bits, subnormals end at 2^-24
  auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(value, -lastPlace)));
  // Normals hold 1024…2047 units, and the implicit bit adds one to the exponent field.
  std::uint32_t bits = units + (static_cast<std::uint32_t>(lastPlace + 24) << 10);
  return static_cast<std::uint16_t>(std::min(bits, 0x7c00u));
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* weights = static_cast<const std::uint8_t*>(args[0]);
  const auto* scales = static_cast<const float*>(args[1]);
  auto* out = static_cast<std::uint8_t*>(args[2]);
  std::uint32_t rows = *static_cast<const std::uint32_t*>(args[3]);
  std::uint32_t cols = *static_cast<const std::uint32_t*>(args[4]);
  std::uint32_t scalesPerRow = (cols + 127) / 128;

  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t from = 0; from < cols; from += 32) {
      float weight[32], largest = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        weight[i] =
            e4m3(weights[row * cols + from + i]) * scales[row / 128 * scalesPerRow + (from + i) / 128];
        largest = std::max(largest, std::fabs(weight[i]));
      }
      float inverse = largest > 0 ? 127.0f / largest : 0.0f;
      std::uint16_t d = halfBits(largest * (1.0f / 127.0f));
      out[0] = static_cast<std::uint8_t>(d);
      out[1] = static_cast<std::uint8_t>(d >> 8);
      for (std::uint32_t i = 0; i < 32; ++i)
        out[2 + i] = static_cast<std::uint8_t>(static_cast<int>(std::nearbyint(weight[i] * inverse)));
      out += 34;
    }
  }
}
