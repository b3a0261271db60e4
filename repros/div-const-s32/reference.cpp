#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* out = static_cast<std::int32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t* o = out + i * 25;
    std::int64_t v = static_cast<std::int32_t>(static_cast<std::uint32_t>(x[i]) -
                                               static_cast<std::uint32_t>(i < 128 ? y[i] & 3 : y[i]));
    const std::int64_t divisors[12] = {3, -3, 7, -7, 10, 2, -2, 8, -8, 2147483647, -2147483647, 641};
    for (int k = 0; k < 12; ++k) {
      std::int64_t d = divisors[k], size = (v < 0 ? -v : v) / (d < 0 ? -d : d),
                   q = (v < 0) == (d < 0) ? size : -size;
      o[k * 2] = static_cast<std::int32_t>(q);
      o[k * 2 + 1] = static_cast<std::int32_t>(v - q * d);
    }
    o[24] = v == -0x80000000ll;
  }
}
