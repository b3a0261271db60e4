#include "harness/reference.h"

#include <utility>
#include <vector>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint32_t x = in[t], j = 0, hash = 0;
    std::vector<std::uint32_t> item(64);
    std::vector<std::int64_t> narrow(16);
    for (std::uint32_t i = 0; i < 64; ++i)
      item[i] = i * 5 + x % 4;
    for (std::uint32_t i = 0; i < 16; ++i)
      narrow[i] = -std::int64_t{i};
    for (std::uint32_t i = 0; i < 64; ++i) {
      std::uint32_t keep = item[i];
      j = (j + keep + (x >> i % 32)) % 64;
      std::swap(item[i], item[j]);
      narrow[j % 16] = static_cast<std::int16_t>((narrow[i % 16] + keep) & 0xffff);
    }
    for (std::uint32_t i = 0; i < 64; ++i)
      hash = hash * 33 + item[i] + static_cast<std::uint32_t>(narrow[i % 16]);
    out[3 * t] = item[x % 64] + item[x >> 26] * 65536;
    out[3 * t + 1] = static_cast<std::uint32_t>(narrow[x / 64 % 16]);
    out[3 * t + 2] = hash;
  }
}
