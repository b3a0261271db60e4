#include "harness/simt/launch_limits.h"

#include "harness/base/error.h"

#include <array>

namespace harness {

namespace {

bool isWithin(const std::array<std::uint32_t, 3>& size, const std::array<std::uint32_t, 3>& limit) {
  for (std::size_t i = 0; i < size.size(); ++i)
    if (size[i] == 0 || size[i] > limit[i]) return false;
  return true;
}

} // namespace

void requireLaunchable(const Launch& launch) {
  if (isWithin(launch.block, {1024, 1024, 64}) && launch.threadsPerBlock() <= 1024 &&
      isWithin(launch.grid, {0x7fffffff, 0xffff, 0xffff}))
    return;
  failUsage("a block of {0}×{1}×{2} threads and a grid of {3}×{4}×{5} blocks cannot be launched: a block has "
            "at most 1024×1024×64 threads, 1024 in all, and a grid 2147483647×65535×65535 blocks",
            launch.block[0], launch.block[1], launch.block[2], launch.grid[0], launch.grid[1],
            launch.grid[2]);
}

} // namespace harness
