#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 3;
    std::uint32_t v0 = x[i * 2], v1 = x[i * 2 + 1];
    bool odd = i / 4 % 2 == 1;
    o[0] = odd ? (v0 * 9 + 1) % 1000 + 1 : v0;
    o[1] = odd ? v1 : (v1 + 7) % 100 + 1;
    o[2] = (v0 + 7) % 999 + 1;
  }
}
