#include "harness/sass/access.h"
#include "harness/sass/mbarrier.h"

#include <algorithm>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

void doNothing(Warp&, const Op&, LaneMask) {}

// ---- copies from global to shared memory
//
// A copy is made when it is issued, so that waiting for it has nothing left to do. A program that reads the
// copy, or changes what is copied, before it has waited is wrong, and no result of it is.

/// The sum of a register, a uniform register and a number: src[0], src[1], src[2].
void takeCopyTarget(Binder& b) {
  Address address = b.address();
  if (address.base64 || address.uniform64 || address.scale) b.refuse();
  auto part = [](Source::Kind kind, std::uint8_t index) {
    Source source;
    source.kind = kind;
    source.index = index;
    return source;
  };
  b.op.src[0] = part(Source::Kind::Register, address.base);
  b.op.src[1] = part(Source::Kind::Uniform, address.uniform);
  b.op.src[2].immediate = static_cast<u32>(address.offset);
}

void copyTargets(Warp& w, const Op& op, u64 (&addresses)[kLanes]) {
  Lanes s0, s1, s2;
  const u32* base = w.fetch(op.src[0], s0);
  const u32* uniform = w.fetch(op.src[1], s1);
  const u32* offset = w.fetch(op.src[2], s2);
  for (unsigned i = 0; i < kLanes; ++i)
    addresses[i] = base[i] + uniform[i] + offset[i]; // 32 bits
}

/// option[0] = bytes, option[1] = zero fill, psrc[0] = lanes that read; the others store zeros.
void copy(Warp& w, const Op& op, LaneMask mask) {
  u32 bytes = op.option[0];
  u64 from[kLanes], to[kLanes];
  w.addresses(op.address, from);
  copyTargets(w, op, to);
  u32 values[kLanes][4] = {};
  LaneMask reading = w.fetch(op.psrc[0]) & mask;
  for (LaneMask left = reading; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    // The low bits of a zero-filled copy's source say how many bytes at its end are zeros.
    u32 zeros = op.option[1] ? static_cast<u32>(from[lane] % bytes) : 0;
    from[lane] -= zeros;
    for (u32 done = 0; done < bytes - zeros;) {
      // The largest piece that ends where the copy does.
      u32 piece = std::min(std::bit_floor(bytes - zeros - done), done ? done & (0 - done) : bytes);
      u64 at[kLanes];
      at[lane] = from[lane] + done;
      observe<globalWindow>(w, AccessKind::Read, at, piece, LaneMask{1} << lane);
      accessLanes<globalWindow>(w, at, piece, LaneMask{1} << lane, [&](const std::byte* host, unsigned) {
        std::memcpy(reinterpret_cast<std::byte*>(values[lane]) + done, host, piece);
      });
      done += piece;
    }
  }
  observe<sharedWindow>(w, AccessKind::Write, to, bytes, mask);
  accessLanes<sharedWindow>(w, to, bytes, mask,
                            [&](std::byte* at, unsigned lane) { std::memcpy(at, values[lane], bytes); });
}

/// LDGSTS: the last operand, if there is one, is a predicate of reading.
void bindLdgsts(Binder& b) {
  b.ignore({"BYPASS"});
  ignoreCacheWords(b);
  static constexpr u32 kBytes[] = {8, 16, 4};
  b.op.option[0] = kBytes[b.choice({"64", "128"}, 2)];
  b.op.option[1] = b.take("ZFILL");
  takeCopyTarget(b);
  takeGlobalAddress(b);
  if (b.peekPredicate()) b.op.psrc[0] = b.predicate();
  b.op.run = copy;
}

void bindNothing(Binder& b) {
  b.op.run = doNothing;
}

/// "{5,0}": numbers of scoreboards.
bool isScoreboardList(std::string_view text) {
  if (text.size() < 3 || text.size() % 2 == 0 || text.front() != '{' || text.back() != '}') return false;
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (i % 2 == 0 ? text[i] != ',' : text[i] < '0' || text[i] > '5') return false;
  return true;
}

/// DEPBAR.LE SB0, n: at most n groups of copies are on their way. DEPBAR.LE SB0, n, {4,3}: and the
/// instructions that those scoreboards count are done, which here they are.
void bindDepbar(Binder& b) {
  static constexpr std::string_view kScoreboards[] = {"SB0", "SB1", "SB2", "SB3", "SB4", "SB5"};
  if (!b.take("LE")) b.refuse();
  const TextOperand* scoreboard = b.any();
  if (!scoreboard || std::ranges::find(kScoreboards, scoreboard->text) == std::end(kScoreboards)) b.refuse();
  b.number();
  if (const TextOperand* more = b.peek(); more && isScoreboardList(more->text)) b.any();
  b.op.run = doNothing;
}

// ---- mbarriers

/// Replaces the state of each lane's mbarrier; gives the states that were there.
template <typename Change>
void changeBarriers(Warp& w, const Op& op, LaneMask mask, u64 (&old)[kLanes], Change change) {
  u64 addresses[kLanes];
  laneAddresses<sharedWindow>(w, op.address, addresses);
  std::fill_n(old, kLanes, 0);
  observe<sharedWindow>(w, AccessKind::Atomic, addresses, 8, mask);
  accessLanes<sharedWindow>(w, addresses, 8, mask, [&](std::byte* at, unsigned lane) {
    std::memcpy(&old[lane], at, 8);
    u64 state = change(old[lane], lane);
    std::memcpy(at, &state, 8);
  });
}

/// ARRIVES.LDGSTSBAR.64: all copies of a lane have come, so it arrives, or completes the transaction that it
/// has announced.
void bindArrives(Binder& b) {
  if (!b.take("LDGSTSBAR") || !b.take("64")) b.refuse();
  enum : u32 { kArrival, kTransaction, kCounter };
  b.op.option[0] = b.choice({"ARVCNT", "TRANSCNT"}, kCounter);
  if ((b.op.option[0] == kCounter) != (b.encoding().sm < 90)) b.refuse();
  takeWindowAddress(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 old[kLanes];
    changeBarriers(w, op, mask, old, [&](u64 state, unsigned) {
      switch (op.option[0]) {
      case kArrival: return arriveAtBarrier(state, {1, 0, false});
      case kTransaction: return arriveAtBarrier(state, {0, -1, false});
      default: return arriveAtCounter(state);
      }
    });
  };
}

/// SYNCS.ARRIVE.TRANS64: what arrives, and how many transactions are awaited more (R = the register, X = less
/// by the register).
struct ArrivalForm {
  std::string_view name;
  enum Count : std::uint8_t { None, One, Register, NegatedRegister } threads, transactions;
};
constexpr ArrivalForm kArrivalForms[] = {
    {"A1T0", ArrivalForm::One, ArrivalForm::None},
    {"ART0", ArrivalForm::Register, ArrivalForm::None},
    {"A0TR", ArrivalForm::None, ArrivalForm::Register},
    {"A0TX", ArrivalForm::None, ArrivalForm::NegatedRegister},
    {"A0T1", ArrivalForm::None, ArrivalForm::One},
    {"", ArrivalForm::One, ArrivalForm::Register},
};

std::int64_t countOf(ArrivalForm::Count count, u32 value) {
  switch (count) {
  case ArrivalForm::None: return 0;
  case ArrivalForm::One: return 1;
  case ArrivalForm::Register: return value;
  case ArrivalForm::NegatedRegister: return -std::int64_t{value};
  }
  return 0;
}

void bindArrival(Binder& b) {
  if (!b.take("TRANS64")) b.refuse();
  b.op.option[1] = b.take("OPTOUT");
  bool silent = b.take("RED");
  b.op.option[0] = b.choice({"A1T0", "ART0", "A0TR", "A0TX", "A0T1"}, 5);
  b.op.dst = b.destination64();
  if (silent && b.op.dst.index != kZeroRegister) b.refuse();
  takeWindowAddress(b);
  b.op.src[0] = takeGroup(b, 1);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const ArrivalForm& form = kArrivalForms[op.option[0]];
    Lanes scratch;
    const u32* value = w.fetch(op.src[0], scratch);
    u64 old[kLanes];
    changeBarriers(w, op, mask, old, [&](u64 state, unsigned lane) {
      Arrival arrival;
      arrival.count = static_cast<u32>(countOf(form.threads, value[lane]));
      arrival.transactions = countOf(form.transactions, value[lane]);
      arrival.leaves = op.option[1];
      return arriveAtBarrier(state, arrival);
    });
    w.write64(op.dst, old, mask);
  };
}

/// SYNCS.PHASECHK.TRANS64: whether the phase whose parity is bit 31 of a register is over. TRYWAIT may wait a
/// while for it; here it does not.
void bindPhaseCheck(Binder& b) {
  if (!b.take("TRANS64")) b.refuse();
  b.ignore({"TRYWAIT"});
  b.op.pdst[0] = b.predicateDestination();
  takeWindowAddress(b);
  b.op.src[0] = takeGroup(b, 1);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    const u32* parity = w.fetch(op.src[0], scratch);
    u64 addresses[kLanes];
    laneAddresses<sharedWindow>(w, op.address, addresses);
    LaneMask over = 0;
    observe<sharedWindow>(w, AccessKind::Atomic, addresses, 8, mask);
    accessLanes<sharedWindow>(w, addresses, 8, mask, [&](const std::byte* at, unsigned lane) {
      u64 state = 0;
      std::memcpy(&state, at, 8);
      over |= LaneMask{(state >> 63) != (parity[lane] >> 31)} << lane;
    });
    w.write(op.pdst[0], over, mask);
  };
}

/// SYNCS.EXCH.64 URd, [address], URs.
void bindBarrierExchange(Binder& b) {
  if (!b.take("64")) b.refuse();
  b.op.dst = b.uniformDestination();
  if (b.op.dst.index != kZeroRegister) b.refuse();
  takeWindowAddress(b);
  b.op.src[0] = b.integer64();
  if (b.op.src[0].kind != Source::Kind::Uniform || b.op.src[0].transform != Transform::None) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 value[kLanes], old[kLanes];
    w.fetch64(op.src[0], value);
    changeBarriers(w, op, mask, old, [&](u64, unsigned lane) { return value[lane]; });
  };
}

/// SYNCS.CCTL: what was an mbarrier is memory again.
void bindBarrierEnd(Binder& b) {
  if (b.take("IV"))
    takeWindowAddress(b);
  else if (!b.take("IVALL"))
    b.refuse();
  b.op.run = doNothing;
}

void bindSyncs(Binder& b) {
  if (b.take("ARRIVE")) return bindArrival(b);
  if (b.take("PHASECHK")) return bindPhaseCheck(b);
  if (b.take("EXCH")) return bindBarrierExchange(b);
  if (b.take("CCTL")) return bindBarrierEnd(b);
  b.refuse();
}

/// STAS[.64|.128] [R4.64], a: stores, and completes the transaction of its bytes.
void bindAsyncStore(Binder& b) {
  static constexpr u32 kBytes[] = {8, 16, 4};
  b.op.option[0] = kBytes[b.choice({"64", "128"}, 2)];
  takeCountedAddress(b);
  b.op.src[0] = takeGroup(b, b.op.option[0] / 4);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 bytes = op.option[0];
    Group value(w, op.src[0], bytes / 4);
    u64 addresses[kLanes], barriers[kLanes];
    laneAddresses<sharedWindow>(w, op.address, addresses);
    countedBarriers(w, op, barriers);
    observe<sharedWindow>(w, AccessKind::Write, addresses, bytes, mask, value.data());
    accessLanes<sharedWindow>(w, addresses, bytes, mask, [&](std::byte* at, unsigned lane) {
      for (u32 i = 0; i < bytes / 4; ++i)
        std::memcpy(at + 4 * i, &value[i][lane], 4);
    });
    completeTransaction(w, barriers, bytes, mask);
  };
}

/// UGETNEXTWORKID [UR4], [UR5]: asks for a block that has not started yet to be cancelled and given to this
/// one; the answer comes into the 16 bytes at the first address, and the mbarrier at the second counts them.
/// A launch may always decline, as this one does: bit 64 of the answer is clear (read off what ptxas makes of
/// clusterlaunchcontrol.query_cancel), and the block runs in its turn.
void bindNextWork(Binder& b) {
  if (b.choice({"SELFCAST", "BROADCAST"}, 2) == 2) b.refuse();
  b.op.uniform = true;
  b.op.address = b.address();
  Address barrier = b.address();
  for (const Address& one : {b.op.address, barrier})
    if (one.base != kZeroRegister || one.uniform == kZeroRegister || one.uniform64 || one.offset) b.refuse();
  b.op.src[0].kind = Source::Kind::Uniform;
  b.op.src[0].index = barrier.uniform;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    constexpr u32 kAnswerBytes = 16;
    LaneMask once = mask & -mask;
    Lanes scratch;
    u64 addresses[kLanes], barriers[kLanes];
    laneAddresses<sharedWindow>(w, op.address, addresses);
    std::copy_n(w.fetch(op.src[0], scratch), kLanes, barriers);
    observe<sharedWindow>(w, AccessKind::Write, addresses, kAnswerBytes, once);
    accessLanes<sharedWindow>(w, addresses, kAnswerBytes, once,
                              [](std::byte* at, unsigned) { std::memset(at, 0, kAnswerBytes); });
    completeTransaction(w, barriers, kAnswerBytes, once);
  };
}

// ---- caches and order. Memory is sequentially consistent here.

/// CCTL: invalidates all, or has an address to fetch or to keep. DML2 leaves what it drops undefined.
void bindCacheControl(Binder& b) {
  if (!b.take("IVALL")) {
    if (b.choice({"PF1", "PF2", "PML2", "RML2"}, 4) == 4) b.refuse();
    takeGlobalAddress(b);
  }
  b.op.run = doNothing;
}

/// CCTLL: the same in local memory.
void bindLocalCacheControl(Binder& b) {
  if (b.choice({"PF1", "PF2"}, 2) == 2) b.refuse();
  takeWindowAddress(b);
  b.op.run = doNothing;
}

/// MEMBAR, ERRBAR, CGAERRBAR.
void bindMemoryBarrier(Binder& b) {
  b.ignore({"SC", "ALL", "CTA", "SM", "GPU", "SYS", "VC"});
  b.op.run = doNothing;
}

/// FENCE.VIEW.ASYNC.{S,G}: between ordinary and asynchronous accesses.
void bindFence(Binder& b) {
  if (!b.take("VIEW") || !b.take("ASYNC")) b.refuse();
  b.ignore({"S", "G"});
  b.op.run = doNothing;
}

/// UCGABAR_WAIT: for all threads of the cluster, which is a block here. A thread waits after it has arrived,
/// so that all have arrived once all wait.
void bindClusterWait(Binder& b) {
  b.op.run = [](Warp& w, const Op&, LaneMask mask) {
    BarrierArrival arrival;
    arrival.barrier = kClusterBarrier;
    w.comeToBarrier(arrival, mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"LDGSTS", bindLdgsts},
    {"LDGDEPBAR", bindNothing},
    {"DEPBAR", bindDepbar},
    {"ARRIVES", bindArrives},
    {"SYNCS", bindSyncs},
    {"STAS", bindAsyncStore},
    {"UGETNEXTWORKID", bindNextWork},
    {"CCTL", bindCacheControl},
    {"CCTLL", bindLocalCacheControl},
    {"MEMBAR", bindMemoryBarrier},
    {"ERRBAR", bindMemoryBarrier},
    {"CGAERRBAR", bindMemoryBarrier},
    {"FENCE", bindFence},
    {"UCGABAR_ARV", bindNothing},
    {"UCGABAR_WAIT", bindClusterWait},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::asyncOpcodes() {
  return kRows;
}

} // namespace harness::sass
