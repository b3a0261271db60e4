#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

/// In units of the code's last place: halves below 2, ones below 4, twos above.
unsigned e2m1(double value) {
  double m = std::fabs(value), rounded = 0;
  if (m < 2)
    rounded = std::nearbyint(m * 2) / 2;
  else if (m < 4)
    rounded = std::nearbyint(m);
  else
    rounded = std::min(std::nearbyint(m / 2) * 2, 6.0);
  static constexpr double kValues[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  auto code = static_cast<unsigned>(std::find(kValues, kValues + 8, rounded) - kValues);
  return code + (std::signbit(value) ? 8 : 0);
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  const auto* factor = static_cast<const float*>(args[1]);
  auto* codes = static_cast<std::uint32_t*>(args[2]);
  auto* scales = static_cast<std::uint8_t*>(args[3]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    float value[32], most = 0;
    for (int i = 0; i < 32; ++i) {
      value[i] = x[b * 32 + i] * factor[b];
      most = std::max(most, std::fabs(value[i]));
    }
    int power = most == 0 ? -127 : std::max(std::ilogb(most) - 2, -127);
    scales[b] = static_cast<std::uint8_t>(power + 127);
    for (int word = 0; word < 4; ++word) {
      std::uint32_t bits = 0;
      for (int k = 7; k >= 0; --k)
        bits = bits * 16 + e2m1(std::ldexp(static_cast<double>(value[word * 8 + k]), -power));
      codes[b * 4 + word] = bits;
    }
  }
}
