#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  auto* total = static_cast<std::uint32_t*>(args[2]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[3]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = block * n; i < (block + 1) * n; ++i)
      out[i] = sum += x[i];
    total[block] = sum;
  }
}
