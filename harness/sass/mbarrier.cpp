#include "harness/sass/mbarrier.h"

#include "harness/sass/access.h"

namespace harness::sass {

std::uint64_t arriveAtCounter(std::uint64_t state) {
  constexpr std::uint32_t kPhase = 0x80000000, kExpected = 0x3fffffff;
  auto low = static_cast<std::uint32_t>(state), high = static_cast<std::uint32_t>(state >> 32);
  std::uint32_t next = high + 1;
  if ((next ^ high) & kPhase) { // that was the last: the next phase expects its threads
    std::uint32_t expected = (0 - low) & kExpected;
    next = (next & kPhase) | ((0 - expected) & ~kPhase);
  }
  return low | std::uint64_t{next} << 32;
}

namespace {

constexpr unsigned kCountBits = 20, kTransactionBits = 22;
constexpr std::int64_t kTransactionLimit = (1 << 20) - 1; // of PTX

/// A field of the 64 bits.
struct Field {
  unsigned from, bits;
  std::uint64_t get(std::uint64_t state) const { return state >> from & mask(); }
  std::uint64_t set(std::uint64_t value) const { return (value & mask()) << from; }
  std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};
constexpr Field kExpected{1, kCountBits}, kTransactions{21, kTransactionBits}, kPending{43, kCountBits},
    kPhase{63, 1};

} // namespace

std::uint64_t arriveAtBarrier(std::uint64_t state, const Arrival& arrival) {
  auto count = [state](Field field) { return (0 - field.get(state)) & field.mask(); };
  std::uint64_t expected = count(kExpected), pending = count(kPending), phase = kPhase.get(state);
  auto transactions = static_cast<std::int64_t>(kTransactions.get(state) << (64 - kTransactionBits)) >>
                      (64 - kTransactionBits);
  if (arrival.count > pending || (arrival.leaves && arrival.count > expected))
    unsupported("more threads arrive at an mbarrier than it expects");
  pending -= arrival.count;
  if (arrival.leaves) expected -= arrival.count;
  transactions += arrival.transactions;
  if (transactions > kTransactionLimit || transactions < -kTransactionLimit)
    unsupported("the transaction count of an mbarrier leaves its range");
  if (pending == 0 && transactions == 0) {
    pending = expected;
    phase ^= 1;
  }
  return kExpected.set(0 - expected) | kTransactions.set(static_cast<std::uint64_t>(transactions)) |
         kPending.set(0 - pending) | kPhase.set(phase);
}

void completeTransaction(Warp& warp, const std::uint64_t (&barriers)[kLanes], std::uint32_t bytes,
                         LaneMask mask) {
  constexpr std::uint32_t kStateBytes = 8;
  observe<sharedWindow>(warp, AccessKind::Atomic, barriers, kStateBytes, mask);
  accessLanes<sharedWindow>(warp, barriers, kStateBytes, mask, [bytes](std::byte* at, unsigned) {
    std::uint64_t state = 0;
    std::memcpy(&state, at, sizeof state);
    state = arriveAtBarrier(state, {0, -std::int64_t{bytes}, false});
    std::memcpy(at, &state, sizeof state);
  });
}

void takeCountedAddress(Binder& b) {
  Address& address = b.op.address;
  address = b.address();
  if (!address.base64 || address.base % 2 || address.base > 252 || address.uniform != kZeroRegister ||
      address.scale || address.offset)
    b.refuse();
  address.base64 = false;
}

void countedBarriers(const Warp& warp, const Op& op, std::uint64_t (&barriers)[kLanes]) {
  std::copy_n(warp.registers[op.address.base + 1u].v, kLanes, barriers);
}

} // namespace harness::sass
