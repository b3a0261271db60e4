#include "harness/reference.h"

#include <algorithm>
#include <cstdlib>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* y = static_cast<const std::uint16_t*>(args[1]);
  auto* out = static_cast<std::uint8_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint8_t* o = out + i * 14;
    int a = x[i], b = y[i], sa = static_cast<std::int16_t>(a), sb = static_cast<std::int16_t>(b);
    std::uint32_t both = static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b) << 16;
    std::uint32_t next = both + 0x10001, product = both * 3 >> 15;
    int low = next & 0xffff, high = static_cast<int>(next >> 16);
    int r[14] = {std::max(sa, 0x80), std::max(sb, 1), (a + 3) >> 8, a + b};
    r[4] = 0xff;
    r[5] = 0;
    r[6] = 0x7fff - b;
    r[7] = r[6] >> 8;
    r[8] = static_cast<std::int16_t>(high) >> 3;
    r[9] = low + high;
    r[10] = std::abs(a - b);
    r[11] = r[10] >> 8;
    r[12] = static_cast<int>(product & 0xff);
    r[13] = static_cast<int>(product >> 8 & 0xff);
    for (int k = 0; k < 14; ++k)
      o[k] = static_cast<std::uint8_t>(r[k]);
  }
}
