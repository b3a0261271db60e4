#pragma once

#include "harness/sass/binder.h"
#include "harness/sass/machine.h"

#include <cstdint>

namespace harness::sass {

// The 64 bits of an mbarrier in shared memory. Both layouts are read off what ptxas makes of mbarrier.init,
// .test_wait and .pending_count; the transaction count is read by no instruction, so its place is this
// executor's own choice.

/// Before sm_90: bits 63 = phase, 62:32 = −pending, 29:0 = −expected.
/// One arrival; code for sm_80 counts by ordinary atomics whatever else changes.
std::uint64_t arriveAtCounter(std::uint64_t state);

/// What an arrival does to a barrier of sm_90 on.
struct Arrival {
  std::uint32_t count = 0;       ///< threads that arrive
  std::int64_t transactions = 0; ///< added to what must still come (bytes, copies)
  bool leaves = false;           ///< they are not expected in later phases
};

/// From sm_90 on: bits 63 = phase, 62:43 = −pending, 42:21 = transactions, 20:1 = −expected. Stops the launch
/// where PTX leaves the result undefined: more arrivals than are pending, counts out of their range.
std::uint64_t arriveAtBarrier(std::uint64_t state, const Arrival& arrival);

/// `bytes` that each lane's mbarrier of sm_90 on awaits have come.
void completeTransaction(Warp& warp, const std::uint64_t (&barriers)[kLanes], std::uint32_t bytes,
                         LaneMask mask);

/// Takes [R4.64] of what is stored asynchronously into a block of the cluster, here the own one: the lower
/// word is the address in shared memory, left in op.address, the upper word that of the mbarrier.
void takeCountedAddress(Binder& b);
/// The mbarriers of takeCountedAddress.
void countedBarriers(const Warp& warp, const Op& op, std::uint64_t (&barriers)[kLanes]);

} // namespace harness::sass
