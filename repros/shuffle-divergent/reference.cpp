#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t first = 0; first < launch->grid[0] * launch->block[0]; first += 32) {
    const std::uint32_t* x = in + first;
    std::uint32_t sum[32], next[32];
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      sum[lane] = 0;
      for (std::uint32_t i = 0; i <= x[lane] % 8; ++i)
        sum[lane] = sum[lane] * 3 + (x[lane] >> i);
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      bool odd = lane % 2 == 1;
      std::uint32_t partner = odd ? lane ^ 2 : lane + 4 < 32 ? lane + 4 : lane;
      // idx in segments of 8 takes the lane modulo 8.
      std::uint32_t source = odd ? 31 - (lane - 1) : lane / 8 * 8 + (lane + 2) % 8;
      next[lane] = (sum[lane] + sum[partner]) ^ x[source];
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      switch (lane % 4) {
      case 3: sum[lane] = next[lane] - next[lane < 4 ? lane : lane - 4]; break;
      case 2: sum[lane] = 0xffffffff - next[lane]; break;
      default: sum[lane] = next[lane]; break;
      }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      out[(first + lane) * 2] = sum[lane];
      out[(first + lane) * 2 + 1] = sum[31 - lane];
    }
  }
}
