#include "harness/reference.h"

#include <cstring>

namespace {

using u32 = std::uint32_t;

u32 square(u32 k) {
  return k < 16 ? k * k : 0;
}

u32 byteOf(u32 k) {
  const u32 tail[11] = {0xff, 0x7f, 0x80, 9, 99, 199, 200, 201, 202, 203, 204};
  return k < 8 ? 1u << k : tail[k - 8];
}

u32 word(u32 k) {
  const u32 tail[12] = {~0u, 0, ~0u, 0, 0x80000000u, 1, 2, 3, 9, 9, 9, 10};
  return k < 8 ? k + 1 : tail[k - 8];
}

u32 upperHalf(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, 8);
  return static_cast<u32>(bits >> 32);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint8_t*>(args[0]);
  auto* y = static_cast<const std::int8_t*>(args[1]);
  u32 uniform = *static_cast<const u32*>(args[2]);
  auto* out = static_cast<u32*>(args[3]);
  const double reals[3] = {1.5, -2.25, 1e300};
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u32* o = out + i * 7;
    u32 a = x[i], b = static_cast<u32>(y[i] + 256) % 256, walk = 0;
    o[0] = square((a + 7) % 256) + square(2 * a % 256) + square(a % 16);
    o[1] = byteOf((b + 128) % 256 / 16 + 1) + byteOf(b / 16) * 256;
    o[2] = 0;
    for (u32 k = 0; k < 4; ++k)
      o[2] += word(a % 5 * 4 + k) * (k == 0 ? 1 : 2 * k + 1);
    o[3] = word(a % 20) - word(19 - a % 20);
    o[4] = upperHalf(reals[a % 3]);
    o[5] = byteOf(uniform + i / launch->block[0]) + square(uniform * 2) * 256 + word(uniform);
    for (u32 k = 0; k < 5; ++k)
      walk = walk * 3 + square((a + k) % 256 % 32) + byteOf((a + k) % 256 % 19);
    o[6] = walk;
  }
}
