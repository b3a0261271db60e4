#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 6;
    std::int64_t v = static_cast<std::uint32_t>(x[i] + y[i]), s = v >= 0x80000000 ? v - 0x100000000 : v;
    std::int64_t a = v % 10, b = v % 1000, c = v % 60000, d = s % 7, e = s % 4096;
    std::int64_t r[6] = {a, b * 2, c * c, d * 3, e + (e < 0 ? -1 : 0), c >= 32768 ? c - 65536 : c};
    for (int k = 0; k < 6; ++k)
      o[k] = static_cast<std::uint32_t>(r[k]);
  }
}
