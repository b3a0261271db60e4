#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    std::uint32_t sums[3] = {}, x[96];
    auto stage = [&](int i) { return in[block * 96 + i] % 4 == 0 ? 0 : x[i] < 0x80000000 ? 1 : 2; };
    for (int i = 0; i < 96; ++i) {
      x[i] = in[block * 96 + i];
      if (stage(i) > 0)
        for (std::uint32_t k = 0, steps = x[i] >> 29; k < steps; ++k)
          x[i] = static_cast<std::uint32_t>(std::uint64_t{x[i]} * 0x9e3779b1 + k);
      if (stage(i) == 2) sums[i / 32] += x[i] % 65536;
    }
    for (int i = 0; i < 96; ++i) {
      std::uint32_t* row = out + (block * 96 + i) * 4;
      if (stage(i) == 0) {
        row[0] = 0x10000000 + x[i] / 256;
        continue;
      }
      int warp = i / 32 * 32, first = warp, last = warp + 31;
      while (stage(first) == 0)
        ++first;
      while (stage(last) == 0)
        --last;
      row[0] = x[first] ^ (x[last] / 2);
      if (stage(i) == 1) continue;
      row[1] = 0;
      for (int lane = 0; lane < 32; ++lane)
        if (stage(warp + lane) == 2) row[1] |= (x[warp + lane] >> 8 & 1) << lane;
      row[2] = sums[i / 32];
      row[3] = sums[(i / 32 + 1) % 3];
    }
  }
}
