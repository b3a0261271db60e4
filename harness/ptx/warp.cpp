// The operands of a warp, and the loop that executes it.

#include "harness/ptx/machine.h"
#include "harness/ptx/special.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

namespace {

/// Warp instructions that a path may have before all others get their turn. A thread that waits in a loop for
/// another would wait for ever otherwise.
constexpr std::uint64_t kQuantum = 50'000;

} // namespace

Warp::Warp(Machine& machine, Block& block, unsigned index, LaneMask lanes)
    : machine(machine), block(block), index(index), lanes(lanes) {
  ensureLocal(machine.kernel.stackBytes);
}

void Warp::restart() {
  live = lanes;
  ready.clear();
  waiting.clear();
  atJoin.clear();
  for (auto& barrier : atBarrier)
    barrier.clear();
  std::fill(std::begin(arrivedAt), std::end(arrivedAt), LaneMask{0});
  approximated = 0;
  copies = {};
  random_ = machine.options.scheduleSeed * 0x9e3779b97f4a7c15 + block.linearIndex() * 1021 + index + 1;
  machine.poison(local);
  machine.work(2 * local.size());
  std::fill(localWritten.begin(), localWritten.end(), std::uint8_t{0});
  Path path;
  path.mask = lanes;
  path.pc = machine.kernel.begin;
  path.frame = std::make_shared<Frame>(machine, machine.kernel);
  active = {};
  ready.push_back(std::move(path));
}

const std::uint64_t* Warp::fetchElsewhere(const Source& source, Lanes& scratch) const {
  switch (source.kind) {
  case Source::Kind::Register: return active.frame->registers[source.index].v;
  case Source::Kind::Constant: return machine.constants[source.index].v;
  case Source::Kind::Special: readSpecial(*this, source.index, scratch); break;
  case Source::Kind::Stack: std::fill_n(scratch.v, kLanes, active.frame->stack + source.index); break;
  }
  return scratch.v;
}

void Warp::write(Destination destination, const std::uint64_t* value, LaneMask mask) {
  std::uint64_t* to = active.frame->registers[destination.slot].v;
  if (mask == kAllLanes) {
    std::copy_n(value, kLanes, to);
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = mask >> lane & 1 ? value[lane] : to[lane];
}

void Warp::writePredicate(Slot slot, LaneMask value, LaneMask mask) {
  LaneMask& predicate = active.frame->predicates[slot];
  predicate = (predicate & ~mask) | (value & mask);
}

LaneMask Warp::written(const Source& source) const {
  return source.kind == Source::Kind::Register ? active.frame->written[source.index] : kAllLanes;
}

LaneMask Warp::written(const PredicateSource& source) const {
  return source.always ? kAllLanes : active.frame->written[active.frame->function.registers + source.slot];
}

void Warp::addresses(const Address& address, std::uint64_t (&value)[kLanes]) const {
  Lanes scratch;
  const std::uint64_t* base = fetch(address.base, scratch);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    value[lane] = base[lane] + static_cast<std::uint64_t>(address.offset);
}

void Warp::reportUndefined(const std::string& what, LaneMask mask) {
  report(what, mask, machine.result.undefined);
}

void Warp::reportUnwritten(const std::string& what, LaneMask mask) {
  report(what, mask, machine.result.unwritten);
}

void Warp::report(const std::string& what, LaneMask mask, std::vector<std::string>& list) {
  constexpr std::size_t kMost = 64;
  if (machine.reported.size() >= kMost || !machine.reported.emplace(machine.at, what).second) return;
  list.push_back(machine.code.describe(machine.at) + ": " + what + " (first in lane " +
                 std::to_string(std::countr_zero(mask)) + " of warp " + std::to_string(index) + ", block " +
                 std::to_string(block.linearIndex()) + ")");
}

void Warp::watchReads(const Op& op, LaneMask mask) {
  const std::vector<LaneMask>& written = active.frame->written;
  LaneMask missing = 0;
  for (std::uint32_t i = op.readsBegin; i < op.readsEnd; ++i)
    missing |= ~written[machine.code.places[i]];
  undefined = missing & mask;
  if (undefined && op.needsDefined) reportUnwritten("uses a value that nobody wrote", undefined);
}

/// Runs the active path until it ends or has had its turn; true if it is ready again.
bool Warp::execute() {
  const Code& code = machine.code;
  machine.warp = this;
  for (std::uint64_t turn = 0; active.mask; ++turn) {
    if (turn == kQuantum) {
      yield();
      return true;
    }
    if (active.join && active.pc == active.join->at && active.frame.get() == active.join->frame &&
        !arriveAtJoin())
      return false;
    if (machine.options.schedule == Schedule::LowestPcFirst || machine.options.schedule == Schedule::Random)
      mergeReady();
    const Op& op = code.ops[active.pc];
    machine.at = active.pc;
    LaneMask mask = active.mask;
    if (!op.guard.always) {
      LaneMask unknown = mask & ~active.frame->written[active.frame->function.registers + op.guard.slot];
      if (unknown) reportUnwritten("its predicate is a value that nobody wrote", unknown);
      mask &= fetch(op.guard);
    }
    machine.count(mask);
    if (mask == 0) {
      ++active.pc;
      continue;
    }
    if (op.together != Together::No && !active.together &&
        !(op.together == Together::Members ? waitForMembers(op, mask) : waitAtBarrier(op, mask)))
      continue;
    std::uint32_t at = active.pc++;
    active.together = false;
    watchReads(op, mask);
    if (machine.observer) machine.observer->before(*this, at, mask);
    op.run(*this, op, mask);
    if (op.writesBegin != op.writesEnd) {
      std::vector<LaneMask>& written = active.frame->written;
      for (std::uint32_t i = op.writesBegin; i < op.writesEnd; ++i) {
        LaneMask& place = written[code.places[i]];
        place = (place & ~mask) | (mask & ~undefined);
      }
      while (alsoUndefinedCount) {
        const PlaceLanes& also = alsoUndefined[--alsoUndefinedCount];
        written[also.place] &= ~also.lanes;
      }
    }
    if (machine.observer) machine.observer->after(*this, at, mask);
    if (wantsYield) {
      wantsYield = false;
      yield();
      return true;
    }
  }
  return false;
}

void Warp::run() {
  // Until every path that is ready has had its turn, so that other warps get theirs.
  std::size_t yielded = 0;
  while (yielded <= ready.size() && next())
    yielded += execute();
}

} // namespace harness::ptx
