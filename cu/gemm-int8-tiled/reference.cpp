#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* a = static_cast<const std::int8_t*>(args[0]);
  auto* b = static_cast<const std::int8_t*>(args[1]);
  auto* c = static_cast<std::int32_t*>(args[2]);
  int m = *static_cast<const std::int32_t*>(args[3]);
  int n = *static_cast<const std::int32_t*>(args[4]);
  int k = *static_cast<const std::int32_t*>(args[5]);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      int sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[row * k + i] * b[col * k + i];
      c[row * n + col] = sum;
    }
}
