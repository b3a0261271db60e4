#include "harness/reference.h"

#include <algorithm>
#include <numeric>
#include <vector>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  auto* weights = static_cast<float*>(args[1]);
  auto* indices = static_cast<std::int64_t*>(args[2]);
  std::uint32_t rows = *static_cast<const std::uint32_t*>(args[3]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[4]);
  std::uint32_t k = *static_cast<const std::uint32_t*>(args[5]);
  for (std::uint32_t row = 0; row < rows; ++row, x += n, weights += k, indices += k) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return x[a] > x[b]; });
    for (std::uint32_t i = 0; i < k; ++i) {
      weights[i] = x[order[i]];
      indices[i] = order[i];
    }
  }
}
