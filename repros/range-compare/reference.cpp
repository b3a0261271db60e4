#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 8;
    std::int64_t v = x[i], w = y[i], sv = (std::int32_t)x[i], sw = (std::int32_t)y[i];
    std::int64_t r[8] = {
        v < 100 ? v + 1 : 0,           sv > 15 ? sv / 16 : 0,  w >= 10 && w <= 255 ? 3 * w : 0,
        sv < sw && sw < 0 ? v ^ w : 0, v <= w ? w - v : 0,     sw >= 0 ? w / 2 + 0x40000000 : 0,
        sv < 0 ? 0xffffffff - v : 0,   v <= 0xffff ? v * v : 0};
    for (int k = 0; k < 8; ++k)
      o[k] = static_cast<std::uint32_t>(r[k]);
  }
}
