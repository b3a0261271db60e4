#pragma once

#include "harness/ptx/machine.h"

namespace harness::ptx {

/// An mbarrier object in shared memory, as one lane sees it for the length of one operation: loaded at the
/// start, stored at the end. PTX leaves its 64 bits opaque; here they are the arrivals that the phase still
/// waits for, those of every phase, the bytes it waits for, and the phase's parity.
class PhaseBarrier {
public:
  /// The object at an address. Reports one that was never initialised.
  PhaseBarrier(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane);
  ~PhaseBarrier();
  PhaseBarrier(const PhaseBarrier&) = delete;
  PhaseBarrier& operator=(const PhaseBarrier&) = delete;

  static constexpr std::uint32_t kMost = (1u << 20) - 1; ///< arrivals, and bytes
  /// Makes a new object at an address.
  static void initialise(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane,
                         std::uint32_t count);
  static void invalidate(Warp& warp, AddressSpace space, std::uint64_t address, unsigned lane);

  /// The phase as .b64 states hold it.
  std::uint64_t state() const { return pack(); }
  void arrive(std::uint32_t count);
  /// Arrives, and later phases wait for so many fewer.
  void drop(std::uint32_t count);
  /// The phase waits for so many bytes more; fewer if it is negative.
  void transact(std::int64_t bytes);
  bool isOdd() const { return odd_; }

  static bool isOdd(std::uint64_t state);
  static std::uint32_t pendingOf(std::uint64_t state);

private:
  std::uint64_t pack() const;
  void completeIfDone();

  Warp& warp_;
  LaneMask lane_;
  Warp::Place place_;
  std::uint32_t pending_ = 0, expected_ = 0;
  std::int64_t bytes_ = 0;
  bool odd_ = false;
};

} // namespace harness::ptx
