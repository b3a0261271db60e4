#include "harness/ptx/mbarrier.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

namespace {

constexpr std::uint32_t kSize = 8;
// pending: bits 0 to 19; expected: 20 to 39; bytes + kBias: 40 to 61; parity: 62.
constexpr unsigned kExpectedAt = 20, kBytesAt = 40, kParityAt = 62;
constexpr std::int64_t kBias = std::int64_t{1} << 21, kBytesMask = (std::int64_t{1} << 22) - 1;

Warp::Place placeOf(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane) {
  Warp::Place place = warp.resolve(space, address, kSize, Warp::Access::Atomic, lane);
  if (place.space != AddressSpace::Shared)
    fault("an mbarrier object that is not in shared memory", static_cast<int>(lane));
  return place;
}

} // namespace

PhaseBarrier::PhaseBarrier(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane)
    : warp_(warp), lane_(laneBit(lane)), place_(placeOf(warp, space, address, lane)) {
  if (std::find(place_.written, place_.written + kSize, 0) != place_.written + kSize)
    warp.reportUndefined("an mbarrier object that was not initialised", lane_);
  std::uint64_t word = 0;
  std::memcpy(&word, place_.host, kSize);
  pending_ = pendingOf(word);
  expected_ = word >> kExpectedAt & kMost;
  bytes_ = static_cast<std::int64_t>(word >> kBytesAt & kBytesMask) - kBias;
  odd_ = isOdd(word);
}

PhaseBarrier::~PhaseBarrier() {
  std::uint64_t word = pack();
  std::memcpy(place_.host, &word, kSize);
}

void PhaseBarrier::initialise(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane,
                              std::uint32_t count) {
  if (count == 0 || count > kMost)
    fault("an mbarrier object for " + std::to_string(count) + " arrivals; it takes 1 to 1,048,575",
          static_cast<int>(lane));
  Warp::Place place = placeOf(warp, space, address, lane);
  std::uint64_t word =
      count | std::uint64_t{count} << kExpectedAt | static_cast<std::uint64_t>(kBias) << kBytesAt;
  std::memcpy(place.host, &word, kSize);
  std::fill_n(place.written, kSize, std::uint8_t{1});
}

void PhaseBarrier::invalidate(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane) {
  Warp::Place place = placeOf(warp, space, address, lane);
  std::fill_n(place.written, kSize, std::uint8_t{0});
}

std::uint64_t PhaseBarrier::pack() const {
  return pending_ | std::uint64_t{expected_} << kExpectedAt |
         static_cast<std::uint64_t>((bytes_ + kBias) & kBytesMask) << kBytesAt |
         std::uint64_t{odd_} << kParityAt;
}

bool PhaseBarrier::isOdd(std::uint64_t state) {
  return state >> kParityAt & 1;
}

std::uint32_t PhaseBarrier::pendingOf(std::uint64_t state) {
  return state & kMost;
}

void PhaseBarrier::arrive(std::uint32_t count) {
  if (count == 0 || count > pending_) {
    warp_.reportUndefined("more arrivals at an mbarrier object than its phase waits for", lane_);
    count = std::min(count, pending_);
  }
  pending_ -= count;
  completeIfDone();
}

void PhaseBarrier::drop(std::uint32_t count) {
  expected_ -= std::min(count, expected_);
  arrive(count);
}

void PhaseBarrier::transact(std::int64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > std::int64_t{kMost} || bytes_ < -std::int64_t{kMost})
    warp_.reportUndefined("an mbarrier object that waits for more bytes than it can count", lane_);
  if (bytes < 0) completeIfDone();
}

void PhaseBarrier::completeIfDone() {
  if (pending_ != 0 || bytes_ != 0) return;
  pending_ = expected_;
  odd_ = !odd_;
}

} // namespace harness::ptx
