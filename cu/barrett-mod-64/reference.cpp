#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* a = static_cast<const std::uint64_t*>(args[0]);
  auto* b = static_cast<const std::uint64_t*>(args[1]);
  auto* modulus = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    unsigned __int128 n = modulus[t], x = a[t] % n, r = x * (b[t] % n) % n;
    out[2 * t] = static_cast<std::uint64_t>(r);
    out[2 * t + 1] = static_cast<std::uint64_t>(r * r % n * x % n);
  }
}
