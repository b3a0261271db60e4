#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* m = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 35;
    std::uint64_t a = m[i] ? x[i] ^ y[i] : x[i];
    const int amounts[5] = {1, 13, 32, 40, 63};
    for (int k = 0; k < 5; ++k) {
      std::uint64_t scale = std::uint64_t{1} << amounts[k], high = a * scale, low = 0, sign = 0;
      for (int bit = 0; bit < amounts[k]; ++bit)
        low |= (a >> (64 - amounts[k] + bit) & 1) << bit;
      sign = low - (a >> 63 ? scale : 0);
      std::uint64_t r[7] = {high - low,  high - sign, low - high, sign - high,
                            high + sign, high + low,  high + low};
      for (int e = 0; e < 7; ++e)
        o[k * 7 + e] = r[e];
    }
  }
}
