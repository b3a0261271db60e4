#pragma once

#include "harness/sass/observer.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace harness::sass {

/// Reports accesses of two warps to one byte of shared memory that nothing puts in order, at least one of
/// them a write of another value. Order comes from barriers of the block, and from atomics and mbarriers on
/// one address (vector clocks over the block's warps). Lanes of one warp are taken to be in order: whether
/// ptxas may leave a WARPSYNC out cannot be told from the code.
/// Also reports a warp that comes to a barrier of all threads with a part of its lanes only.
class SharedRaces : public Observer {
public:
  void startBlock(const Block& block) override;
  void access(const Warp& warp, const MemoryAccess& access) override;
  void arrive(const Warp& warp, unsigned barrier, LaneMask mask) override;
  void release(const Block& block, unsigned barrier, LaneMask warps) override;

  /// One line a pair of instructions, in the order in which they were met; at most 16.
  const std::vector<std::string>& reports() const { return reports_; }

private:
  static constexpr unsigned kWarps = 32; ///< 1,024 threads
  using Clock = std::array<std::uint32_t, kWarps>;

  /// The last access of one kind to a byte.
  struct Touch {
    std::uint32_t time = 0; ///< of the warp; 0 = never
    std::uint8_t warp = 0;
    std::uint8_t value = 0;
    std::uint32_t line = 0; ///< of the instruction
  };
  struct Byte {
    Touch write, read, otherRead; ///< otherRead: the last one by another warp than `read`'s
  };

  bool isOrdered(const Touch& before, unsigned warp) const {
    return before.time == 0 || before.warp == warp || before.time <= clocks_[warp][before.warp];
  }
  void read(const Warp& warp, Byte& byte, std::uint64_t address);
  void write(const Warp& warp, Byte& byte, std::uint64_t address, std::uint8_t value, bool valueKnown);
  void acquire(const Warp& warp, std::uint64_t address);
  void synchronise(const Warp& warp, std::uint64_t address);
  void report(const Warp& warp, std::uint64_t address, const char* kind, const Touch& before);
  void report(std::pair<std::uint32_t, std::uint32_t> lines, std::string text);

  std::vector<Byte> bytes_;
  std::array<Clock, kWarps> clocks_{};
  std::map<std::uint64_t, Clock> addresses_; ///< what atomics on a word have published
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;
  std::vector<std::string> reports_;
};

} // namespace harness::sass
