#pragma once

#include "harness/parity/buffer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// One differing element-free byte: where, what was wanted, what was there.
struct ByteDifference {
  std::uint64_t offset = 0; ///< bytes from the start of the buffer
  std::uint8_t expected = 0, actual = 0;
};

/// What a comparison of one output buffer found, localised.
struct BufferComparison {
  std::string buffer;
  std::uint64_t bytes = 0;         ///< compared
  std::uint64_t bad = 0;           ///< differing
  std::uint64_t record = 0;        ///< the record size used for `histogram`; 0 = no records
  std::vector<std::uint64_t> histogram;  ///< bad bytes by offset in the record (at most 4096 offsets)
  std::vector<ByteDifference> first;     ///< the first 16
  /// The pattern if all bad places share one: "got == ref & 0xff00" (little-endian 16-bit), "unwritten",
  /// "off by one", "neighbour's value", "byte-swapped", "sign-extended"; empty if none.
  std::string pattern;
};

/// Rule of a comparison; bytes by default.
struct CompareRule {
  enum class Kind { Bytes, Ulp } kind = Kind::Bytes;
  std::uint64_t ulp = 0;
};

/// Compares an output with its reference. `otherPoison` is the same output from the run with the other poison
/// (empty if there was none): a byte that follows the poison in both was never written.
BufferComparison compareBuffer(std::string_view name, std::string_view expected, std::string_view actual,
                               std::string_view actualOtherPoison, std::uint64_t record, ElementType type,
                               const CompareRule& rule);

} // namespace harness
