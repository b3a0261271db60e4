#include "harness/cubin/line_table.h"

#include "harness/base/error.h"
#include "harness/cubin/elf_view.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDataExtractor.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugLine.h>

#include <algorithm>
#include <cstring>

namespace harness {

namespace {

constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint8_t kAddressBytes = 8;
/// Beyond all code that is laid out.
constexpr std::uint64_t kNoCode = std::uint64_t{1} << 60;

const ElfSection* findLineSection(const ElfView& elf) {
  auto found = std::find_if(elf.sections.begin(), elf.sections.end(),
                            [](const ElfSection& section) { return section.name == ElfView::kLineSection; });
  return found == elf.sections.end() ? nullptr : &*found;
}

/// The section's bytes, in which the start of each sequence is its address in `cubin.code`.
std::string relocated(const ElfView& elf, const ElfSection& section, const Cubin& cubin,
                      std::string_view origin) {
  std::string bytes(section.contents);
  for (const ElfRelocation& relocation : elf.lineRelocations) {
    const ElfSymbol& symbol = elf.symbols[relocation.symbol];
    if (relocation.offset > bytes.size() || bytes.size() - relocation.offset < kAddressBytes)
      failUsage("{0}: damaged cubin: a relocation outside the line table", origin);
    std::uint64_t address = 0;
    char* at = bytes.data() + relocation.offset;
    std::memcpy(&address, at, kAddressBytes);
    if (relocation.addend) address = static_cast<std::uint64_t>(*relocation.addend);
    std::string_view name = symbol.section ? std::string_view(elf.sections[*symbol.section].name) : "";
    auto code = std::find_if(cubin.sections.begin(), cubin.sections.end(),
                             [name](const CodeSection& one) { return one.name == name; });
    address = code == cubin.sections.end() ? kNoCode : address + symbol.value + code->address;
    std::memcpy(at, &address, kAddressBytes);
  }
  return bytes;
}

/// Writes the rows into `lines`; `budget` bounds how many entries all tables together may write.
void addRows(const llvm::DWARFDebugLine::LineTable& table, std::vector<std::uint32_t>& lines,
             std::uint64_t& budget, std::string_view origin) {
  for (std::size_t i = 0; i + 1 < table.Rows.size(); ++i) {
    const auto &row = table.Rows[i], &next = table.Rows[i + 1];
    if (row.EndSequence) continue;
    std::uint64_t end = std::min<std::uint64_t>(next.Address.Address / kInstructionBytes, lines.size());
    for (std::uint64_t at = row.Address.Address / kInstructionBytes; at < end; ++at) {
      if (budget-- == 0)
        failUsage("{0}: damaged line table: it describes the same code again and again", origin);
      lines[at] = row.Line;
    }
  }
}

} // namespace

std::vector<std::uint32_t> ptxLines(std::string_view bytes, const Cubin& cubin, std::string_view origin) {
  ElfView elf = ElfView::read(bytes, origin);
  const ElfSection* section = findLineSection(elf);
  if (!section || section->contents.empty()) return {};
  std::string program = relocated(elf, *section, cubin, origin);
  llvm::DWARFDataExtractor data(program, /*IsLittleEndian=*/true, kAddressBytes);
  auto context = llvm::DWARFContext::create({}, kAddressBytes);
  std::vector<std::uint32_t> lines(cubin.code.size() / kInstructionBytes);
  std::uint64_t budget = 4 * lines.size();
  for (std::uint64_t offset = 0; data.isValidOffset(offset);) {
    std::uint64_t start = offset;
    llvm::DWARFDebugLine::LineTable table;
    llvm::Error error = table.parse(data, &offset, *context, nullptr,
                                    [](llvm::Error one) { llvm::consumeError(std::move(one)); });
    if (error) failUsage("{0}: damaged line table: {1}", origin, llvm::toString(std::move(error)));
    if (offset <= start) failUsage("{0}: damaged line table: it does not end", origin);
    addRows(table, lines, budget, origin);
  }
  return lines;
}

} // namespace harness
