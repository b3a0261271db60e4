#pragma once

#include <cstdint>
#include <string>

namespace harness::sass {

inline constexpr unsigned kScoreboards = 6;
inline constexpr unsigned kNoScoreboard = 7;

/// What ptxas tells the scheduler about one instruction: bits 105–125 of its encoding, the same on every
/// architecture from sm_75.
struct ControlWord {
  unsigned stall = 0; ///< cycles until the next instruction may issue; 0 everywhere in -G's code
  bool yield = false; ///< another warp is preferred next (stored inverted)
  unsigned writeBarrier = kNoScoreboard; ///< counted up until the results are written
  unsigned readBarrier = kNoScoreboard;  ///< counted up until the sources are read
  unsigned waitMask = 0;                 ///< scoreboards that must be zero before it issues
  unsigned reuse = 0;                    ///< a bit a source slot: keep the operand in the reuse cache

  static ControlWord decode(std::uint64_t high);

  /// "B--2---:R-:W2:Y:S04": waits, read barrier, write barrier, yield, stall.
  std::string str() const;
};

} // namespace harness::sass
