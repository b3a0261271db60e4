#include "harness/reference.h"

#include <algorithm>

/// One lane after the other.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t* tickets = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block, out += 16) {
    std::uint32_t sum = 0, least = ~0u, most = 0, all = ~0u, any = 0, parity = 0, product = 1;
    std::int32_t signedLeast = 0x7fffffff, signedMost = 0;
    for (std::uint32_t t = 0; t < 128; ++t) {
      std::uint32_t x = in[block * 128 + t];
      sum += x;
      all &= x | 0xff00ff00;
      any |= x & 0x5555f0f0;
      parity ^= x * 5;
      product *= x * 2 + 1;
      least = std::min(least, x | 4);
      most = std::max(most, x - x % 2);
      signedLeast = std::min(signedLeast, static_cast<std::int32_t>(x ^ 2));
      signedMost = std::max(signedMost, static_cast<std::int32_t>(x - 3));
      tickets[block * 128 + t] = t ^ 0x1234;
    }
    std::uint32_t cells[16] = {sum,
                               0 - 3 * sum,
                               all,
                               any,
                               static_cast<std::uint32_t>(signedLeast),
                               static_cast<std::uint32_t>(signedMost),
                               least,
                               most,
                               parity};
    cells[9] = 128 % 37;              // wraps to 0 after 36
    cells[10] = (21 - 128 % 21) % 21; // wraps to 20 below 0
    cells[11] = 0;
    cells[12] = product;
    cells[13] = 1;
    cells[14] = 128;
    cells[15] = sum; // all that was ever put into cell 11, the last of it added at the end
    std::copy(cells, cells + 16, out);
  }
}
