#include "harness/reference.h"

#include <cmath>
#include <cstring>

namespace {

float value(std::uint16_t bits) {
  std::uint32_t word = bits * 65536u;
  float v = 0;
  std::memcpy(&v, &word, sizeof v);
  return v;
}

/// The nearer of the two bfloat16 neighbours, on a tie the even one.
std::uint16_t bits(float v) {
  std::uint32_t word = 0;
  std::memcpy(&word, &v, sizeof word);
  std::uint32_t below = word / 65536, rest = word % 65536;
  return static_cast<std::uint16_t>(below + (rest > 32768 || (rest == 32768 && below % 2 == 1) ? 1 : 0));
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* residual = static_cast<std::uint16_t*>(args[1]);
  const auto* gain = static_cast<const std::uint16_t*>(args[2]);
  auto* out = static_cast<std::uint16_t*>(args[3]);
  auto* factor = static_cast<float*>(args[4]);
  std::uint32_t cols = *static_cast<const std::uint32_t*>(args[5]);
  float eps = *static_cast<const float*>(args[6]);
  for (std::uint32_t row = 0; row < launch->grid[0]; ++row, x += cols, residual += cols, out += cols) {
    float thread[64] = {};
    for (std::uint32_t i = 0; i < cols; ++i) {
      residual[i] = bits(value(residual[i]) + value(x[i]));
      float v = value(residual[i]);
      float& acc = thread[i / 8 % 64];
      acc = std::fma(v, v, acc);
    }
    for (int width = 16; width > 0; width /= 2)
      for (int i = 0; i < 64; ++i)
        if (i % 32 < width) thread[i] += thread[i + width];
    float r = 1.0f / std::sqrt((thread[0] + thread[32]) / static_cast<float>(cols) + eps);
    factor[row] = r;
    for (std::uint32_t i = 0; i < cols; ++i)
      out[i] = bits(value(residual[i]) * r * value(gain[i]));
  }
}
