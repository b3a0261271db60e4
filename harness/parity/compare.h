#pragma once

#include "harness/parity/buffer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What outputs start as: one run each.
inline constexpr std::uint8_t kPoison[2] = {0xAA, 0x55};

/// One differing byte: where, what was wanted, what was there.
struct ByteDifference {
  std::uint64_t offset = 0; ///< bytes from the start of the buffer
  std::uint8_t expected = 0, actual = 0;
};

/// What a comparison of one output buffer found, localised.
struct BufferComparison {
  std::string buffer;
  std::uint64_t bytes = 0;              ///< compared
  std::uint64_t bad = 0;                ///< differing
  std::uint64_t record = 0;             ///< the record size used for `histogram`; 0 = no records
  std::vector<std::uint64_t> histogram; ///< bad bytes by offset in the record (at most 4096 offsets)
  std::vector<ByteDifference> first;    ///< the first 16
  /// What most of the bad bytes have in common; empty if nothing:
  /// "unwritten", "sign-extended", "byte-swapped", "got == ref & 0xff00" (the low byte of a little-endian
  /// 16-bit field is zero, the high byte right), "neighbour's value", "off by one".
  std::string pattern;
  std::uint64_t patternBad = 0; ///< how many of the bad bytes it explains; more than half of `bad`

  /// "got == ref & 0xff00", or "got == ref & 0xff00 (5 of 8)" when it does not explain every bad byte.
  std::string describePattern() const;
};

/// Rule of a comparison; bytes by default.
struct CompareRule {
  enum class Kind {
    Bytes,
    Ulp, ///< float elements may be `ulp` representable values apart; zeros are equal, NaNs are equal
  } kind = Kind::Bytes;
  std::uint64_t ulp = 0;
};

/// Compares an output with its reference. `otherPoison` is the same output from the run with the other poison
/// (empty if there was none): a byte that follows the poison in both was never written. `record` is the size
/// in bytes of what repeats, or 0. All three texts have one size, or Error(Internal) is thrown.
BufferComparison compareBuffer(std::string_view name, std::string_view expected, std::string_view actual,
                               std::string_view actualOtherPoison, std::uint64_t record, ElementType type,
                               const CompareRule& rule);

} // namespace harness
