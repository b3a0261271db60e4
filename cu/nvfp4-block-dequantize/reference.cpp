#include "harness/reference.h"

#include <cmath>
#include <cstring>

namespace {

constexpr float kE2M1[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

float e4m3(int code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  if (exponent == 15 && mantissa == 7) return 0;
  float magnitude = exponent ? std::ldexp(static_cast<float>(8 + mantissa), exponent - 10)
                             : std::ldexp(static_cast<float>(mantissa), -9);
  return code & 0x80 ? -magnitude : magnitude;
}

/// A float's upper half, to nearest-even: of the two neighbours the nearer, on a tie the even one.
std::uint16_t bfloat(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  std::uint32_t below = bits / 65536, rest = bits % 65536;
  bool up = rest > 32768 || (rest == 32768 && below % 2 == 1);
  return static_cast<std::uint16_t>(below + (up ? 1 : 0));
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* codes = static_cast<const std::uint8_t*>(args[0]);
  const auto* scales = static_cast<const std::uint8_t*>(args[1]);
  float all = *static_cast<const float*>(args[2]);
  auto* out = static_cast<std::uint16_t*>(args[3]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t i = 0; i < blocks * 16; ++i) {
    int code = i % 2 ? codes[i / 2] / 16 : codes[i / 2] % 16;
    float value = kE2M1[code % 8] * e4m3(scales[i / 16]) * all;
    out[i] = bfloat(code < 8 ? value : -value);
  }
}
