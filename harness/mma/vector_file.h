#pragma once

#include "harness/mma/multiplier.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::mma {

/// A dot product that hardware computed. All words are f32 bits.
struct Record {
  std::size_t line; ///< in the file
  std::vector<std::uint32_t> a, b;
  std::uint32_t c;
  std::optional<std::uint32_t> inF32, inF16; ///< the results with either accumulator
};

/// Records as lines of five fields divided by tabs: a, b (words divided by blanks), c, d_f32, d_f16 (hex
/// words, "-" = not measured); the first line names them. Throws std::invalid_argument, which names the line.
std::vector<Record> readRecords(std::string_view text);

/// What becomes of a record's c.
enum class UseOfC : std::uint8_t { Ignore, AsF16, AsF32 };

struct Difference {
  std::size_t line;
  std::uint32_t expected, got; ///< f32 bits
};

struct CheckResult {
  std::size_t compared = 0;
  std::vector<Difference> wrong;
};

/// Computes every record that has a result of the instruction's accumulator. Operands that the formats do not
/// have are an error: std::invalid_argument names the line.
CheckResult check(const std::vector<Record>& records, const Multiplier& instruction, UseOfC use);

} // namespace harness::mma
