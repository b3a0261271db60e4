#include "harness/reference.h"

namespace {

std::uint32_t find(std::uint32_t mask, int base, int offset) {
  int step = offset < 0 ? -1 : 1, count = offset < 0 ? -offset : offset;
  if (count == 0) return mask >> base & 1 ? base : 0xffffffff;
  for (int at = base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --count == 0) return at;
  return 0xffffffff;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* n = static_cast<const std::int32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 2;
    std::uint32_t v = i % 2 ? y[i] : x[i] ^ y[i / 16];
    o[0] = find(v, y[i] >> 27, n[i] % 35);
    o[1] = find(v, 0, i % 8 + 1);
  }
}
