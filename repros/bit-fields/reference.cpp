#include "harness/reference.h"

namespace {

std::int32_t extend(std::uint32_t v, int bits) {
  std::int32_t low = static_cast<std::int32_t>(v % (1u << bits));
  return low >= 1 << (bits - 1) ? low - (1 << bits) : low;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 8;
    std::uint32_t v = x[i], w = y[i];
    std::int32_t sw = static_cast<std::int32_t>(w), b = extend(w >> 7, 5),
                 d = (sw - static_cast<std::int32_t>(w & 0x1fffff)) / 0x200000;
    o[0] = static_cast<std::uint32_t>(extend(v >> 24, 5)) + (v >> 14) % 512;
    o[1] = v - v / 256 % 1024 * 256 + w % 1024 * 256;
    o[2] = (v % 2 ? 0xffffffff : 0) ^ (w >> 30 & 1 ? 0xffffffff : 0);
    if (((b + 1) & 3) == 0) b = -b / 2;
    o[3] = (v ^ static_cast<std::uint32_t>(d)) % 8;
    o[4] = static_cast<std::uint32_t>(b);
    o[5] = (v / 256 + w) % 0x2000;
    o[6] = static_cast<std::uint32_t>(d);
    o[7] = (v / 32 % 32) * 0x8000000 + (w / 1024 % 64) * 0x200000 + v % 0x200000;
  }
}
