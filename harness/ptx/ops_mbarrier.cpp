// mbarrier objects.

#include "harness/ptx/lanes.h"
#include "harness/ptx/mbarrier.h"

namespace harness::ptx {

namespace {

/// Calls f(lane, address) for all lanes.
template <typename F> void forAddresses(Warp& w, const Op& op, LaneMask mask, F f) {
  if (LaneMask unknown = mask & ~w.written(op.address.base))
    w.reportUnwritten("its address is a value that nobody wrote", unknown);
  std::uint64_t at[kLanes];
  w.addresses(op.address, at);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (mask >> lane & 1) f(lane, at[lane]);
}

/// Order and scope say nothing here; a cluster has one block.
AddressSpace takeHow(Binder& b) {
  b.ignore({"relaxed", "acquire", "release"});
  b.ignore({"cta", "cluster"});
  if (b.take("shared") || b.take("shared::cta") || b.take("shared::cluster")) return AddressSpace::Shared;
  return AddressSpace::Generic;
}

void runInit(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* count = w.fetch(op.src[0], scratch);
  forAddresses(w, op, mask, [&](unsigned lane, std::uint64_t at) {
    PhaseBarrier::initialise(w, op.address.space, at, lane, static_cast<std::uint32_t>(count[lane]));
  });
}

void runInvalidate(Warp& w, const Op& op, LaneMask mask) {
  forAddresses(w, op, mask, [&](unsigned lane, std::uint64_t at) {
    PhaseBarrier::invalidate(w, op.address.space, at, lane);
  });
}

/// src[0], if it is there: arrivals; with `expect`: bytes, and one arrival.
void runArrive(Warp& w, const Op& op, LaneMask mask) {
  bool drops = op.option[0], expects = op.option[1], mayNotComplete = op.option[2];
  Lanes scratch, out;
  const std::uint64_t* operand = op.sources ? w.fetch(op.src[0], scratch) : nullptr;
  forAddresses(w, op, mask, [&](unsigned lane, std::uint64_t at) {
    PhaseBarrier barrier(w, op.address.space, at, lane);
    out.v[lane] = barrier.state();
    auto value = operand ? static_cast<std::uint32_t>(operand[lane]) : 1;
    if (expects) barrier.transact(value);
    std::uint32_t count = expects ? 1 : value;
    bool wasOdd = barrier.isOdd();
    if (drops)
      barrier.drop(count);
    else
      barrier.arrive(count);
    if (mayNotComplete && barrier.isOdd() != wasOdd)
      w.reportUndefined("a .noComplete arrival completes the phase", laneBit(lane));
  });
  if (op.destinations) w.write(op.dst[0], out.v, mask);
}

void bindArrive(Binder& b, bool drops) {
  b.op.option[0] = drops;
  b.op.option[1] = b.take("expect_tx");
  b.op.option[2] = b.take("noComplete");
  AddressSpace space = takeHow(b);
  if (b.type() != Type::B64) return b.refuse();
  // Old code leaves the state out where it is the sink.
  if (b.peek() && b.peek()->kind != Operand::Kind::Address) b.destination(Type::B64);
  b.address(space);
  if (b.operandsLeft() > 0 || b.op.option[1] || b.op.option[2]) b.source(Type::U32);
  b.needsDefined();
  b.op.run = runArrive;
}

/// expect_tx, complete_tx; option[0]: complete.
void runTransact(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* bytes = w.fetch(op.src[0], scratch);
  forAddresses(w, op, mask, [&](unsigned lane, std::uint64_t at) {
    auto count = static_cast<std::int64_t>(static_cast<std::uint32_t>(bytes[lane]));
    PhaseBarrier(w, op.address.space, at, lane).transact(op.option[0] ? -count : count);
  });
}

/// option[0]: src[0] is a parity, else a state. Others run before a lane asks again.
void runWait(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* phase = w.fetch(op.src[0], scratch);
  LaneMask complete = 0;
  forAddresses(w, op, mask, [&](unsigned lane, std::uint64_t at) {
    bool odd = op.option[0] ? phase[lane] & 1 : PhaseBarrier::isOdd(phase[lane]);
    if (PhaseBarrier(w, op.address.space, at, lane).isOdd() != odd) complete |= laneBit(lane);
  });
  w.writePredicate(op.pdst[0], complete, mask);
  w.wantsYield = complete != mask;
}

void bindWait(Binder& b, bool suspends) {
  b.op.option[0] = b.take("parity");
  AddressSpace space = takeHow(b);
  if (b.type() != Type::B64) return b.refuse();
  b.predicateDestination();
  b.address(space);
  b.source(b.op.option[0] ? Type::U32 : Type::B64);
  if (suspends && b.operandsLeft() > 0) b.ignoreSource(Type::U32);
  b.needsDefined();
  b.op.run = runWait;
}

void bindPending(Binder& b) {
  if (b.type() != Type::B64) return b.refuse();
  b.destination(Type::U32);
  b.source(Type::B64);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map1<std::uint64_t>(w, op, mask, [](std::uint64_t state) { return PhaseBarrier::pendingOf(state); });
  };
}

void bindSimple(Binder& b, OpFunction run, bool operand) {
  AddressSpace space = takeHow(b);
  if (b.type() != Type::B64) return b.refuse();
  b.address(space);
  if (operand) b.source(Type::U32);
  b.needsDefined();
  b.op.run = run;
}

void bindMbarrier(Binder& b) {
  if (b.take("init")) return bindSimple(b, runInit, true);
  if (b.take("inval")) return bindSimple(b, runInvalidate, false);
  if (b.take("arrive")) return bindArrive(b, false);
  if (b.take("arrive_drop")) return bindArrive(b, true);
  if (b.take("test_wait")) return bindWait(b, false);
  if (b.take("try_wait")) return bindWait(b, true);
  if (b.take("pending_count")) return bindPending(b);
  b.op.option[0] = b.take("complete_tx");
  if (!b.op.option[0] && !b.take("expect_tx")) return b.refuse();
  bindSimple(b, runTransact, true);
}

constexpr OpcodeRow kRows[] = {{"mbarrier", TypeClass::Any, bindMbarrier}};

} // namespace

std::span<const OpcodeRow> mbarrierOpcodes() {
  return kRows;
}

} // namespace harness::ptx
