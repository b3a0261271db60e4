#pragma once

#include "harness/sass/listing.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass {

/// An instruction that touches a register for which an earlier one is not done, on some path through the
/// code. Addresses are relative to the section.
struct Hazard {
  enum class Kind : std::uint8_t {
    Result,     ///< read or overwritten before it was written
    Source,     ///< overwritten before it was read
    Unannounced ///< as Result, and no scoreboard tells when it is written
  };
  Kind kind = Kind::Result;
  std::string section;
  std::uint64_t first = 0, second = 0;
  std::string firstText, secondText;
  std::string registers; ///< that both have in common: "R4", "R4-R5"
  unsigned scoreboard = 0;

  /// "R4 of 'LDG.E R4, …' at 0x40 is used by 'FADD …' at 0x50 before scoreboard 0 was waited for (.text.k)"
  std::string describe() const;
};

/// Checks the waits of one code section, path by path, against the scoreboards that its control words set.
/// Scoreboards count: a wait is for all instructions before it on that scoreboard; DEPBAR.LE SBx, n lets the
/// n last ones run on. One hazard for each pair of instructions, by address.
///
/// It says nothing unless it is certain: opcodes without a row in the table of access.h, indirect branches
/// and what a called function leaves behind are passed over, and so is code too large to follow.
std::vector<Hazard> findHazards(std::string_view section, const Listing& listing);

} // namespace harness::sass
