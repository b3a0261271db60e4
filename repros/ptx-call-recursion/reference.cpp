#include "harness/reference.h"

/// From the innermost call outwards, which gives 100 where `n` is even, and 0 - 1 where it is odd.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* out = static_cast<std::uint32_t*>(args[0]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t n = t % 16, result = n % 2 == 0 ? 100 : 0xffffffff;
    for (std::uint32_t depth = n; depth-- > 0;)
      result = depth % 2 == 0 ? result * 3 + 1 : result ^ 0x55;
    out[t] = result;
  }
}
