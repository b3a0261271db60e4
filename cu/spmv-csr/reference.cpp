#include "harness/reference.h"

#include <cmath>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* starts = static_cast<const std::int32_t*>(args[0]);
  auto* columns = static_cast<const std::int32_t*>(args[1]);
  auto* values = static_cast<const float*>(args[2]);
  auto* x = static_cast<const float*>(args[3]);
  auto* y = static_cast<float*>(args[4]);
  std::int32_t rows = *static_cast<const std::int32_t*>(args[5]);
  float alpha = *static_cast<const float*>(args[6]), beta = *static_cast<const float*>(args[7]);
  for (std::int32_t row = 0; row < rows; ++row) {
    float sums[32] = {};
    for (std::int32_t i = starts[row]; i < starts[row + 1]; ++i) {
      float& sum = sums[(i - starts[row]) % 32];
      sum = std::fma(values[i], x[columns[i]], sum);
    }
    for (int count = 16; count > 0; count /= 2)
      for (int i = 0; i < count; ++i)
        sums[i] = sums[i] + sums[i + count];
    float scaled = beta * y[row];
    y[row] = std::fma(alpha, sums[0], scaled);
  }
}
