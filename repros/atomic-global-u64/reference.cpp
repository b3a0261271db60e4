#include "harness/reference.h"

#include <algorithm>

/// One lane after the other.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint64_t* in = static_cast<const std::uint64_t*>(args[0]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[1]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block, out += 11) {
    std::uint64_t sum = 0, all = ~std::uint64_t{0}, any = 0, least = all, most = 0, parity = 0, product = 1;
    std::int64_t signedLeast = INT64_MAX, signedMost = 0;
    for (std::uint32_t t = 0; t < 128; ++t) {
      std::uint64_t x = in[block * 128 + t];
      sum += x;
      all &= x | 0xff00ff00ff00ff00;
      any |= x & 0x55550000f0f0;
      least = std::min(least, x | 4);
      most = std::max(most, x - x % 2);
      signedLeast = std::min(signedLeast, static_cast<std::int64_t>(x ^ 2));
      signedMost = std::max(signedMost, static_cast<std::int64_t>(x - 3));
      parity ^= x * 5;
      product *= x * 2 + 1;
    }
    // Cell 10 is the sum of all that was ever put into cell 8.
    std::uint64_t cells[11] = {sum,
                               all,
                               any,
                               least,
                               most,
                               static_cast<std::uint64_t>(signedLeast),
                               static_cast<std::uint64_t>(signedMost),
                               parity,
                               0,
                               product,
                               sum};
    std::copy(cells, cells + 11, out);
  }
}
