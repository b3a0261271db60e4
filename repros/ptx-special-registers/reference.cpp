#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* out = static_cast<std::uint32_t*>(args[0]);
  std::uint32_t threads = launch->block[0] * launch->block[1];
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block)
    for (std::uint32_t t = 0; t < threads; ++t, out += 10) {
      std::uint64_t bit = 1ull << t % 32;
      out[0] = static_cast<std::uint32_t>(bit);
      out[1] = static_cast<std::uint32_t>(2 * bit - 1);
      out[2] = static_cast<std::uint32_t>(0x100000000 - 2 * bit);
      out[3] = launch->shared + (t ^ 1);
      out[4] = threads;
      out[5] = launch->grid[0] * 100 + 11;
      out[6] = t % launch->block[0] | t / launch->block[0] << 16;
      out[7] = 1;
      out[8] = launch->grid[0] * 16 + block;
      out[9] = 1;
    }
}
