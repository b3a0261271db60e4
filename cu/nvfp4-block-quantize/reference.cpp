#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr float kE2M1[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

float e4m3(int code) {
  return code < 8 ? std::ldexp(static_cast<float>(code), -9)
                  : std::ldexp(static_cast<float>(8 + code % 8), code / 8 - 10);
}

/// The code whose value is nearest, the even one of two that are equally near; beyond the last, the last.
int nearest(float value, int codes, float (*valueOf)(int)) {
  int best = 0;
  for (int code = 1; code < codes; ++code) {
    double now = std::fabs(static_cast<double>(valueOf(code)) - value);
    double before = std::fabs(static_cast<double>(valueOf(best)) - value);
    if (now < before || (now == before && code % 2 == 0)) best = code;
  }
  return best;
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  const auto* factor = static_cast<const float*>(args[1]);
  float all = *static_cast<const float*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  auto* scales = static_cast<std::uint8_t*>(args[4]);
  std::uint32_t blocks = *static_cast<const std::uint32_t*>(args[5]);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    float value[16], most = 0;
    for (int i = 0; i < 16; ++i) {
      value[i] = x[b * 16 + i] * factor[b];
      most = std::max(most, std::fabs(value[i]));
    }
    int scale = nearest(most / 6.0f * all, 127, e4m3);
    float inverse = scale ? all / e4m3(scale) : 0.0f;
    scales[b] = static_cast<std::uint8_t>(scale);
    out[b * 2] = out[b * 2 + 1] = 0;
    for (std::uint32_t i = 0; i < 16; ++i) {
      float scaled = value[i] * inverse;
      int code = nearest(std::fabs(scaled), 8, [](int c) { return kE2M1[c]; });
      if (std::signbit(scaled)) code += 8;
      out[b * 2 + i / 8] |= static_cast<std::uint32_t>(code) << (i % 8 * 4);
    }
  }
}
