#include "harness/reference.h"

namespace {

/// Every second bit of `code`, `count` of them from bit `from` on.
std::uint32_t taken(std::uint64_t code, int from, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= static_cast<std::uint32_t>(code >> (from + 2 * i) & 1) << i;
  return value;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* codes = static_cast<const std::uint64_t*>(args[0]);
  auto* more = static_cast<const std::uint64_t*>(args[1]);
  auto* wide = static_cast<std::uint32_t*>(args[2]);
  auto* narrow = static_cast<std::uint16_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint64_t code = codes[t] * (more[t] | 1);
    for (int i = 0; i < 2; ++i)
      wide[2 * t + i] = taken(code, i, 32);
    for (int i = 0; i < 4; ++i)
      narrow[4 * t + i] = static_cast<std::uint16_t>(taken(code, i / 2 * 32 + i % 2, 16));
  }
}
