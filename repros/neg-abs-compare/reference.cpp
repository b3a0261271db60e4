#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* out = static_cast<std::int32_t*>(args[1]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t n = x[i] > 0 ? -x[i] : x[i]; // INT_MIN is its own absolute value and negation
    std::int32_t r[8] = {n != -1 ? 1 : 2,        n == -5 ? 1 : 2, n < 0 ? 1 : 2,   n > -100 ? 1 : 2,
                         n == INT32_MIN ? 1 : 2, n >= 0 ? 1 : 2,  std::max(n, -7), n};
    for (int k = 0; k < 8; ++k)
      out[i * 8 + static_cast<std::uint32_t>(k)] = r[k];
  }
}
