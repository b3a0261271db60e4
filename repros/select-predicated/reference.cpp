#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 3;
    const std::uint32_t a = x[i], b = y[i], c = z[i];
    const bool p = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    const std::uint32_t a1 = p ? a + c : b - a;
    const bool r = p && a1 > c;
    const std::uint32_t b1 = r ? a1 ^ b : b, t = r ? c : b, c1 = p ? t * 2 : t;
    o[0] = a1;
    o[1] = (p ? c1 : b1) + (r ? 1 : t);
    o[2] = c1;
  }
}
