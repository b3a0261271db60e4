#pragma once

#include "harness/sass/listing.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

enum class DiffKind {
  Same,       ///< word for word, but for where branches to the same place are
  Renamed,    ///< the same on registers of other names that hold the same values
  OtherValue, ///< word for word, but a register holds what is in another one on the other side
  Changed,    ///< another instruction, other operands, or registers that hold other values
  LeftOnly,
  RightOnly,
};

std::string_view toString(DiffKind kind); ///< "same", "renamed", "other-value", "changed", "left", "right"

/// A line of a diff.
struct DiffLine {
  std::optional<std::size_t> left, right; ///< instructions
  DiffKind kind = DiffKind::Same;
  bool control = false; ///< there is one on either side, and their control words differ
  std::vector<std::pair<std::string, std::string>> renamed; ///< Renamed: registers, left and right
};

/// Two codes beside each other. Which registers correspond is followed along the paths of the code, from the
/// instructions that write them to those that read them: a register that is written by corresponding
/// instructions corresponds, whatever its name; one that is written by instructions of one side alone
/// corresponds to whatever it is first read beside. So the instructions after a difference are not different
/// for having its results in other registers, and an instruction that reads the wrong register is.
std::vector<DiffLine> diffCode(const sass::Listing& left, const sass::Listing& right);

} // namespace harness
