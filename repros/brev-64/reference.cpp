#include "harness/reference.h"

namespace {

std::uint64_t reversed(std::uint64_t v) {
  std::uint64_t r = 0;
  for (int k = 0; k < 64; ++k)
    r = r * 2 + (v >> k & 1);
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 4;
    std::uint64_t v = x[i] ^ (y[i] << i % 64);
    o[0] = o[1] = o[2] = reversed(v);
    o[3] = reversed(v + 1) - reversed(v);
  }
}
