#include "harness/sass/control_word.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::sass {

namespace {

/// `count` bits from `position` of the 128-bit word, which lies in its upper half.
unsigned field(std::uint64_t high, unsigned position, unsigned count) {
  return static_cast<unsigned>(high >> (position - 64)) & ((1u << count) - 1);
}

char scoreboardDigit(unsigned scoreboard) {
  return scoreboard == kNoScoreboard ? '-' : static_cast<char>('0' + scoreboard);
}

} // namespace

ControlWord ControlWord::decode(std::uint64_t high) {
  ControlWord word;
  word.stall = field(high, 105, 4);
  word.yield = field(high, 109, 1) == 0;
  word.writeBarrier = field(high, 110, 3);
  word.readBarrier = field(high, 113, 3);
  word.waitMask = field(high, 116, 6);
  word.reuse = field(high, 122, 4);
  return word;
}

std::string ControlWord::str() const {
  std::string waits;
  for (unsigned scoreboard = 0; scoreboard < kScoreboards; ++scoreboard)
    waits += waitMask >> scoreboard & 1 ? scoreboardDigit(scoreboard) : '-';
  return llvm::formatv("B{0}:R{1}:W{2}:{3}:S{4,0+2}", waits, scoreboardDigit(readBarrier),
                       scoreboardDigit(writeBarrier), yield ? 'Y' : '-', stall)
      .str();
}

} // namespace harness::sass
