#include "harness/cubin/elf_view.h"

#include "harness/base/error.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELF.h>
#include <llvm/Object/ELFTypes.h>

namespace harness {

namespace {

using llvm::object::ELF64LE;
using Elf = llvm::object::ELFFile<ELF64LE>;

constexpr std::size_t kMaxSections = 60'000;
constexpr std::size_t kMaxSymbols = std::size_t{1} << 22;
constexpr std::size_t kMaxRelocations = std::size_t{1} << 22;

/// The value, or an Error that names the file and says what is wrong with it.
template <typename T> T take(llvm::Expected<T> value, std::string_view origin) {
  if (!value) failUsage("{0}: truncated or damaged cubin: {1}", origin, llvm::toString(value.takeError()));
  return std::move(*value);
}

/// What can be said of the first bytes before anything else is read.
void checkIdentification(std::string_view bytes, std::string_view origin) {
  namespace e = llvm::ELF;
  if (bytes.empty()) failUsage("{0}: the file is empty, not a cubin", origin);
  if (bytes.substr(0, 4) != std::string_view("\x7f"
                                             "ELF"))
    failUsage("{0}: not an ELF file, so not a cubin", origin);
  if (bytes.size() < sizeof(Elf::Elf_Ehdr))
    failUsage("{0}: truncated cubin: {1} bytes are less than an ELF header", origin, bytes.size());
  if (bytes[e::EI_CLASS] != e::ELFCLASS64) failUsage("{0}: a 32-bit ELF file; cubins are 64-bit", origin);
  if (bytes[e::EI_DATA] != e::ELFDATA2LSB)
    failUsage("{0}: a big-endian ELF file; cubins are little-endian", origin);
}

void checkHeader(const Elf::Elf_Ehdr& header, std::string_view origin) {
  namespace e = llvm::ELF;
  if (header.e_machine != e::EM_CUDA) {
    llvm::StringRef machine = e::convertEMachineToArchName(header.e_machine);
    failUsage("{0}: an ELF file for another machine (e_machine {1}{2}), not for CUDA", origin,
              unsigned{header.e_machine}, machine.empty() ? std::string() : (", " + machine).str());
  }
  if (header.e_type == e::ET_REL)
    failUsage("{0}: a relocatable object (-rdc=true, --compile-only): link it first", origin);
  if (header.e_type != e::ET_EXEC)
    failUsage("{0}: ELF type {1}; a cubin is an executable", origin, unsigned{header.e_type});
}

std::vector<ElfSection> readSections(const Elf& elf, Elf::Elf_Shdr_Range headers, std::string_view origin) {
  std::vector<ElfSection> sections;
  if (headers.empty()) failUsage("{0}: a cubin without sections", origin);
  if (headers.size() > kMaxSections) failUsage("{0}: {1} sections are too many", origin, headers.size());
  llvm::StringRef names = take(elf.getSectionStringTable(headers), origin);
  sections.reserve(headers.size());
  for (const Elf::Elf_Shdr& header : headers) {
    ElfSection section;
    section.name = take(elf.getSectionName(header, names), origin).str();
    section.type = header.sh_type;
    section.flags = header.sh_flags;
    section.size = header.sh_size;
    section.alignment = header.sh_addralign == 0 ? 1 : std::uint64_t{header.sh_addralign};
    if (header.sh_type != llvm::ELF::SHT_NOBITS && header.sh_type != llvm::ELF::SHT_NULL) {
      llvm::ArrayRef<std::uint8_t> contents = take(elf.getSectionContents(header), origin);
      section.contents = {reinterpret_cast<const char*>(contents.data()), contents.size()};
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

/// The only symbol table, or null.
const Elf::Elf_Shdr* findSymbolTable(Elf::Elf_Shdr_Range headers, std::string_view origin) {
  const Elf::Elf_Shdr* table = nullptr;
  for (const Elf::Elf_Shdr& header : headers) {
    if (header.sh_type != llvm::ELF::SHT_SYMTAB) continue;
    if (table) failUsage("{0}: damaged cubin: more than one symbol table", origin);
    table = &header;
  }
  return table;
}

std::vector<ElfSymbol> readSymbols(const Elf& elf, const Elf::Elf_Shdr& table, std::size_t sectionCount,
                                   std::string_view origin) {
  std::vector<ElfSymbol> symbols;
  Elf::Elf_Sym_Range range = take(elf.symbols(&table), origin);
  if (range.size() > kMaxSymbols) failUsage("{0}: {1} symbols are too many", origin, range.size());
  llvm::StringRef names = take(elf.getStringTableForSymtab(table), origin);
  symbols.reserve(range.size());
  for (const Elf::Elf_Sym& entry : range) {
    ElfSymbol symbol;
    symbol.name = take(entry.getName(names), origin).str();
    symbol.value = entry.st_value;
    symbol.size = entry.st_size;
    symbol.type = entry.getType();
    symbol.other = entry.st_other;
    if (entry.st_shndx < llvm::ELF::SHN_LORESERVE) {
      if (entry.st_shndx >= sectionCount)
        failUsage("{0}: damaged cubin: symbol '{1}' is in section {2} of {3}", origin, symbol.name,
                  unsigned{entry.st_shndx}, sectionCount);
      symbol.section = entry.st_shndx;
    }
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

template <typename Entries, typename Addend>
void addRelocations(ElfView& view, std::size_t target, Entries entries, Addend addend,
                    std::string_view origin) {
  bool loaded = view.sections[target].flags & llvm::ELF::SHF_ALLOC;
  std::vector<ElfRelocation>& relocations = loaded ? view.relocations : view.lineRelocations;
  if (relocations.size() + entries.size() > kMaxRelocations)
    failUsage("{0}: more than {1} relocations are too many", origin, kMaxRelocations);
  for (const auto& entry : entries) {
    ElfRelocation relocation{target, entry.r_offset, entry.getType(false), entry.getSymbol(false),
                             addend(entry)};
    if (relocation.symbol >= view.symbols.size())
      failUsage("{0}: damaged cubin: a relocation of section '{1}' names symbol {2} of {3}", origin,
                view.sections[target].name, relocation.symbol, view.symbols.size());
    relocations.push_back(relocation);
  }
}

/// All of them refer to the only symbol table; sh_link is not looked at, for ptxas 12.0 writes a wrong one.
void readRelocations(ElfView& view, const Elf& elf, Elf::Elf_Shdr_Range headers, std::string_view origin) {
  for (const Elf::Elf_Shdr& header : headers) {
    if (header.sh_type != llvm::ELF::SHT_REL && header.sh_type != llvm::ELF::SHT_RELA) continue;
    std::size_t target = header.sh_info;
    if (target >= view.sections.size())
      failUsage("{0}: damaged cubin: relocations for section {1} of {2}", origin, target,
                view.sections.size());
    const ElfSection& section = view.sections[target];
    if (!(section.flags & llvm::ELF::SHF_ALLOC) && section.name != ElfView::kLineSection) continue;
    if (header.sh_type == llvm::ELF::SHT_RELA)
      addRelocations(
          view, target, take(elf.relas(header), origin),
          [](const Elf::Elf_Rela& entry) { return std::optional<std::int64_t>(entry.r_addend); }, origin);
    else
      addRelocations(
          view, target, take(elf.rels(header), origin),
          [](const Elf::Elf_Rel&) { return std::optional<std::int64_t>(); }, origin);
  }
}

} // namespace

ElfView ElfView::read(std::string_view bytes, std::string_view origin) {
  checkIdentification(bytes, origin);
  Elf elf = take(Elf::create(llvm::StringRef(bytes.data(), bytes.size())), origin);
  checkHeader(elf.getHeader(), origin);
  // They are the last thing in the files that ptxas writes: with them, the file is whole.
  (void)take(elf.program_headers(), origin);
  Elf::Elf_Shdr_Range headers = take(elf.sections(), origin);

  ElfView view;
  view.flags = elf.getHeader().e_flags;
  view.abiVersion = elf.getHeader().e_ident[llvm::ELF::EI_ABIVERSION];
  view.sections = readSections(elf, headers, origin);
  const Elf::Elf_Shdr* symbolTable = findSymbolTable(headers, origin);
  if (!symbolTable) failUsage("{0}: a cubin without a symbol table", origin);
  view.symbols = readSymbols(elf, *symbolTable, view.sections.size(), origin);
  readRelocations(view, elf, headers, origin);
  return view;
}

} // namespace harness
