#include "harness/reference.h"

namespace {

std::uint64_t interleaved(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits) {
  std::uint64_t code = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    code = code * 8 + (z >> bit & 1) * 4 + (y >> bit & 1) * 2 + (x >> bit & 1);
  return code;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* wide = static_cast<std::uint64_t*>(args[3]);
  auto* narrow = static_cast<std::uint32_t*>(args[4]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    wide[t] = interleaved(x[t], y[t], z[t], 21);
    narrow[t] = static_cast<std::uint32_t>(interleaved(x[t], y[t], z[t], 10));
  }
}
