#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::explain {

/// A value as it is shown.
struct ShownValue {
  std::string name; ///< "R4", "%rs1"
  std::uint64_t bits = 0;
  unsigned width = 32; ///< bits
  std::string meaning; ///< "half 0.0197"; empty for what is no float
  std::string same;    ///< "%rs1 of line 48": where PTX has it; empty if it has not, or on the PTX side
  std::string thread;  ///< "thread 7": whose it is, if not the step's own
};

/// A step of one side as it is shown.
struct ShownStep {
  std::string place;      ///< "0x40", "line 31"
  std::uint32_t line = 0; ///< of the PTX; 0 = not known
  std::string text;
  bool executed = true; ///< false: its guard did not hold
  bool parting = false; ///< here, or in the first and last that are marked, the sides part
  std::vector<ShownValue> reads, writes;
  std::string memory; ///< "global 0x7f0000001066 <- 0x0e"; empty for what touches none
  std::string note;
};

/// Why a byte is wrong.
struct Explanation {
  enum class Kind : std::uint8_t {
    Pass,        ///< nothing is wrong
    Value,       ///< SASS computes another value from the same ones
    Control,     ///< SASS goes another way: a byte is not written, or should not have been, or a loop runs
                 ///< more or less often
    Address,     ///< SASS writes it elsewhere, or faults at an access
    Ptx,         ///< PTX is wrong too: ptxas did what it was told
    NoWrongByte, ///< it ended before there was an answer
    Open,        ///< where they part was not found
  };
  Kind kind = Kind::Open;
  std::string cell, shape, buffer;
  std::uint64_t offset = 0;
  std::optional<std::uint8_t> expected, sass, ptx; ///< the byte
  std::string verdict;                             ///< of the cell, where there is no wrong byte
  std::string thread;                              ///< "thread (0,0,0) of block (3,0,0)"
  std::string alignment;                           ///< how SASS and PTX were set side by side
  std::string conclusion;                          ///< some sentences
  /// From the wrong byte back.
  std::vector<ShownStep> sassSteps, ptxSteps;
};

std::string_view toString(Explanation::Kind kind);

/// At most 50 lines; of long chains the middle is left out. Steps that do not fit into `columns` are cut: for
/// terminals only, 0 = nothing is.
std::string toText(const Explanation& explanation, std::size_t columns = 0);
/// {"cell", "kind": "pass|value|control|address|ptx|no-wrong-byte|open", "verdict", "shape", "buffer",
/// "offset",
///  "expected", "sass", "ptx", "thread", "alignment", "conclusion", "sass_steps": [{"place", "line", "text",
///  "executed", "parting", "reads": [{"name", "bits", "width", "meaning", "same", "thread"}], "writes",
///  "memory", "note"}], "ptx_steps"}; bytes are numbers, bits are strings "0x250e"; null where there is none.
std::string toJson(const Explanation& explanation);

} // namespace harness::explain
