#include "harness/ptx/machine.h"

#include <algorithm>

namespace harness::ptx {

Block::Block(Machine& machine) : machine(machine) {
  shared.resize(machine.sharedSize);
  sharedWritten.resize(machine.sharedSize);
  std::uint64_t threads = machine.launch.threadsPerBlock();
  for (std::uint64_t first = 0; first < threads; first += kLanes) {
    LaneMask lanes = threads - first >= kLanes ? kAllLanes : (LaneMask{1} << (threads - first)) - 1;
    warps.push_back(std::make_unique<Warp>(machine, *this, static_cast<unsigned>(first / kLanes), lanes));
  }
}

std::uint64_t Block::linearIndex() const {
  const auto& grid = machine.launch.grid;
  return index[0] + std::uint64_t{grid[0]} * (index[1] + std::uint64_t{grid[1]} * index[2]);
}

void Block::run(std::array<std::uint32_t, 3> newIndex) {
  index = newIndex;
  std::fill(shared.begin(), shared.end(), machine.options.poison);
  std::fill(sharedWritten.begin(), sharedWritten.end(), std::uint8_t{0});
  barriers = {};
  lastVote = {};
  for (auto& warp : warps)
    warp->restart();
  if (machine.observer) machine.observer->startBlock(*this);
  for (;;) {
    bool ran = false;
    for (auto& warp : warps) {
      if (warp->ready.empty()) continue;
      ran = true;
      warp->run();
    }
    bool finished = std::all_of(warps.begin(), warps.end(), [](const auto& warp) { return warp->finished(); });
    if (finished) break;
    // A barrier may open while other warps still run: those that wait at it are all it waits for.
    bool moved = releaseBarriers();
    if (ran || moved) continue;
    for (auto& warp : warps)
      moved = warp->dissolveJoins() || moved;
    if (!moved)
      throw ExecutionStop{ExecutionEnd::Timeout, "deadlock: no thread can go on; " + describeWaiting()};
  }
  for (auto& warp : warps)
    machine.result.approximations += warp->approximated;
}

unsigned Block::alive() const {
  unsigned count = 0;
  for (const auto& warp : warps)
    count += static_cast<unsigned>(std::popcount(warp->live));
  return count;
}

/// Threads that wait at a barrier; a warp that waits with all its live threads counts as 32, as barriers with a
/// count of threads count them.
unsigned Block::waitingAt(unsigned barrier) const {
  unsigned count = 0;
  bool all = barriers[barrier].threads == 0;
  for (const auto& warp : warps) {
    LaneMask mask = 0;
    for (const Path& path : warp->atBarrier[barrier])
      mask |= path.mask;
    if (!mask) continue;
    count += !all && mask == warp->live ? kLanes : static_cast<unsigned>(std::popcount(mask));
  }
  return count;
}

bool Block::releaseBarriers() {
  bool opened = false;
  for (unsigned i = 0; i < barriers.size(); ++i) {
    Barrier& barrier = barriers[i];
    unsigned waiting = waitingAt(i), wanted = barrier.threads ? barrier.threads : alive();
    if (waiting + barrier.arrived == 0 || waiting + barrier.arrived < wanted) continue;
    lastVote[i] = {barrier.voters, barrier.votes};
    barrier = {};
    for (auto& warp : warps)
      warp->releaseBarrier(i);
    opened = true;
  }
  return opened;
}

std::string Block::describeWaiting() const {
  constexpr std::size_t kLongest = 400;
  std::string text;
  for (const auto& warp : warps) {
    std::string waits = warp->describeWaiting();
    if (!waits.empty()) text += (text.empty() ? "" : "; ") + waits;
    if (text.size() > kLongest) return text.substr(0, kLongest) + " …";
  }
  return text;
}

} // namespace harness::ptx
