#include "harness/reference.h"

namespace {

/// Order of magnitude-and-sign bits as whole numbers; both zeros are 0, every NaN is above infinity.
int order(std::uint16_t bits) {
  int magnitude = bits % 0x8000;
  if (magnitude > 0x7f80) return 0x10000;
  return bits < 0x8000 ? magnitude : -magnitude;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* index = static_cast<std::int64_t*>(args[1]);
  auto* value = static_cast<std::uint16_t*>(args[2]);
  std::uint32_t cols = *static_cast<const std::uint32_t*>(args[3]);
  for (std::uint32_t row = 0; row < launch->grid[0]; ++row, x += cols) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < cols; ++i)
      if (order(x[i]) > order(x[best])) best = i;
    index[row] = best;
    value[row] = x[best];
  }
}
