#pragma once

#include <cstdint>

namespace harness::sass {

enum class ShuffleMode : std::uint8_t { Index, Up, Down, Butterfly };

/// Where `lane` reads from in a SHFL; `inRange` is the predicate result. `control` is the third operand:
/// clamp in bits 4:0, segment mask in bits 12:8, as PTX shfl has them.
inline unsigned shuffleSource(ShuffleMode mode, unsigned lane, std::uint32_t amount, std::uint32_t control,
                              bool& inRange) {
  std::uint32_t segment = control >> 8 & 0x1f, clamp = control & 0x1f;
  std::uint32_t lowest = lane & segment;
  std::uint32_t limit = lowest | (clamp & ~segment);
  amount &= 0x1f;
  std::int32_t from = 0;
  switch (mode) {
  case ShuffleMode::Index: from = static_cast<std::int32_t>(lowest | (amount & ~segment)); break;
  case ShuffleMode::Up: from = static_cast<std::int32_t>(lane) - static_cast<std::int32_t>(amount); break;
  case ShuffleMode::Down: from = static_cast<std::int32_t>(lane + amount); break;
  case ShuffleMode::Butterfly: from = static_cast<std::int32_t>(lane ^ amount); break;
  }
  inRange = mode == ShuffleMode::Up ? from >= static_cast<std::int32_t>(limit)
                                    : from <= static_cast<std::int32_t>(limit);
  return inRange ? static_cast<unsigned>(from) : lane;
}

} // namespace harness::sass
