// Barriers of the block, of the cluster and of warps.

#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

void runNothing(Warp&, const Op&, LaneMask) {}

// ---- bar.warp.sync

void bindWarpSync(Binder& b) {
  if (!b.take("sync")) return b.refuse();
  b.source(Type::B32);
  b.needsDefined();
  b.together(b.op.src[0]);
  b.op.run = runNothing;
}

// ---- barriers of the block

/// src[0] = barrier, src[1] = threads.
void runArrive(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch[2];
  const std::uint64_t* number = w.fetch(op.src[0], scratch[0]);
  const std::uint64_t* threads = w.fetch(op.src[1], scratch[1]);
  LaneMask of[kClusterBarrier] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    unsigned barrier = w.block.barrierNumber(number[lane], lane);
    w.block.expect(w, barrier, static_cast<std::uint32_t>(threads[lane]), lane);
    of[barrier] |= laneBit(lane);
  }
  for (unsigned barrier = 0; barrier < kClusterBarrier; ++barrier)
    if (of[barrier]) w.arriveAtBarrier(barrier, of[barrier]);
}

void runCount(Warp& w, const Op& op, LaneMask mask) {
  const Vote& vote = w.active.vote;
  if (vote.unknown) w.undefined |= mask;
  Lanes out;
  std::fill_n(out.v, kLanes, vote.votes);
  w.write(op.dst[0], out.v, mask);
}

template <bool All> void runVote(Warp& w, const Op& op, LaneMask mask) {
  const Vote& vote = w.active.vote;
  if (vote.unknown) w.undefined |= mask;
  bool result = All ? vote.votes == vote.voters : vote.votes != 0;
  w.writePredicate(op.pdst[0], result ? kAllLanes : 0, mask);
}

/// a{, b}
void barrierAndThreads(Binder& b) {
  b.source(Type::U32);
  if (b.operandsLeft() > 0 && !b.peekPredicate()) b.source(Type::U32);
}

void bindReduce(Binder& b) {
  enum { Count, And, Or, None };
  unsigned operation = b.choice({"popc", "and", "or"}, None);
  if (operation == None) return b.refuse();
  if (b.type() != (operation == Count ? Type::U32 : Type::Pred)) return b.refuse();
  if (operation == Count)
    b.destination(Type::U32);
  else
    b.predicateDestination();
  barrierAndThreads(b);
  b.predicate(0);
  b.op.together = Together::Barrier;
  b.op.run = operation == Count ? runCount : operation == And ? runVote<true> : runVote<false>;
}

/// What bar and barrier have in common.
void bindBlockBarrier(Binder& b, bool aligned) {
  b.ignore({"cta"});
  b.op.aligned = aligned;
  if (b.take("red")) return bindReduce(b);
  b.needsDefined();
  if (b.take("sync")) {
    barrierAndThreads(b);
    b.op.together = Together::Barrier;
    b.op.run = runNothing;
    return;
  }
  if (!b.take("arrive")) return b.refuse();
  b.source(Type::U32);
  b.source(Type::U32);
  b.op.run = runArrive;
}

void bindBar(Binder& b) {
  if (b.take("warp")) return bindWarpSync(b);
  bindBlockBarrier(b, true);
}

// ---- the barrier of a cluster, which has one block

void bindClusterBarrier(Binder& b, bool aligned) {
  b.op.aligned = aligned;
  if (b.take("arrive")) {
    b.ignore({"release", "relaxed"});
    b.op.run = [](Warp& w, const Op&, LaneMask mask) { w.arriveAtBarrier(kClusterBarrier, mask); };
    return;
  }
  if (!b.take("wait")) return b.refuse();
  b.ignore({"acquire"});
  b.op.together = Together::Cluster;
  b.op.run = runNothing;
}

void bindBarrier(Binder& b) {
  bool aligned = b.take("aligned");
  if (b.take("cluster")) return bindClusterBarrier(b, aligned);
  bindBlockBarrier(b, aligned);
}

constexpr OpcodeRow kRows[] = {
    {"bar", TypeClass::Any, bindBar},
    {"barrier", TypeClass::Any, bindBarrier},
};

} // namespace

std::span<const OpcodeRow> barrierOpcodes() {
  return kRows;
}

} // namespace harness::ptx
