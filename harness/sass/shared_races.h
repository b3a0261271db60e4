#pragma once

#include "harness/sass/observer.h"

#include <array>
#include <map>
#include <optional>
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
    std::uint32_t warp = 0;
    std::uint32_t line = 0; ///< of the instruction
  };
  struct History {
    Touch write, read, otherRead; ///< otherRead: the last one by another warp than `read`'s
  };
  /// The bytes of an aligned word, which have one history until a part of them is accessed.
  struct Word {
    History whole;
    std::uint32_t split = 0; ///< place of the four histories in split_, plus 1
  };

  bool isOrdered(const Touch& before, unsigned warp) const {
    return before.time == 0 || before.warp == warp || before.time <= clocks_[warp][before.warp];
  }
  /// The history of [address, address + 4), or of the byte alone if these have several.
  History& historyOf(std::uint64_t address, std::uint32_t left, std::uint32_t& bytes);
  void read(const Warp& warp, History& history, std::uint64_t address, const Touch& now);
  /// `changed`: the lowest byte that gets another value, if there is one.
  void write(const Warp& warp, History& history, std::optional<std::uint64_t> changed, const Touch& now);
  void acquire(const Warp& warp, std::uint64_t address);
  void synchronise(const Warp& warp, std::uint64_t address);
  void report(const Warp& warp, std::uint64_t address, const char* kind, const Touch& before);
  void report(std::pair<std::uint32_t, std::uint32_t> lines, std::string text);

  std::vector<Word> words_;
  std::vector<std::array<History, 4>> split_;
  std::array<Clock, kWarps> clocks_{};
  std::map<std::uint64_t, Clock> addresses_; ///< what atomics on a word have published
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;
  std::vector<std::string> reports_;
};

} // namespace harness::sass
