#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* base = static_cast<const std::uint64_t*>(args[0]);
  auto* modulus = static_cast<const std::uint64_t*>(args[1]);
  auto* exponent = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    unsigned __int128 n = modulus[t], a = base[t] % n, power = 1 % n;
    for (std::uint32_t i = 0; i < exponent[t]; ++i)
      power = power * a % n;
    out[2 * t] = static_cast<std::uint64_t>(power);
    out[2 * t + 1] = static_cast<std::uint64_t>(a * a % n);
  }
}
