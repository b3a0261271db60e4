#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace harness::sass {

void Warp::openConvergence(unsigned barrier, LaneMask mask) {
  for (unsigned i = 0; i < kLanes; ++i)
    if (mask >> i & 1) convergence[barrier][i] = mask;
  releaseConvergence();
}

void Warp::breakConvergence(unsigned barrier, LaneMask mask) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (mask >> i & 1)
      convergence[barrier][i] = 0;
    else
      convergence[barrier][i] &= ~mask;
  }
  releaseConvergence();
}

void Warp::setConvergence(unsigned barrier, const std::uint32_t* members, LaneMask mask) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    convergence[barrier][i] = members[i];
    auto last = std::find_if(saved[i].rbegin(), saved[i].rend(),
                             [barrier](const SavedConvergence& s) { return s.barrier == barrier; });
    if (last != saved[i].rend()) saved[i].erase(std::prev(last.base()));
  }
  releaseConvergence();
}

void Warp::clearConvergence(unsigned barrier, LaneMask mask, bool save) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    if (save) saved[i].push_back({barrier, convergence[barrier][i]});
    convergence[barrier][i] = 0;
  }
  releaseConvergence();
}

void Warp::waitConvergence(unsigned barrier, LaneMask mask) {
  LaneMask waiting = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    if ((mask >> i & 1) && convergence[barrier][i] != 0) {
      waiting |= laneBit(i);
      waitBarrier[i] = static_cast<std::uint8_t>(barrier);
    }
  suspend(waiting, atConvergence);
  releaseConvergence();
}

void Warp::waitWarpSync(LaneMask mask, const std::uint32_t* members, WarpSync kind, std::uint64_t target) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    if (!(members[i] >> i & 1)) fault("WARPSYNC by a lane that is not in its own mask", static_cast<int>(i));
    waitMask[i] = members[i];
    waitSync[i] = kind;
    collectiveTarget[i] = target;
  }
  suspend(mask, atWarpSync);
  releaseWarpSync();
}

void Warp::endCollective(LaneMask mask) {
  std::uint64_t targets[kLanes];
  LaneMask leaving = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    targets[i] = std::exchange(collectiveTarget[i], (mask >> i & 1) ? 0 : collectiveTarget[i]);
    if ((mask >> i & 1) && targets[i] != 0 && targets[i] != pc) leaving |= laneBit(i);
  }
  if (leaving) branchIndirect(leaving, targets);
}

void Warp::comeToBarrier(const BarrierArrival& arrival, LaneMask mask) {
  if (machine.observer) machine.observer->arrive(*this, arrival.barrier, mask);
  haveResult &= ~mask;
  if (arrival.reduction != BarrierReduction::None) {
    haveResult |= mask;
    for (LaneMask left = mask; left; left &= left - 1)
      barrierResult[std::countr_zero(left)] = {arrival.reduction, 0, 0};
  }
  if (arrival.waits) suspend(mask, atBarrier[arrival.barrier]);
  block.arrive(*this, arrival, mask);
}

void Warp::exit(LaneMask mask) {
  live &= ~mask;
  active &= ~mask;
  releaseConvergence();
  releaseWarpSync();
}

void Warp::suspend(LaneMask mask, LaneMask& waiting) {
  waiting |= mask;
  for (LaneMask left = mask; left; left &= left - 1)
    waitPc[std::countr_zero(left)] = pc;
  active &= ~mask;
}

/// Lanes that go on at one place go on together, the lowest lane's place first.
void Warp::resume(LaneMask mask) {
  std::size_t before = deferred.size();
  for (LaneMask left = mask; left;) {
    Path path{0, waitPc[std::countr_zero(left)]};
    for (LaneMask rest = left; rest; rest &= rest - 1) {
      auto i = static_cast<unsigned>(std::countr_zero(rest));
      if (waitPc[i] == path.pc) path.mask |= laneBit(i);
    }
    left &= ~path.mask;
    deferred.push_back(path);
  }
  std::reverse(deferred.begin() + static_cast<std::ptrdiff_t>(before), deferred.end());
  straight_ = 0; // the schedule may want one of them first
}

bool Warp::belongs(unsigned lane, unsigned barrier, LaneMask group) const {
  return convergence[barrier][lane] == group ||
         std::any_of(saved[lane].begin(), saved[lane].end(),
                     [=](const SavedConvergence& s) { return s.barrier == barrier && s.members == group; });
}

/// A lane waits until every live lane of its mask waits with the same mask. A lane that has executed BSSY on
/// the same barrier again holds another mask and no longer counts (notes: agrees with lane counts seen on
/// hardware).
void Warp::releaseConvergence() {
  if (!atConvergence) return;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(atConvergence >> i & 1)) continue;
    unsigned barrier = waitBarrier[i];
    LaneMask group = convergence[barrier][i];
    LaneMask required = 0, present = 0;
    for (unsigned j = 0; j < kLanes; ++j) {
      if (!((group | laneBit(i)) & live & laneBit(j)) || !belongs(j, barrier, group)) continue;
      required |= laneBit(j);
      if (convergence[barrier][j] == group && (atConvergence >> j & 1) && waitBarrier[j] == barrier)
        present |= laneBit(j);
    }
    if (required != present) continue;
    atConvergence &= ~present;
    resume(present);
  }
}

/// Lanes that are to run together must be at one place, or at places with the same code.
void Warp::checkTogether(LaneMask group) {
  auto first = static_cast<unsigned>(std::countr_zero(group));
  for (LaneMask left = group; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (waitSync[lane] != waitSync[first]) unsupported("lanes meet at WARPSYNC of different kinds");
    if (waitSync[lane] == WarpSync::Plain || waitPc[lane] == waitPc[first]) continue;
    if (waitSync[lane] == WarpSync::Exclusive || !machine.sameCollective(waitPc[lane], waitPc[first]))
      unsupported(llvm::formatv("lanes meet at {0:x} and {1:x} to run different code together", waitPc[first],
                                waitPc[lane])
                      .str());
    waitPc[lane] = waitPc[first];
  }
}

void Warp::releaseWarpSync() {
  if (!atWarpSync) return;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(atWarpSync >> i & 1)) continue;
    LaneMask required = waitMask[i] & live, present = 0;
    for (unsigned j = 0; j < kLanes; ++j)
      if ((required & atWarpSync) >> j & 1 && waitMask[j] == waitMask[i]) present |= laneBit(j);
    if (required != present) continue;
    checkTogether(present);
    atWarpSync &= ~present;
    resume(present);
  }
}

void Warp::releaseBlockBarrier(unsigned barrier) {
  resume(std::exchange(atBarrier[barrier], 0));
}

std::string Warp::describeWaiting() const {
  LaneMask atBar = 0;
  for (LaneMask mask : atBarrier)
    atBar |= mask;
  auto waitOf = [&](unsigned lane) {
    LaneMask bit = laneBit(lane);
    return atConvergence & bit ? 1 : atWarpSync & bit ? 2 : atBar & bit ? 3 : 0;
  };
  std::string text;
  for (LaneMask left = live; left;) {
    unsigned first = static_cast<unsigned>(std::countr_zero(left));
    LaneMask same = 0;
    for (unsigned i = first; i < kLanes; ++i)
      if ((left >> i & 1) && waitOf(i) == waitOf(first) && waitPc[i] == waitPc[first]) same |= laneBit(i);
    left &= ~same;
    static constexpr const char* kNames[] = {"run", "wait at BSYNC", "wait at WARPSYNC", "wait at BAR"};
    text += llvm::formatv("{0}lanes {1:x8} of warp {2} {3} before {4:x}", text.empty() ? "" : ", ", same,
                          index, kNames[waitOf(first)], waitPc[first])
                .str();
  }
  return text;
}

} // namespace harness::sass
