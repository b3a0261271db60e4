#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  using u32 = std::uint32_t;
  auto* x = static_cast<const u32*>(args[0]);
  auto* y = static_cast<const u32*>(args[1]);
  auto* out = static_cast<u32*>(args[2]);
  auto join = [](int low, int high) {
    return (static_cast<u32>(low) & 0xffff) | static_cast<u32>(high) << 16;
  };
  auto isSigned = [](u32 v) { return static_cast<int>(static_cast<std::int16_t>(v)); };
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u32 a = x[i], b = y[i], *o = out + i * 9;
    int al = isSigned(a), ah = isSigned(a >> 16), bl = isSigned(b), bh = isSigned(b >> 16);
    int uah = ah & 0xffff, ubh = bh & 0xffff;
    bool large = static_cast<std::int32_t>(b) > 5;
    o[0] = join(bl, std::max(al, 1));
    o[1] = join(std::min(uah, 0xff), bl);
    o[2] = static_cast<u32>(std::min(bl, 5)) & 0xffff;
    o[3] = static_cast<u32>(std::max(ubh, 0xc000)) * 3;
    o[4] = join(ah, ah);
    o[5] = join((std::max(large ? al : 0, 0) & 0xff) | (bl & 0xff) << 8, bh);
    o[6] = join(std::min(ubh, 0x100), al);
    o[7] = join(std::max(std::min(al, -100), 50), ah);
    o[8] = static_cast<u32>(std::max(al, 3));
  }
}
