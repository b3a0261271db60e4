#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* n = static_cast<const std::uint32_t*>(args[0]);
  auto* x = static_cast<const std::uint32_t*>(args[1]);
  auto* y = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 6;
    const std::uint32_t a = x[i], b = y[i];
    std::uint32_t ring[5] = {a, b, a ^ 0x55555555, b + 7, i}; // a … e start at place `first`
    std::uint32_t first = 0;
    for (std::uint32_t k = 0; k < n[i] % 23; ++k) {
      auto at = [&](std::uint32_t place) -> std::uint32_t& { return ring[(first + place) % 5]; };
      std::uint32_t e = at(4), sum = at(0) + e * 8 + e / 0x20000000;
      at(2) ^= k;
      at(4) = e - sum;
      at(0) = sum;
      first = (first + 1) % 5;
    }
    for (int k = 0; k < 5; ++k)
      o[k] = ring[(first + k) % 5];
    o[5] = (28657 * x[i] + 46368) ^ (46368 * x[i] + 75025); // Fibonacci numbers 23 to 25
  }
}
