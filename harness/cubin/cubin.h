#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// One kernel parameter as EIATTR_KPARAM_INFO gives it.
struct KernelParam {
  unsigned ordinal = 0;
  std::uint32_t offset = 0; ///< bytes from the start of the parameter area
  std::uint32_t size = 0;   ///< bytes
};

/// A code section (`.text.*`) laid out in the image.
struct CodeSection {
  std::string name;          ///< ".text.halfstore"
  std::uint64_t address = 0; ///< in the image's code space; a multiple of 128, never 0
  std::uint64_t size = 0;    ///< bytes, a multiple of 16
};

/// A relocation as the file has it, for dumps.
struct CodeRelocation {
  std::string section; ///< the section it applies to
  std::uint64_t offset = 0;
  std::uint32_t type = 0; ///< R_CUDA_*
  std::string symbol;
  std::int64_t addend = 0;
};

/// One kernel (entry function) of a cubin.
struct Kernel {
  std::string name;
  std::uint64_t entry = 0;    ///< address in the image's code space
  std::uint32_t codeSize = 0; ///< bytes
  unsigned registers = 0;     ///< EIATTR_REGCOUNT; functions that it calls (-G) may use more
  unsigned barriers = 0;      ///< EIATTR_NUM_BARRIERS, or the section's header
  /// Bytes of `.nv.shared.K`. From sm_90 on its first 0x400 bytes are the system's, and offsets of variables
  /// count them. Dynamic shared memory starts here, rounded up to its alignment.
  std::uint32_t staticShared = 0;
  std::uint32_t frameSize = 0;     ///< EIATTR_FRAME_SIZE
  std::uint32_t minStackSize = 0;  ///< EIATTR_MIN_STACK_SIZE
  std::uint32_t crsStackSize = 0;  ///< EIATTR_CRS_STACK_SIZE
  std::uint16_t paramBase = 0;     ///< offset of the parameters in constant bank 0 (EIATTR_PARAM_CBANK)
  std::uint16_t paramSize = 0;     ///< bytes
  std::vector<KernelParam> params; ///< by ordinal
  std::vector<std::uint32_t> exitOffsets;
  std::string constant0;                     ///< initial contents of bank 0 (`.nv.constant0.K`), mostly zero
  std::map<unsigned, std::string> constants; ///< banks 1…: relocated contents
  /// Throws Error(Usage) unless `args` are as many as it has parameters, and of their sizes.
  void requireArguments(const std::vector<std::vector<std::byte>>& args) const;

  /// Why executing it would mean guessing: a relocation of unknown meaning in a constant bank or in global
  /// memory. Empty = it can be executed; otherwise an execution ends as `unsupported` with this text.
  std::string unsupported;
};

/// A range of global memory that the module itself brings (`__device__` variables).
struct GlobalVariable {
  std::string name;
  std::uint64_t address = 0; ///< device address
  std::uint64_t size = 0;
};

/// A cubin, read and laid out as the loader would: every code section has an address, every relocation in
/// code and constant banks is applied. Addresses are the same for equal cubins.
class Cubin {
public:
  /// Device address of the module's own global variables; nothing else is placed there.
  static constexpr std::uint64_t kGlobalBase = 0x7f4000000000;
  /// Device address at which bank 3 (`__constant__` variables) can be read as memory: what pointers to
  /// constants hold, and what -G code adds its offsets to (it reads this base from bank 0).
  static constexpr std::uint64_t kConstantBase = 0x7f6000000000;

  /// Throws Error(Usage) that starts with `origin` (a path or a cell) and says what is wrong: not an ELF
  /// file, ELF for another machine, relocatable, truncated, a section out of bounds, a kernel without the
  /// attributes that a launch needs … Every read is bounds-checked; `bytes` may come from anywhere.
  ///
  /// A relocation that this loader does not understand is no error: it is not applied, and what depends on it
  /// is marked (`unsupportedWords`, Kernel::unsupported).
  static Cubin parse(std::string_view bytes, std::string_view origin);

  unsigned smVersion = 0; ///< 120 for sm_120 and its variants
  std::vector<Kernel> kernels;
  std::vector<CodeSection> sections;
  std::vector<CodeRelocation> relocations;
  /// The whole code space, relocated; address 0 is its first byte. The first 128 bytes belong to no section,
  /// so that no function has the address of a null pointer.
  std::string code;
  std::string globals; ///< contents of the module's global memory at kGlobalBase
  std::vector<GlobalVariable> variables;
  /// Names of undefined functions (vprintf, malloc, __assertfail …) and the code addresses that refer to them
  /// resolve to: executing one is `unsupported`, by name.
  std::map<std::uint64_t, std::string> externals;
  /// Instructions (by code address) whose relocation could not be applied, and why: executing one is
  /// `unsupported`.
  std::map<std::uint64_t, std::string> unsupportedWords;

  /// Nothing if there is no kernel of that name.
  const Kernel* find(std::string_view name) const;
  /// Throws Error(Usage) with the names that are there; `what` is the cubin in the message.
  const Kernel& get(std::string_view name, std::string_view what) const;

  /// The relocated bytes of one section.
  std::string_view sectionCode(const CodeSection& section) const {
    return std::string_view(code).substr(section.address, section.size);
  }

  /// Names of all kernels, for messages.
  std::vector<std::string> kernelNames() const;

  /// Hash of all that an execution of `kernel` can depend on: code, relocated banks, globals, attributes and
  /// parameter layout, SM version. Equal hashes may share an execution.
  std::string imageHash(const Kernel& kernel) const;
};

} // namespace harness
