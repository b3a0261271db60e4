#include "harness/base/subprocess.h"
#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <bit>

namespace harness::sass {

Block::Block(Machine& owner) : machine(owner), shared(owner.sharedSize) {
  auto threads = static_cast<unsigned>(owner.launch.threadsPerBlock());
  warps.reserve((threads + kLanes - 1) / kLanes);
  for (unsigned first = 0; first < threads; first += kLanes) {
    unsigned count = std::min(kLanes, threads - first);
    warps.emplace_back(owner, *this, first / kLanes, count == kLanes ? kAllLanes : laneBit(count) - 1);
  }
}

std::array<unsigned, kBlockBarriers> Block::waiting() const {
  std::array<unsigned, kBlockBarriers> count{};
  for (const Warp& warp : warps)
    for (LaneMask left = warp.live; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (warp.wait[lane] == Wait::Barrier) ++count[warp.waitBarrier[lane]];
    }
  return count;
}

unsigned Block::alive() const {
  unsigned count = 0;
  for (const Warp& warp : warps)
    count += static_cast<unsigned>(std::popcount(warp.live));
  return count;
}

void Block::run(std::array<std::uint32_t, 3> blockIndex) {
  index = blockIndex;
  std::fill(shared.begin(), shared.end(), machine.options.poison);
  for (Warp& warp : warps)
    warp.restart();
  for (;;) {
    for (Warp& warp : warps)
      warp.run();
    unsigned left = alive();
    if (left == 0) return;
    bool goesOn = std::any_of(warps.begin(), warps.end(), [](const Warp& warp) { return warp.ready(); });
    if (!releaseBarriers(left) && !goesOn)
      throw ExecutionStop{ExecutionEnd::Timeout, "deadlock: " + describeWaiting()};
  }
}

bool Block::releaseBarriers(unsigned aliveThreads) {
  std::array<unsigned, kBlockBarriers> count = waiting();
  bool released = false;
  for (unsigned barrier = 0; barrier < kBlockBarriers; ++barrier) {
    if (count[barrier] != aliveThreads) continue;
    for (Warp& warp : warps)
      warp.releaseBlockBarrier(barrier);
    released = true;
  }
  return released;
}

std::string Block::describeWaiting() const {
  constexpr unsigned kDescribed = 4;
  std::string who;
  unsigned described = 0;
  for (const Warp& warp : warps) {
    if (warp.finished()) continue;
    if (described++ < kDescribed) who += (who.empty() ? "" : ", ") + warp.describeWaiting();
  }
  if (described > kDescribed)
    who += llvm::formatv(", and lanes of {0} more warps", described - kDescribed).str();
  return who;
}

std::uint64_t Block::linearIndex() const {
  const auto& grid = machine.launch.grid;
  return (std::uint64_t{index[2]} * grid[1] + index[1]) * grid[0] + index[0];
}

std::uint64_t Block::begin(const Warp& warp, const Op* first) {
  position = {&warp, first, first, warp.active};
  if (warpInstructions >= nextPause_) pause();
  return std::min(nextPause_ - warpInstructions, machine.instructionsFrom(first));
}

void Block::count() {
  if (!position.first) return;
  auto executed = static_cast<std::uint64_t>(position.op + 1 - position.first);
  std::uint64_t uniform = position.op[1].uniformsBefore - position.first->uniformsBefore;
  warpInstructions += executed;
  threadInstructions += uniform + (executed - uniform) * static_cast<unsigned>(std::popcount(position.lanes));
  position.first = nullptr;
}

void Block::pause() {
  constexpr std::uint64_t kStride = std::uint64_t{1} << 20; // milliseconds
  throwIfInterrupted();
  std::uint64_t limit = machine.options.maxWarpInstructions;
  if (warpInstructions >= limit)
    throw ExecutionStop{ExecutionEnd::Timeout, "the limit on executed instructions was reached"};
  nextPause_ = std::min(limit, warpInstructions + kStride);
}

} // namespace harness::sass
