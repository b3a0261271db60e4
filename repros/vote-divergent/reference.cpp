#include "harness/reference.h"

namespace {

void warp(const std::uint32_t* in, std::uint32_t* out) {
  // Three groups of lanes: neither, outer only, outer and inner. Each votes among its own.
  std::uint32_t x[32], group[32], votes[3] = {}, members[3] = {}, hits[3] = {};
  for (int lane = 0; lane < 32; ++lane) {
    x[lane] = in[lane];
    group[lane] = (x[lane] & 1) == 0 ? 0 : (x[lane] & 2) == 0 ? 1 : 2;
  }
  std::uint32_t innerCount = 0;
  for (int lane = 0; lane < 32; ++lane)
    innerCount += group[lane] == 2;
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t g = group[lane], v = x[lane];
    ++members[g];
    if (g == 0) {
      for (std::uint32_t i = 0; i < v >> 28; ++i)
        x[lane] ^= x[lane] * 8 | i;
      votes[0] |= (x[lane] >> 6 & 1) << lane;
    } else {
      votes[g] |= (v >> (g == 2 ? 4 : 5) & 1) << lane;
      hits[g] += g == 2 ? (v >> 5) % 16 == 0 : (v >> 9) % 4 != 0;
      x[lane] = x[lane] * 5 + innerCount;
    }
  }
  votes[1] = ~votes[1];
  std::uint32_t ballot = 0, any = 0, all = 1;
  for (int lane = 0; lane < 32; ++lane) {
    ballot |= (x[lane] >> 7 & 1) << lane;
    any |= x[lane] % 256 == 0x5a;
    all &= votes[group[lane]] != 0;
  }
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t g = group[lane];
    std::uint32_t flags = g == 0 ? 0 : g == 2 ? (hits[2] > 0 ? 1 : 2) : (hits[1] == members[1] ? 4 : 8);
    std::uint32_t row[5] = {votes[g], flags, ballot, any + 2 * all, x[lane]};
    for (int i = 0; i < 5; ++i)
      out[lane * 5 + i] = row[i];
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; t += 32)
    warp(static_cast<const std::uint32_t*>(args[0]) + t, static_cast<std::uint32_t*>(args[1]) + t * 5);
}
