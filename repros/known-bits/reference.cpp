#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 8;
    std::uint32_t v = x[i], w = y[i], bits = 0;
    for (int k = 0; k < 32; ++k)
      bits += w / (1ull << k) % 2;
    o[0] = v % 256 + 256;
    o[1] = w % (1u << 28) + 7;
    o[2] = (v / 0x10000000u) * (v / 0x10000000u);
    o[3] = static_cast<std::uint32_t>(static_cast<std::int8_t>(v % 256));
    o[4] = bits;
    o[5] = 0;
    o[6] = v / 0x10000000u;
    o[7] = w - 1;
  }
}
