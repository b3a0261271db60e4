#pragma once

#include "harness/sass/text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace harness::sass {

enum class RegisterFile : std::uint8_t { General, Uniform, Predicate, UniformPredicate };

/// Neighbouring registers of one file.
struct RegisterRange {
  static constexpr int kGuard = -1;

  RegisterFile file = RegisterFile::General;
  unsigned first = 0, count = 1;
  int operand = kGuard; ///< in TextInstruction::operands

  bool overlaps(const RegisterRange& other) const {
    return file == other.file && first < other.first + other.count && other.first < first + count;
  }
  std::string str() const; ///< "R4", "R4-R7", "UP0"
};

/// How long a result takes.
enum class Latency : std::uint8_t {
  Fixed,    ///< known to ptxas, which counts cycles
  Variable, ///< announced by a scoreboard, except where a later result of the same pipe announces it too
  Strict,   ///< always announced by its own scoreboard
};

/// What an instruction does to registers, as far as it is certain: a register may be missing where the width
/// of an operand is not known, none is listed that the instruction leaves alone. Zero registers and true
/// predicates are never listed.
struct RegisterAccess {
  bool known = false; ///< false: the opcode is not in the table, and nothing is listed
  Latency latency = Latency::Fixed;
  bool queued = false; ///< by the memory unit, which reads the sources of one instruction after the other's
  std::vector<RegisterRange> reads, writes;
};

RegisterAccess accessOf(const TextInstruction& instruction);

} // namespace harness::sass
