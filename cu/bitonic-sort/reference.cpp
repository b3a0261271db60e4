#include "harness/reference.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

/// The place of a float's bits in the total order: below zero, larger magnitudes come first.
std::int64_t order(std::uint32_t bits) {
  std::int64_t magnitude = bits % 0x80000000u;
  return bits < 0x80000000u ? magnitude : -1 - magnitude;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  auto* index = static_cast<std::uint16_t*>(args[2]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[3]);
  bool descending = *static_cast<const std::uint32_t*>(args[4]) != 0;
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block, x += n, out += n, index += n) {
    std::vector<std::uint16_t> sorted(n);
    std::iota(sorted.begin(), sorted.end(), std::uint16_t{0});
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint16_t a, std::uint16_t b) {
      return descending ? order(x[a]) > order(x[b]) : order(x[a]) < order(x[b]);
    });
    for (std::uint32_t i = 0; i < n; ++i) {
      index[i] = sorted[i];
      out[i] = x[sorted[i]];
    }
  }
}
