#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* y = static_cast<const std::uint16_t*>(args[1]);
  auto* out = static_cast<std::uint16_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint16_t* o = out + i * 5;
    int a = x[i * 4], b = y[i * 4 + 1], c = y[i * 4 + 2], d = x[i * 4 + 3];
    int r[5] = {a + 1, d + 3, a + c + 0x7fff, b + d + 0x8000, b * 2};
    for (int k = 0; k < 5; ++k)
      o[k] = static_cast<std::uint16_t>(r[k]);
  }
}
