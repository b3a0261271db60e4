#include "harness/reference.h"

#include <cmath>
#include <cstring>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  static constexpr float kE2M1[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  const auto* codes = static_cast<const std::uint8_t*>(args[0]);
  const auto* scales = static_cast<const std::uint8_t*>(args[1]);
  auto* out = static_cast<std::uint16_t*>(args[2]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < blocks * 32; ++i) {
    int code = i % 2 ? codes[i / 2] / 16 : codes[i / 2] % 16, scale = scales[i / 32];
    float value = std::ldexp(code < 8 ? kE2M1[code] : -kE2M1[code - 8], scale - 127);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    out[i] = scale == 255 ? 0x7fc0 : static_cast<std::uint16_t>(bits >> 16); // exact: the lower half is zero
  }
}
