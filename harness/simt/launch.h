#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What is launched, whatever executes it.
struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamicShared = 0; ///< bytes
  /// One entry an argument, in order; pointers are 8-byte device addresses, little endian.
  std::vector<std::vector<std::byte>> args;

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint64_t threadsPerBlock() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

/// The order in which the paths of a diverged warp run (it decides whether a fault is seen at all).
enum class Schedule {
  FallThroughFirst, ///< `ft`, the default: depth first, taken path deferred, merging only at barriers
  TakenFirst,       ///< `tf`: the same with the branches' roles swapped
  LowestPcFirst,    ///< `lowest-pc`: always the path that has come least far; paths that meet merge
  Random,           ///< `random`: at branches and waits any path may go on, as scheduleSeed decides
};

inline constexpr Schedule kSchedules[] = {Schedule::FallThroughFirst, Schedule::TakenFirst,
                                          Schedule::LowestPcFirst, Schedule::Random};

std::string_view toString(Schedule schedule);
/// The schedule of that name.
std::optional<Schedule> scheduleNamed(std::string_view name);

/// How an execution ended.
enum class ExecutionEnd {
  Completed,
  Fault,       ///< out of bounds, misaligned, illegal instruction, trap
  Unsupported, ///< an opcode, modifier or feature that the executor lacks
  Timeout,     ///< the instruction limit
};

std::string_view toString(ExecutionEnd end);

/// What an execution did beside writing memory.
struct ExecutionResult {
  ExecutionEnd end = ExecutionEnd::Completed;
  std::string message; ///< what, at which instruction (address and text), lane, thread and block
  std::uint64_t threadInstructions = 0;
  std::uint64_t warpInstructions = 0;
  std::uint64_t divergences = 0;    ///< branches that the lanes of a warp left differently
  std::uint64_t approximations = 0; ///< results known to within an ulp only (MUFU)
  /// What the observers report, a line each, the first of every kind and place.
  std::vector<std::string> observations;
  // Of the PTX executor only; a line each, the first of every kind and place.
  /// What the program did that PTX leaves undefined.
  std::vector<std::string> undefined;
  /// Where a value made of one that nobody wrote reached memory, a branch or an address. Values are followed
  /// as wholes, so nothing may depend on the part that nobody wrote: see ptx/undefined.h.
  std::vector<std::string> unwritten;
};

/// How an execution is done; part of its identity.
struct ExecutionOptions {
  Schedule schedule = Schedule::FallThroughFirst;
  std::uint64_t scheduleSeed = 0; ///< of Schedule::Random
  /// 0: approximate results are correctly rounded; else each moves by −1, 0 or +1 ulp, by this seed.
  std::uint64_t approximationSeed = 0;
  std::byte poison{0xAA}; ///< fills registers, predicates' pattern, shared and local memory
  /// Of the PTX executor: not 0 = these are filled with random bytes by this seed instead.
  std::uint64_t poisonSeed = 0;
  std::uint64_t maxWarpInstructions = std::uint64_t{1} << 28; ///< over the whole grid
  /// Blocks that may be executed side by side, if the program has nothing by which they see each other. The
  /// result is the same for any number; only what blocks after the one that failed wrote may differ.
  unsigned threads = 1;
};

} // namespace harness
