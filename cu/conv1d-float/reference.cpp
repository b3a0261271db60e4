#include "harness/reference.h"

#include <algorithm>
#include <cmath>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* x = static_cast<const float*>(args[0]);
  auto* taps = static_cast<const float*>(args[1]);
  auto* out = static_cast<float*>(args[2]);
  int n = *static_cast<const std::int32_t*>(args[3]), dilation = *static_cast<const std::int32_t*>(args[4]);
  float bias = *static_cast<const float*>(args[5]);
  for (int i = 0; i < n; ++i) {
    float sum = bias;
    for (int tap = 0; tap < 9; ++tap)
      sum = std::fma(taps[tap], x[std::clamp(i + (tap - 4) * dilation, 0, n - 1)], sum);
    out[2 * i] = sum;
    out[2 * i + 1] = sum <= 0 ? 0.0f : std::min(sum, 6.0f);
  }
}
