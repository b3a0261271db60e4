#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  using Wide = std::uint64_t;
  using Signed = std::int64_t;
  const Signed bytes[8] = {0, -1, 127, -128, 5, -5, 64, -64}, halves[5] = {-32768, 32767, -1, 256, -256};
  const Wide words[7] = {2, 3, 5, 7, 11, 13, 2147483648},
             wides[4] = {9223372036854775808u, 18446744073709551615u, 81985529216486895, 42};
  const Signed steps[6] = {-7, 1, -1, 1000000, -2147483647, 3};
  // The wide, mask and step of each entry summed up as the kernel uses them.
  const Wide entries[3] = {1099511627776 + 65520 + 3, 77 + 4080 - 100, Wide{0} - 1 + 32769 + 128};
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  Wide* out = static_cast<Wide*>(args[1]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint32_t x = in[t], block = t / launch->block[0];
    out[3 * t] =
        static_cast<Wide>(bytes[x % 8] + halves[x % 5] * 1048576) + words[x / 3 % 7] + wides[x >> 30];
    out[3 * t + 1] = entries[x / 7 % 3] + static_cast<Wide>(steps[x % 6]);
    out[3 * t + 2] =
        wides[block] ^ words[block + x % 4] ^ static_cast<Wide>(halves[block] * bytes[4 + block]);
  }
}
