#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

/// The exponent of the power of two below or above a positive number, plus 127.
std::uint32_t scale(float v, bool up) {
  if (std::isnan(v)) return 255;
  if (std::isinf(v)) return 254;
  double power = up ? std::ceil(std::log2(static_cast<double>(v))) : std::ilogb(v);
  return static_cast<std::uint32_t>(std::min(power, 127.0) + 127);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 2) {
    float high = std::fabs(in[t]) + 1e-30f, low = std::fabs(in[(t + 1) % 128]) + 1e-30f;
    out[0] = scale(high, false) << 8 | scale(low, false);
    out[1] = scale(high, true) << 8 | scale(low, true);
  }
}
