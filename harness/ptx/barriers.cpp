// The barriers of a block: who comes, who waits, when they open.

#include "harness/ptx/machine.h"

#include <algorithm>
#include <utility>

namespace harness::ptx {

void Warp::arriveAtBarrier(unsigned barrier, LaneMask mask) {
  LaneMask again = mask & (arrivedAt[barrier] | waitingAt(barrier));
  if (again) reportUndefined("arrives at a barrier again before it opened", again);
  arrivedAt[barrier] |= mask;
  block.openIfComplete(barrier);
}

LaneMask Warp::waitingAt(unsigned barrier) const {
  LaneMask mask = 0;
  for (const Path& path : atBarrier[barrier])
    mask |= path.mask;
  return mask;
}

/// True if no lane has to wait. Else the lanes of `mask` wait, and the others of the path go on without them.
bool Warp::waitAtBarrier(const Op& op, LaneMask mask) {
  LaneMask of[kBarriers] = {};
  if (op.together == Together::Cluster) {
    of[kClusterBarrier] = mask & arrivedAt[kClusterBarrier];
    if (!of[kClusterBarrier]) return true;
  } else {
    Lanes scratch[2];
    const std::uint64_t* number = fetch(op.src[0], scratch[0]);
    const std::uint64_t* count = op.sources > 1 ? fetch(op.src[1], scratch[1]) : nullptr;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      unsigned barrier = block.barrierNumber(number[lane], lane);
      of[barrier] |= laneBit(lane);
      if (count) block.expect(*this, barrier, static_cast<std::uint32_t>(count[lane]), lane);
    }
  }
  LaneMask votes = fetch(op.psrc[0]), known = written(op.psrc[0]), waits = 0;
  Path whole = std::move(active);
  active = {};
  for (unsigned i = 0; i < kBarriers; ++i) {
    if (!of[i]) continue;
    if (LaneMask again = of[i] & arrivedAt[i]; again && i != kClusterBarrier)
      reportUndefined("comes to a barrier again before it opened", again);
    Vote& vote = block.barriers[i].vote;
    vote.voters += static_cast<unsigned>(std::popcount(of[i]));
    vote.votes += static_cast<unsigned>(std::popcount(of[i] & votes));
    vote.unknown = vote.unknown || (of[i] & ~known);
    Path here = whole;
    here.mask = of[i];
    atBarrier[i].push_back(std::move(here));
    waits |= of[i];
  }
  if (LaneMask through = mask & ~waits) {
    Path open = whole;
    open.mask = through;
    open.together = true;
    ready.push_back(std::move(open));
  }
  if (LaneMask rest = whole.mask & ~mask) {
    active = std::move(whole);
    active.mask = rest;
    ++active.pc;
  }
  for (unsigned i = 0; i < kBarriers; ++i)
    if (of[i]) block.openIfComplete(i);
  return false;
}

/// A barrier whose lanes must be at one instruction opens.
void Warp::reportPartialBarrier(unsigned barrier) {
  const std::vector<Path>& paths = atBarrier[barrier];
  if (paths.empty() || !machine.code.ops[paths.front().pc].aligned) return;
  bool apart = (live & ~waitingAt(barrier)) != 0;
  for (const Path& path : paths)
    apart = apart || path.pc != paths.front().pc;
  if (!apart) return;
  std::uint32_t at = std::exchange(machine.at, paths.front().pc);
  reportUndefined("an aligned barrier opens to which not all lanes of the warp came at this instruction",
                  paths.front().mask);
  machine.at = at;
}

void Warp::releaseBarrier(unsigned barrier, const Vote& vote) {
  reportPartialBarrier(barrier);
  arrivedAt[barrier] = 0;
  std::vector<Path> paths = std::move(atBarrier[barrier]);
  atBarrier[barrier].clear();
  std::vector<Path> merged;
  for (Path& path : paths) {
    bool taken = false;
    for (Path& other : merged)
      taken = taken || (other.pc == path.pc && joinGroup(other, path));
    if (!taken) merged.push_back(std::move(path));
  }
  for (Path& path : merged) {
    path.together = true;
    path.vote = vote;
    ready.push_back(std::move(path));
  }
}

unsigned Block::barrierNumber(std::uint64_t number, unsigned lane) const {
  auto barrier = static_cast<std::uint32_t>(number);
  if (barrier >= kClusterBarrier)
    fault("barrier " + std::to_string(barrier) + "; there are 0 to 15", static_cast<int>(lane));
  return barrier;
}

void Block::expect(Warp& warp, unsigned number, std::uint32_t threads, unsigned lane) {
  if (threads == 0 || threads % kLanes != 0)
    fault("a barrier of " + std::to_string(threads) + " threads; it takes a multiple of 32",
          static_cast<int>(lane));
  Barrier& barrier = barriers[number];
  if (barrier.threads != 0 && barrier.threads != threads)
    warp.reportUndefined("comes to a barrier with another count of threads than others", laneBit(lane));
  barrier.threads = std::max(barrier.threads, threads);
}

/// A warp takes part with all its live lanes and then counts as 32 threads, also if it has fewer.
bool Block::isComplete(unsigned number) const {
  unsigned came = 0;
  bool any = false, all = true;
  for (const auto& warp : warps) {
    LaneMask waiting = number == kClusterBarrier ? 0 : warp->waitingAt(number);
    LaneMask mask = waiting | warp->arrivedAt[number], missing = warp->live & ~mask;
    any = any || mask != 0;
    all = all && missing == 0;
    if (mask) came += missing == 0 ? kLanes : static_cast<unsigned>(std::popcount(mask));
  }
  unsigned threads = barriers[number].threads;
  return any && (threads ? came >= threads : all);
}

bool Block::openIfComplete(unsigned number) {
  if (!isComplete(number)) return false;
  Vote vote = barriers[number].vote;
  barriers[number] = {};
  bool waited = false;
  for (auto& warp : warps) {
    waited = waited || !warp->atBarrier[number].empty();
    warp->releaseBarrier(number, vote);
  }
  return waited;
}

bool Block::releaseBarriers() {
  bool opened = false;
  for (unsigned i = 0; i < kBarriers; ++i)
    opened = openIfComplete(i) || opened;
  return opened;
}

} // namespace harness::ptx
