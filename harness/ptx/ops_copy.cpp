// Copies that run beside the program: cp.async in groups, cp.async.bulk.

#include "harness/ptx/lanes.h"
#include "harness/ptx/mbarrier.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace harness::ptx {

namespace {

/// The addresses of all lanes; reports those that nobody wrote.
void addressesOf(Warp& w, const Address& address, LaneMask mask, std::uint64_t (&value)[kLanes]) {
  if (LaneMask unknown = mask & ~w.written(address.base))
    w.reportUnwritten("its address is a value that nobody wrote", unknown);
  w.addresses(address, value);
}

// ---- cp.async

/// address = to, second = from; option[0] = bytes, option[1]: src[0] = bytes to copy; psrc[0]: copy none.
void runCopy(Warp& w, const Op& op, LaneMask mask) {
  std::uint64_t to[kLanes], from[kLanes];
  addressesOf(w, op.address, mask, to);
  addressesOf(w, op.second, mask, from);
  Lanes scratch;
  const std::uint64_t* sizes = op.option[1] ? w.fetch(op.src[0], scratch) : nullptr;
  LaneMask ignored = op.psrc[0].always ? 0 : w.fetch(op.psrc[0]);
  std::uint32_t bytes = op.option[0];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    AsyncCopies::Copy copy;
    copy.lane = lane;
    copy.bytes = bytes;
    copy.copied = ignored >> lane & 1 ? 0 : sizes ? static_cast<std::uint32_t>(sizes[lane]) : bytes;
    if (copy.copied > bytes) {
      w.reportUndefined("a copy of more bytes than its size", laneBit(lane));
      copy.copied = bytes;
    }
    Warp::Place place = w.resolve(op.address.space, to[lane], bytes, Warp::Access::Write, lane);
    copy.to = place.host;
    copy.written = place.written;
    if (from[lane] % bytes != 0) fault("a misaligned source of cp.async", static_cast<int>(lane));
    // Bytes beyond those copied are not read.
    for (std::uint32_t part = 0, step = 0; part < copy.copied; part += step) {
      step = 1;
      while (step * 2 <= copy.copied - part)
        step *= 2;
      std::byte* host = w.resolve(op.second.space, from[lane] + part, step, Warp::Access::Read, lane).host;
      if (part == 0) copy.from = host;
    }
    if (!w.copies.begin(copy))
      unsupported("more than " + std::to_string(AsyncCopies::kMost) + " copies of a warp are under way");
  }
}

void bindCopy(Binder& b) {
  bool cached = b.take("ca");
  if (!cached && !b.take("cg")) return b.refuse();
  if (!b.take("shared") && !b.take("shared::cta")) return b.refuse();
  if (!b.take("global")) return b.refuse();
  bool hint = b.take("L2::cache_hint");
  b.ignore({"L2::64B", "L2::128B", "L2::256B"});
  Address to = b.takeAddress(AddressSpace::Shared);
  b.op.second = b.takeAddress(AddressSpace::Global);
  b.op.address = to;
  std::int64_t bytes = b.number().value_or(0);
  if (bytes != 16 && (!cached || (bytes != 4 && bytes != 8))) return b.refuse();
  b.op.option[0] = static_cast<std::uint32_t>(bytes);
  std::size_t policy = hint ? 1 : 0;
  if (b.operandsLeft() > policy) {
    if (b.peekPredicate()) {
      b.predicate(0);
    } else {
      b.source(Type::U32);
      b.op.option[1] = 1;
    }
  }
  if (hint) b.ignoreSource(Type::B64);
  b.needsDefined();
  b.op.run = runCopy;
}

template <typename F> void forLanes(LaneMask mask, F f) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (mask >> lane & 1) f(lane);
}

void bindWaitGroup(Binder& b) {
  auto pending = b.number();
  if (!pending || *pending < 0 || *pending > std::numeric_limits<std::uint32_t>::max()) return b.refuse();
  b.op.option[0] = static_cast<std::uint32_t>(*pending);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.copies.finishGroups(mask, op.option[0]); };
}

/// The barrier counts one arrival more when all that the lane has begun has arrived: at once, here. Without
/// .noinc that arrival is added to what the phase waits for, so that nothing changes.
void runCopyArrive(Warp& w, const Op& op, LaneMask mask) {
  std::uint64_t at[kLanes];
  addressesOf(w, op.address, mask, at);
  forLanes(mask, [&](unsigned lane) {
    w.copies.finishAll(lane);
    PhaseBarrier barrier(w, op.address.space, at[lane], lane);
    if (op.option[0]) barrier.arrive(1);
  });
}

void bindCopyBarrier(Binder& b) {
  b.op.option[0] = b.take("noinc");
  AddressSpace space = AddressSpace::Generic;
  if (b.take("shared") || b.take("shared::cta")) space = AddressSpace::Shared;
  if (b.type() != Type::B64) return b.refuse();
  b.address(space);
  b.op.run = runCopyArrive;
}

// ---- cp.async.bulk

constexpr std::uint32_t kPiece = 16; ///< sizes and addresses are multiples of it

/// address = to, second = from, third = barrier (option[0]); src[0] = bytes. The copy is made at once.
void runBulk(Warp& w, const Op& op, LaneMask mask) {
  std::uint64_t to[kLanes], from[kLanes], barriers[kLanes];
  addressesOf(w, op.address, mask, to);
  addressesOf(w, op.second, mask, from);
  if (op.option[0]) addressesOf(w, op.third, mask, barriers);
  Lanes scratch;
  const std::uint64_t* sizes = w.fetch(op.src[0], scratch);
  forLanes(mask, [&](unsigned lane) {
    auto bytes = static_cast<std::uint32_t>(sizes[lane]);
    if (bytes % kPiece != 0)
      fault("cp.async.bulk of " + std::to_string(bytes) + " bytes; it takes a multiple of 16",
            static_cast<int>(lane));
    bool leaks = false;
    w.machine.work(std::uint64_t{bytes} * kPiece); // piece by piece
    for (std::uint32_t part = 0; part < bytes; part += kPiece) {
      Warp::Place source = w.resolve(op.second.space, from[lane] + part, kPiece, Warp::Access::Read, lane);
      Warp::Place target = w.resolve(op.address.space, to[lane] + part, kPiece, Warp::Access::Write, lane);
      std::memmove(target.host, source.host, kPiece);
      for (std::uint32_t i = 0; i < kPiece; ++i) {
        bool known = !source.written || source.written[i];
        if (target.written) target.written[i] = known;
        leaks = leaks || (!target.written && !known);
      }
    }
    if (leaks) w.reportUnwritten("stores a value that nobody wrote", laneBit(lane));
    if (op.option[0])
      PhaseBarrier(w, op.third.space, barriers[lane], lane).transact(-static_cast<int>(bytes));
  });
}

void bindBulk(Binder& b) {
  if (b.take("commit_group")) {
    b.op.run = [](Warp&, const Op&, LaneMask) {};
    return;
  }
  if (b.take("wait_group")) {
    b.ignore({"read"});
    if (!b.number()) b.refuse();
    b.op.run = [](Warp&, const Op&, LaneMask) {};
    return;
  }
  const auto& modifiers = b.instruction().modifiers;
  auto place = [&](std::string_view name) { return std::find(modifiers.begin(), modifiers.end(), name); };
  bool toGlobal = place("global") < std::min(place("shared::cta"), place("shared::cluster"));
  if (!b.take("global") || (!b.take("shared::cta") && (toGlobal || !b.take("shared::cluster"))))
    return b.refuse();
  bool withBarrier = b.take("mbarrier::complete_tx::bytes");
  if (withBarrier == toGlobal || (toGlobal && !b.take("bulk_group"))) return b.refuse();
  bool hint = b.take("L2::cache_hint");
  Address to = b.takeAddress(toGlobal ? AddressSpace::Global : AddressSpace::Shared);
  b.op.second = b.takeAddress(toGlobal ? AddressSpace::Shared : AddressSpace::Global);
  b.source(Type::U32);
  if (withBarrier) b.op.third = b.takeAddress(AddressSpace::Shared);
  b.op.address = to;
  b.op.option[0] = withBarrier;
  if (hint) b.ignoreSource(Type::B64);
  b.needsDefined();
  b.op.run = runBulk;
}

void bindCp(Binder& b) {
  if (!b.take("async")) return b.refuse();
  if (b.take("bulk")) return bindBulk(b);
  if (b.take("commit_group")) {
    b.op.run = [](Warp& w, const Op&, LaneMask mask) {
      forLanes(mask, [&](unsigned l) { w.copies.commit(l); });
    };
    return;
  }
  if (b.take("wait_group")) return bindWaitGroup(b);
  if (b.take("wait_all")) {
    b.op.run = [](Warp& w, const Op&, LaneMask mask) {
      forLanes(mask, [&](unsigned lane) { w.copies.commit(lane); });
      w.copies.finishGroups(mask, 0);
    };
    return;
  }
  if (b.take("mbarrier")) {
    // cp.async.mbarrier.arrive
    if (!b.take("arrive")) return b.refuse();
    return bindCopyBarrier(b);
  }
  bindCopy(b);
}

constexpr OpcodeRow kRows[] = {{"cp", TypeClass::Any, bindCp}};

} // namespace

std::span<const OpcodeRow> copyOpcodes() {
  return kRows;
}

} // namespace harness::ptx
