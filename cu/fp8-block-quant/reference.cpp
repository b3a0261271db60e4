#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

/// The value of a positive E4M3 code below 0x7f, the NaN.
double e4m3(int code) {
  return code < 8 ? std::ldexp(code, -9) : std::ldexp(8 + code % 8, code / 8 - 10);
}

/// The code whose value is nearest, the even one of two that are equally near; beyond the last, the last.
std::uint8_t encode(double value) {
  if (std::isnan(value)) return 0x7f;
  double magnitude = std::min(std::fabs(value), e4m3(0x7e));
  int best = 0;
  for (int code = 1; code < 0x7f; ++code) {
    double nearer = std::fabs(e4m3(best) - magnitude) - std::fabs(e4m3(code) - magnitude);
    if (nearer > 0 || (nearer == 0 && code % 2 == 0)) best = code;
  }
  return static_cast<std::uint8_t>(best | (std::signbit(value) ? 0x80 : 0));
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  const auto* factor = static_cast<const float*>(args[1]);
  auto* codes = static_cast<std::uint8_t*>(args[2]);
  auto* scales = static_cast<float*>(args[3]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t b = 0; b < blocks; ++b, x += 32, codes += 32) {
    float value[32], largest = 0;
    for (int i = 0; i < 32; ++i) {
      value[i] = x[i] * factor[b];
      largest = std::max(largest, std::fabs(value[i]));
    }
    scales[b] = largest / 448;
    // A scale of 0: the values are far below the least code, so they are zeros as they stand.
    for (int i = 0; i < 32; ++i)
      codes[i] = encode(scales[b] > 0 ? value[i] / scales[b] : value[i]);
  }
}
