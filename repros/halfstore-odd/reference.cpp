#include "harness/reference.h"

#include <cmath>

namespace {

/// The bits of the nearest binary16, ties to even, of a number in its normal range.
std::uint32_t half(float v) {
  int power = std::ilogb(v);
  double units = std::nearbyint(std::ldexp(static_cast<double>(v), 10 - power)); // 1024 … 2048
  return static_cast<std::uint32_t>((power + 14) * 1024 + static_cast<int>(units));
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* scale = static_cast<const float*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 4) {
    std::uint32_t bits = half(scale[t]);
    out[0] = static_cast<std::uint8_t>(t);
    out[1] = static_cast<std::uint8_t>(bits % 256);
    out[2] = static_cast<std::uint8_t>(bits / 256);
    out[3] = static_cast<std::uint8_t>(out[1] + out[2]);
  }
}
