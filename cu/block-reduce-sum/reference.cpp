#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* integers = static_cast<const std::int32_t*>(args[0]);
  const auto* floats = static_cast<const float*>(args[1]);
  auto* sums = static_cast<std::int64_t*>(args[2]);
  auto* floatSums = static_cast<float*>(args[3]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block, integers += n, floats += n) {
    std::int64_t sum = 0;
    float thread[256] = {};
    for (std::uint32_t i = 0; i < n; ++i) {
      sum += std::int64_t{integers[i]} * integers[(i + 1) % n] / 4096;
      thread[i % 256] += floats[i];
    }
    for (int s = 128; s > 0; s /= 2)
      for (int t = 0; t < s; ++t)
        thread[t] += thread[t + s];
    sums[block] = sum;
    floatSums[block] = thread[0];
  }
}
