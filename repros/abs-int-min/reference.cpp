#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 6;
    std::uint32_t v = x[i], w = y[i], smallest = 0x80000000;
    o[0] = v > smallest ? ~v + 1 : v;
    o[1] = v == smallest ? 1 : 2;
    o[2] = w > smallest ? ~w + 1 : w;
    o[3] = w == smallest ? 1 : 2;
    o[4] = v == smallest ? 3 : 4;
    o[5] = v == smallest ? 0xffffffff : 0;
  }
}
