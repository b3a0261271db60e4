#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace harness {

/// One run of bits that a relocation fills: bits [bit, bit + width) counted from the little-endian bytes at
/// its offset get `value >> shift`.
struct RelocationField {
  std::uint8_t bit, width, shift;
};

/// What a relocation type does to the bytes it applies to.
struct RelocationRule {
  std::uint32_t type = 0; ///< R_CUDA_*
  std::string_view name;
  RelocationField fields[2]; ///< a width of 0 ends the list

  /// Bytes touched, counted from the relocation's offset.
  std::size_t span() const;
  /// Puts `value` into the fields. `place` holds at least span() bytes.
  void apply(std::span<char> place, std::uint64_t value) const;
  /// True if all bits of the fields are zero.
  bool blank(std::span<const char> place) const;
};

/// The rule of a type, or null for one that this loader does not know.
const RelocationRule* findRelocationRule(std::uint32_t type);

} // namespace harness
