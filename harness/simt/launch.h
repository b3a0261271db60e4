#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// The order in which the paths of a diverged warp run (notes: what decides whether a fault is seen at all).
enum class Schedule {
  FallThroughFirst, ///< `ft`, the default: depth first, taken path deferred, merging only at barriers
  TakenFirst,       ///< `tf`: the same with the branches' roles swapped
};

std::string_view toString(Schedule schedule);

enum class ExecutionEnd {
  Completed,
  Fault,       ///< out of bounds, misaligned, illegal instruction, trap
  Unsupported, ///< an opcode, modifier or feature that the executor lacks
  Timeout,     ///< the instruction limit
};

std::string_view toString(ExecutionEnd end);

struct ExecutionResult {
  ExecutionEnd end = ExecutionEnd::Completed;
  std::string message; ///< what, at which instruction (address and text), lane, thread and block
  std::uint64_t threadInstructions = 0;
  std::uint64_t warpInstructions = 0;
  /// Results of approximate functions, a lane each, of which it is not certain that hardware gives the same.
  std::uint64_t approximations = 0;
};

/// How an execution is done; part of its identity.
struct ExecutionOptions {
  Schedule schedule = Schedule::FallThroughFirst;
  std::byte poison{0xAA}; ///< fills registers, predicates' pattern, shared and local memory
  std::uint64_t maxWarpInstructions = std::uint64_t{1} << 32; ///< over the whole grid
  /// 0 = approximate functions give the correctly rounded value. Any other moves every approximate result by
  /// -1, 0 or +1 ulp, chosen by a hash of the seed and of where and when it is computed.
  std::uint64_t approximationSeed = 0;
};

} // namespace harness
