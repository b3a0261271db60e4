#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  using u32 = std::uint32_t;
  auto* x = static_cast<const u32*>(args[0]);
  auto* y = static_cast<const u32*>(args[1]);
  auto* out = static_cast<u32*>(args[2]);
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u32* o = out + i * 8;
    u32 v = x[i], w = y[i];
    auto live = [&](u32 k) { return v * (2 * k + 1) + (w >> k % 32); };
    auto small = [&](u32 k) { return k == v % 16 ? 0x80 : v >> k & 0xff; };
    auto half = [&](u32 k) {
      return static_cast<u32>(k == w % 12 ? -32768
                                          : static_cast<std::int16_t>(static_cast<std::uint64_t>(w) << k));
    };
    u32 at = w % 6, byte = small(v / 16 % 16);
    o[0] = small(w % 16);
    o[1] = byte & 0x80 ? byte | 0xffffff00 : byte;
    o[2] = half(v % 12) + half(11 - w % 12);
    o[3] = live(at) ^ (at == v % 6 ? 0x80000000 : 0);
    o[4] = live(39 - (v ^ w) % 6);
    u32 sum = 0, mix = 0;
    for (u32 k = 0; k < 40; ++k) {
      sum += live(k) ^ small(k % 16);
      mix = mix * 128 + mix / 0x2000000 + live(k * 7 % 40);
    }
    o[5] = sum;
    o[6] = mix;
    o[7] = live(v % 40);
  }
}
