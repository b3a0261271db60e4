#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    const std::uint32_t* x = in + block * 128;
    std::uint32_t y[128], count[2] = {}, any = 0;
    for (std::uint32_t t = 0; t < 128; ++t) {
      std::uint32_t partner = t % 64 < 32 ? t + 32 : t - 32;
      y[t] = x[partner] + x[t / 64 * 64 + x[t] % 64];
      count[t / 64] += y[t] >> 2 & 1;
    }
    for (std::uint32_t t = 64; t < 128; ++t) {
      y[t] -= y[127 - t] ^ count[0];
      any |= y[t] % 64 == 0x33;
    }
    for (std::uint32_t t = 0; t < 128; ++t) {
      out[(block * 128 + t) * 2] = y[t];
      out[(block * 128 + t) * 2 + 1] = count[t / 64] * 2 + (t < 64 ? 0 : any);
    }
  }
}
