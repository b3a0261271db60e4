#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass {

/// One 128-bit instruction as nvdisasm reads it.
struct ListedInstruction {
  std::uint64_t low = 0, high = 0; ///< the encoding
  std::string text;     ///< nvdisasm's text without ';'. Targets of relative branches count from the
                        ///< code's first byte, those of absolute ones (CALL.ABS, JMP) are as encoded
  bool illegal = false; ///< nvdisasm refused this word; `text` is empty
};

/// The disassembly of one run of code bytes, 16 bytes an instruction.
struct Listing {
  std::vector<ListedInstruction> instructions;

  /// A stable text form, kept as an artifact, and its inverse. Throws Error(Usage) on malformed input.
  std::string serialize() const;
  static Listing parse(std::string_view text);
};

} // namespace harness::sass
