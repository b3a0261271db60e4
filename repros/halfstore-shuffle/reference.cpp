#include "harness/reference.h"

#include <algorithm>
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
  const float* in = static_cast<const float*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block, in += 32) {
    float most = 0;
    for (int lane = 0; lane < 32; ++lane)
      most = std::max(most, std::fabs(in[lane]));
    *out++ = static_cast<std::uint8_t>(half(most) % 256);
    *out++ = static_cast<std::uint8_t>(half(most) / 256);
  }
}
