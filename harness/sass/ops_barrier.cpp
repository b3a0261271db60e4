// Barriers of the block: BAR, and B2R for what BAR.RED has found.

#include "harness/base/error.h"
#include "harness/sass/lanes.h"

#include <bit>
#include <optional>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

enum class Arrive : u32 { Sync, Arv, Red };

// Options of BAR.
enum : u32 { kArrive, kReduction, kPacked };

constexpr u32 kMostThreads = 0xfff; ///< the count has 12 bits

/// Of registers, the lanes' common value.
u32 common(Warp& w, const Source& source, LaneMask mask) {
  if (source.kind == Source::Kind::Immediate) return static_cast<u32>(source.immediate);
  Lanes scratch;
  const u32* value = w.fetch(source, scratch);
  u32 first = value[std::countr_zero(mask)];
  for (LaneMask left = mask; left; left &= left - 1)
    if (value[std::countr_zero(left)] != first)
      unsupported("lanes of a warp come to different barriers at once");
  return first;
}

/// Which barrier, and for how many threads it waits. One register for both holds the count from bit 16 on.
BarrierArrival arrivalOf(Warp& w, const Op& op, LaneMask mask) {
  BarrierArrival arrival;
  u32 barrier = common(w, op.src[0], mask);
  arrival.threads = op.option[kPacked] ? barrier >> 16 & kMostThreads : common(w, op.src[1], mask);
  arrival.barrier = op.option[kPacked] ? barrier & 0xffff : barrier;
  if (arrival.barrier >= kClusterBarrier)
    unsupported(llvm::formatv("there is no barrier {0}", arrival.barrier).str());
  if (arrival.threads % kLanes || arrival.threads > kMostThreads)
    unsupported(llvm::formatv("a barrier for {0} threads", arrival.threads).str());
  arrival.waits = op.option[kArrive] != static_cast<u32>(Arrive::Arv);
  if (!arrival.waits && arrival.threads == 0) unsupported("BAR.ARV at a barrier for all threads");
  arrival.reduction = static_cast<BarrierReduction>(op.option[kReduction]);
  if (arrival.reduction != BarrierReduction::None) arrival.votes = w.fetch(op.psrc[0]);
  return arrival;
}

/// A barrier or a thread count: a number or a register.
Source takeNumberOrRegister(Binder& b) {
  Source source = b.integer();
  if ((source.kind != Source::Kind::Immediate && source.kind != Source::Kind::Register) ||
      source.transform != Transform::None)
    b.refuse();
  return source;
}

bool isRegister(const Source& source) {
  return source.kind == Source::Kind::Register;
}

/// BAR.SYNC barrier [, threads]; BAR.ARV barrier, threads; BAR.RED.POPC|AND|OR barrier [, threads], P
void bindBar(Binder& b) {
  unsigned arrive = b.choice({"SYNC", "ARV", "RED"}, 3);
  if (arrive == 3) b.refuse();
  b.op.option[kArrive] = arrive;
  b.take("DEFER_BLOCKING"); // where the warp waits; the barrier is the same
  bool reduces = arrive == static_cast<u32>(Arrive::Red);
  if (reduces) {
    unsigned reduction = b.choice({"POPC", "AND", "OR"}, 3);
    if (reduction == 3) b.refuse();
    b.op.option[kReduction] = reduction + 1;
  }
  b.op.src[0] = takeNumberOrRegister(b);
  if (!isRegister(b.op.src[0]) && b.op.src[0].immediate >= kClusterBarrier) b.refuse();
  if (b.operandsLeft() > (reduces ? 1 : 0)) {
    b.op.src[1] = takeNumberOrRegister(b);
    if (!isRegister(b.op.src[1]) && (b.op.src[1].immediate > kMostThreads || b.op.src[1].immediate % kLanes))
      b.refuse();
    b.op.option[kPacked] = isRegister(b.op.src[0]) && isRegister(b.op.src[1]);
    if (b.op.option[kPacked] && b.op.src[0].index != b.op.src[1].index) b.refuse();
  } else if (isRegister(b.op.src[0]) || arrive == static_cast<u32>(Arrive::Arv)) {
    b.refuse(); // not made by ptxas
  }
  if (reduces) b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.comeToBarrier(arrivalOf(w, op, mask), mask); };
}

u32 resultCount(const Warp::BarrierResult& result) {
  if (result.reduction != BarrierReduction::Popc)
    unsupported("B2R.RESULT as a number, not after BAR.RED.POPC");
  return result.votes;
}

bool resultPredicate(const Warp::BarrierResult& result) {
  switch (result.reduction) {
  case BarrierReduction::And: return result.votes == result.voters;
  case BarrierReduction::Or: return result.votes != 0;
  default: unsupported("B2R.RESULT as a predicate, not after BAR.RED.AND or BAR.RED.OR");
  }
}

/// B2R.RESULT R: the count of BAR.RED.POPC. B2R.RESULT RZ, P: the result of AND and OR.
void bindB2r(Binder& b) {
  if (!b.take("RESULT")) b.refuse();
  b.op.dst = b.destination();
  bool isCount = b.op.dst.index != kZeroRegister;
  if (!isCount) b.op.pdst[0] = b.predicateDestination();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes count{};
    LaneMask holds = 0;
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      Warp::BarrierResult result;
      if (w.haveResult >> lane & 1) result = w.barrierResult[lane];
      if (op.dst.index != kZeroRegister) count.v[lane] = resultCount(result);
      if (op.pdst[0].index != kTruePredicate) holds |= LaneMask{resultPredicate(result)} << lane;
    }
    w.write(op.dst, count.v, mask);
    w.write(op.pdst[0], holds, mask);
  };
}

constexpr OpcodeRow kRows[] = {{"BAR", bindBar}, {"B2R", bindB2r}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::barrierOpcodes() {
  return kRows;
}

} // namespace harness::sass
