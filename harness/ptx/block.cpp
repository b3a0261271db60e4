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
  machine.poison(shared);
  machine.work(2 * shared.size());
  std::fill(sharedWritten.begin(), sharedWritten.end(), std::uint8_t{0});
  barriers = {};
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
    bool finished =
        std::all_of(warps.begin(), warps.end(), [](const auto& warp) { return warp->finished(); });
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
