#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* z = static_cast<const std::int64_t*>(args[2]);
  auto* out = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t* o = out + i * 12;
    std::int32_t v = x[i], b = y[i];
    auto u = static_cast<std::uint32_t>(v);
    auto h = static_cast<std::int16_t>(v), c = static_cast<std::int16_t>(b);
    auto hu = static_cast<std::uint16_t>(v);
    o[0] = b;
    o[1] = 127 - 1;
    o[2] = static_cast<std::int32_t>(v == -1 || v < 0 ? 0x80000000u : u);
    o[3] = u >= 0x80000000u ? -5 : v;
    o[4] = u == 0xffffffffu ? -1 : -2;
    o[5] = c + 6;
    o[6] = std::max<std::int32_t>(h < 0 ? hu : 0, 0xff80);
    o[7] = hu >= 0x8000 ? -2 : h;
    o[8] = 0x7fffffff;
    o[9] = -1;
    int clamped = std::clamp(v, -100, 100);
    o[10] = std::min(std::max(clamped, 50), b) > 49 ? 1 : 2;
    o[11] = 1;
    static_cast<void>(z);
  }
}
