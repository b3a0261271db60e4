#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

/// The bits of the nearest binary16, ties to even; `v` is below 512.
std::uint32_t half(float v) {
  int power = v == 0 ? -14 : std::max(std::ilogb(v), -14);
  double units = std::nearbyint(std::ldexp(std::fabs(static_cast<double>(v)), 10 - power));
  std::uint32_t bits = static_cast<std::uint32_t>(units) + static_cast<std::uint32_t>(power + 14) * 1024;
  return bits | (std::signbit(v) ? 0x8000 : 0);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t i = 0; i < 2 * launch->block[0]; ++i)
    out[i] = static_cast<std::uint8_t>(half(in[i]));
}
