#include "harness/base/subprocess.h"
#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace harness::sass {

Block::Block(Machine& owner) : machine(owner), shared(owner.sharedSize) {
  auto threads = static_cast<unsigned>(owner.launch.threadsPerBlock());
  warps.reserve((threads + kLanes - 1) / kLanes);
  for (unsigned first = 0; first < threads; first += kLanes) {
    unsigned count = std::min(kLanes, threads - first);
    warps.emplace_back(owner, *this, first / kLanes, count == kLanes ? kAllLanes : laneBit(count) - 1);
  }
}

unsigned Block::waiting(unsigned barrier) const {
  unsigned count = 0;
  for (const Warp& warp : warps)
    count += static_cast<unsigned>(std::popcount(warp.atBarrier[barrier]));
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
  position = {};
  warpInstructions = threadInstructions = nextPause_ = 0;
  divergences = approximations = 0;
  std::fill(shared.begin(), shared.end(), machine.options.poison);
  barriers_.fill({});
  for (Warp& warp : warps)
    warp.restart();
  if (machine.observer) machine.observer->startBlock(*this);
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

namespace {

/// As how many threads lanes that come to a barrier count: a warp that has come as a whole as 32, however
/// many it has.
unsigned threadsOf(const Warp& warp, LaneMask lanes) {
  return lanes == warp.live ? kLanes : static_cast<unsigned>(std::popcount(lanes));
}

} // namespace

void Block::arrive(const Warp& warp, const BarrierArrival& arrival, LaneMask lanes) {
  Barrier& barrier = barriers_[arrival.barrier];
  if (barrier.open && barrier.threads != arrival.threads)
    unsupported(llvm::formatv("threads come to barrier {0} that wait for {1} and for {2} threads",
                              arrival.barrier, barrier.threads, arrival.threads)
                    .str());
  barrier.open = true;
  barrier.threads = arrival.threads;
  if (arrival.reduction != BarrierReduction::None) {
    barrier.voters += static_cast<unsigned>(std::popcount(lanes));
    barrier.votes += static_cast<unsigned>(std::popcount(lanes & arrival.votes));
  }
  if (!arrival.waits) barrier.arrived += threadsOf(warp, lanes);
  openIfComplete(arrival.barrier);
}

bool Block::openIfComplete(unsigned barrier) {
  const Barrier& state = barriers_[barrier];
  if (state.threads == 0) return false;
  unsigned total = state.arrived;
  for (const Warp& warp : warps) {
    if (LaneMask waits = warp.atBarrier[barrier]) total += threadsOf(warp, waits);
  }
  if (total > state.threads)
    unsupported(
        llvm::formatv("{0} threads come to barrier {1}, which waits for {2}", total, barrier, state.threads)
            .str());
  if (total != state.threads) return false;
  open(barrier);
  return true;
}

void Block::open(unsigned barrier) {
  Barrier state = std::exchange(barriers_[barrier], {});
  if (machine.observer) {
    // Whoever arrived without waiting is known by name no more: all are taken to be in order.
    LaneMask there = 0;
    for (const Warp& warp : warps)
      there |= laneBit(warp.index);
    machine.observer->release(*this, barrier, there);
  }
  for (Warp& warp : warps) {
    for (LaneMask left = warp.atBarrier[barrier] & warp.haveResult; left; left &= left - 1) {
      Warp::BarrierResult& result = warp.barrierResult[std::countr_zero(left)];
      result.voters = state.voters;
      result.votes = state.votes;
    }
    warp.releaseBlockBarrier(barrier);
  }
}

bool Block::releaseBarriers(unsigned aliveThreads) {
  std::array<unsigned, kBlockBarriers> count{};
  for (unsigned barrier = 0; barrier < kBlockBarriers; ++barrier)
    if (barriers_[barrier].open) count[barrier] = waiting(barrier);
  bool released = false;
  for (unsigned barrier = 0; barrier < kBlockBarriers; ++barrier) {
    if (count[barrier] == 0) continue;
    if (barriers_[barrier].threads != 0) {
      released |= openIfComplete(barrier); // lanes that have exited may have made a warp complete
    } else if (count[barrier] == aliveThreads) {
      open(barrier);
      released = true;
    }
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

std::uint64_t Block::clock() const {
  std::uint64_t run = position.first ? static_cast<std::uint64_t>(position.op + 1 - position.first) : 0;
  return warpInstructions + run;
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
