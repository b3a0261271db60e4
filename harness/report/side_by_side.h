#pragma once

#include "harness/report/code_diff.h"
#include "harness/sass/listing.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace harness {

/// One side of a comparison.
struct CodeSide {
  sass::Listing code;
  /// Of each instruction the line of PTX that it comes from, as it shall be shown; empty = not known.
  std::vector<std::string> ptx;
};

struct SideBySideOptions {
  bool full = false;   ///< equal instructions too, not only those near a difference
  bool control = true; ///< control words are shown and compared
  bool color = false;
};

/// Two codes side by side: of each instruction address, text and control word (waits, read and write barrier,
/// yield, stall), where it is known the line of PTX above it, and between the two a mark:
///   ' '  equal            '='  equal on registers of other names    '~'  another control word
///   '|'  different        '!'  the same words, but a register holds another value
///   '<' '>'  only on that side
/// Equal ones far from a difference are counted in their place. Then a line of totals.
std::string renderSideBySide(const CodeSide& left, const CodeSide& right, const SideBySideOptions& options);

/// [{"kind" (toString(DiffKind)),"control_differs","renamed": {"R4": "R6"},"left": SIDE,"right": SIDE}],
/// where SIDE is null or {"address","text" (null: nvdisasm refuses it),"control": {"wait": [scoreboard],
/// "read_barrier","write_barrier" (null: none),"yield","stall"},"ptx" (null: not known)}.
nlohmann::ordered_json sideBySideJson(const CodeSide& left, const CodeSide& right);

} // namespace harness
