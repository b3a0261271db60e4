#include "harness/reference.h"

#include <vector>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t rounds = *static_cast<const std::uint32_t*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    std::vector<std::uint32_t> x(in + block * 96, in + block * 96 + 96);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      std::vector<std::uint32_t> before = x;
      for (std::uint32_t t = 0; t < 96; ++t)
        x[t] = before[t] * 3 + (before[(t * 7 + round) % 96] ^ round);
    }
    for (std::uint32_t t = 0; t < 96; ++t)
      out[block * 96 + t] = x[t];
  }
}
