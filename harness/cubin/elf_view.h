#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A section with its contents, which lie wholly inside the file.
struct ElfSection {
  std::string name;
  std::uint32_t type = 0; ///< SHT_*
  std::uint64_t flags = 0;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  std::string_view contents; ///< empty for SHT_NOBITS; a view into the file
};

/// An entry of the symbol table.
struct ElfSymbol {
  std::string name;
  std::uint64_t value = 0; ///< from the start of its section, in executables too: cubins have no addresses
  std::uint64_t size = 0;
  std::uint8_t type = 0;  ///< STT_*
  std::uint8_t other = 0; ///< visibility, and CUDA's STO_* bits
  /// Index into the sections; 0 = undefined; nothing for the special indices (absolute, common …).
  std::optional<std::size_t> section;
};

/// An entry of SHT_REL or SHT_RELA.
struct ElfRelocation {
  std::size_t section = 0; ///< index of the section that it changes
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::size_t symbol = 0;             ///< index into the symbols
  std::optional<std::int64_t> addend; ///< nothing for SHT_REL: it stands in the place itself
};

/// The tables of a cubin, checked: every section lies in the file, every index points somewhere.
struct ElfView {
  std::uint32_t flags = 0; ///< e_flags
  unsigned abiVersion = 0; ///< 7 in files of ptxas 11.8 to 12.8, 8 in those of 12.9 and later
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  std::vector<ElfRelocation> relocations;     ///< of sections that are loaded (SHF_ALLOC)
  std::vector<ElfRelocation> lineRelocations; ///< of kLineSection; other debug information has its own

  /// Where ptxas -lineinfo and -G write from which PTX lines the code comes.
  static constexpr std::string_view kLineSection = ".nv_debug_line_sass";

  /// Reads `bytes`, which must outlive the result. Throws Error(Usage) that starts with `origin` unless they
  /// are a whole, linked ELF64 file for CUDA.
  static ElfView read(std::string_view bytes, std::string_view origin);
};

} // namespace harness
