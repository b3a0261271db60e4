#include "harness/sass/dump.h"

#include "harness/sass/control_word.h"

#include <llvm/Support/FormatVariadic.h>

#include <map>

namespace harness::sass {

std::string renderDump(const Cubin& cubin, const std::vector<Listing>& listings) {
  std::map<std::pair<std::string, std::uint64_t>, std::string> symbols;
  for (const CodeRelocation& relocation : cubin.relocations) {
    std::string& symbol = symbols[{relocation.section, relocation.offset / 16 * 16}];
    symbol += (symbol.empty() ? "" : ", ") + relocation.symbol;
    if (relocation.addend) symbol += llvm::formatv("+{0:x}", relocation.addend).str();
  }
  std::string text;
  for (std::size_t s = 0; s < listings.size() && s < cubin.sections.size(); ++s) {
    const CodeSection& section = cubin.sections[s];
    text += llvm::formatv("{0} ({1} bytes)\n", section.name, section.size).str();
    for (std::size_t i = 0; i < listings[s].instructions.size(); ++i) {
      const ListedInstruction& instruction = listings[s].instructions[i];
      std::string shown = instruction.illegal ? "(illegal encoding)" : instruction.text;
      text += llvm::formatv("  {0,-6:x-4} {1,-62} {2} {3:x-16} {4:x-16}", i * 16, shown,
                            ControlWord::decode(instruction.high).str(), instruction.high, instruction.low)
                  .str();
      auto symbol = symbols.find({section.name, i * 16});
      if (symbol != symbols.end()) text += " ; " + symbol->second;
      text += '\n';
    }
  }
  return text;
}

} // namespace harness::sass
