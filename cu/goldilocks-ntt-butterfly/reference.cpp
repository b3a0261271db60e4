#include "harness/reference.h"

/// The sum over all products with powers of the root.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr std::uint64_t kPrime = 0xffffffff00000001;
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  unsigned __int128 root = *static_cast<const std::uint64_t*>(args[1]);
  auto* out = static_cast<std::uint64_t*>(args[2]);
  std::uint64_t powers[128];
  unsigned __int128 power = 1;
  for (auto& p : powers) {
    p = static_cast<std::uint64_t>(power);
    power = power * root % kPrime;
  }
  for (std::uint32_t i = 0; i < launch->grid[0] * 128; ++i) {
    unsigned __int128 sum = 0;
    for (std::uint32_t j = 0; j < 128; ++j)
      sum += static_cast<unsigned __int128>(x[i / 128 * 128 + j] % kPrime) * powers[i * j % 128] % kPrime;
    out[i] = static_cast<std::uint64_t>(sum % kPrime);
  }
}
