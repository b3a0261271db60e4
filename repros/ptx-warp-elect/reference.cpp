#include "harness/reference.h"

#include <algorithm>
#include <bitset>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 8) {
    const std::uint32_t* warp = in + t / 32 * 32;
    std::uint32_t lane = t % 32, mask = 0, same = 0;
    bool allSmall = true, allLarge = true, topEqual = true;
    std::int32_t least = INT32_MAX;
    for (std::uint32_t i = 0; i < 32; ++i) {
      if (warp[i] <= 1000) continue;
      mask |= 1u << i;
      if (warp[i] % 4 == in[t] % 4) same |= 1u << i;
      topEqual = topEqual && warp[i] >> 31 == in[t] >> 31;
      allSmall = allSmall && warp[i] <= 2000;
      allLarge = allLarge && warp[i] > 2000;
      least = std::min(least, static_cast<std::int32_t>(warp[i] * 5));
    }
    std::fill(out, out + 8, 0);
    out[0] = 0xffffffff;
    out[1] = mask;
    if (in[t] <= 1000) continue;
    out[2] = 1 + 16 + 32 + 64;
    out[3] = same;
    out[4] = topEqual ? mask + 1 : 0;
    out[5] = static_cast<std::uint32_t>(least);
    out[6] = std::uint32_t{allSmall || allLarge} +
             2 * static_cast<std::uint32_t>(std::bitset<32>(mask & ((1u << lane) - 1)).count());
    // Segments of eight lanes.
    out[7] = lane % 8 < 3 ? 0xffffffff : (mask >> (lane - 3) & 1) != 0 ? lane - 3 : 0;
  }
}
