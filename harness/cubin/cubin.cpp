#include "harness/cubin/cubin.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/cubin/elf_view.h"
#include "harness/cubin/nv_info.h"
#include "harness/cubin/relocation.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <set>

namespace harness {

namespace {

constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint64_t kCodeAlignment = 128;
constexpr std::uint64_t kFirstCode = kCodeAlignment; ///< see Cubin::code
/// Fake addresses of undefined functions: above any code, and within the 49 bits that CALL.ABS has on sm_75.
constexpr std::uint64_t kExternalBase = std::uint64_t{1} << 40;

constexpr std::uint64_t kMaxCode = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxGlobals = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxShared = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxBank = std::uint64_t{64} << 10;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{64} << 10;
constexpr std::size_t kMaxKernels = 65'536;

constexpr std::uint8_t kEntryPoint = 0x10;    ///< st_other: STO_CUDA_ENTRY
constexpr std::uint8_t kCudaObjectType = 0xd; ///< st_type of variables in linked -rdc code, beside STT_OBJECT

/// Where the contents of a section go.
enum class Space { None, Code, Global, Bank };

struct Placement {
  Space space = Space::None;
  std::uint64_t address = 0; ///< of the section's first byte; Bank: as a pointer to it would have it
  std::string bytes;         ///< Bank: the relocated contents
  unsigned bank = 0;
  std::string kernel;      ///< Bank: empty = of all kernels
  std::string unsupported; ///< Bank: see Kernel::unsupported
};

/// Attributes that the module-wide `.nv.info` gives to a function.
struct FunctionInfo {
  std::uint32_t registers = 0, frameSize = 0, minStackSize = 0;
};

/// Builds a Cubin out of the checked ELF tables.
class Loader {
public:
  Loader(const ElfView& elf, std::string_view origin)
      : elf_(elf), origin_(origin), placements_(elf.sections.size()) {}

  Cubin load() {
    cubin_.smVersion = readSmVersion();
    indexSections();
    placeCode();
    placeGlobals();
    placeBanks();
    nameVariables();
    for (const ElfRelocation& relocation : elf_.relocations)
      relocate(relocation);
    readFunctionInfo();
    readKernels();
    findStrayBanks();
    return std::move(cubin_);
  }

private:
  template <typename... Args> [[noreturn]] void fail(const char* format, Args&&... args) const {
    failUsage("{0}: {1}", origin_, llvm::formatv(format, std::forward<Args>(args)...).str());
  }

  /// e_flags: bits 8-15 from ABI 8 on, bits 0-7 before.
  unsigned readSmVersion() const {
    unsigned version = elf_.abiVersion >= 8 ? elf_.flags >> 8 & 0xff : elf_.flags & 0xff;
    if (version < 75) fail("a cubin for sm_{0}; sm_75 and later are supported", version);
    return version;
  }

  void indexSections() {
    for (std::size_t i = 1; i < elf_.sections.size(); ++i) {
      const ElfSection& section = elf_.sections[i];
      if (!llvm::isPowerOf2_64(section.alignment) || section.alignment > kMaxAlignment)
        fail("damaged cubin: section '{0}' has the alignment {1}", section.name, section.alignment);
      if (!section.name.empty() && !byName_.emplace(section.name, i).second)
        fail("damaged cubin: two sections are named '{0}'", section.name);
    }
  }

  const ElfSection* findSection(const std::string& name) const {
    auto found = byName_.find(name);
    return found == byName_.end() ? nullptr : &elf_.sections[found->second];
  }

  Placement& place(std::size_t section, Space space, std::uint64_t address) {
    placements_[section].space = space;
    placements_[section].address = address;
    return placements_[section];
  }

  void placeCode() {
    std::uint64_t end = kFirstCode;
    cubin_.code.assign(kFirstCode, '\0');
    for (std::size_t i = 0; i < elf_.sections.size(); ++i) {
      const ElfSection& section = elf_.sections[i];
      if (!llvm::StringRef(section.name).starts_with(".text.") || section.type != llvm::ELF::SHT_PROGBITS)
        continue;
      if (section.size % kInstructionBytes != 0)
        fail("damaged cubin: section '{0}' has {1} bytes, not a multiple of {2}", section.name, section.size,
             kInstructionBytes);
      std::uint64_t address = llvm::alignTo(end, std::max(kCodeAlignment, section.alignment));
      if (section.size > kMaxCode || address > kMaxCode - section.size)
        fail("more than {0} MiB of code", kMaxCode >> 20);
      end = address + section.size;
      cubin_.code.resize(address);
      cubin_.code += section.contents;
      cubin_.sections.push_back({section.name, address, section.size});
      place(i, Space::Code, address);
    }
  }

  void placeGlobals() {
    for (const char* name : {".nv.global.init", ".nv.global"}) {
      auto found = byName_.find(name);
      if (found == byName_.end()) continue;
      const ElfSection& section = elf_.sections[found->second];
      std::uint64_t offset =
          llvm::alignTo(cubin_.globals.size(), std::max<std::uint64_t>(section.alignment, 256));
      if (section.size > kMaxGlobals || offset > kMaxGlobals - section.size)
        fail("more than {0} MiB of global variables", kMaxGlobals >> 20);
      cubin_.globals.resize(offset);
      cubin_.globals += section.contents;
      cubin_.globals.resize(offset + section.size);
      place(found->second, Space::Global, Cubin::kGlobalBase + offset);
    }
  }

  /// `.nv.constantN` and `.nv.constantN.KERNEL`.
  void placeBanks() {
    for (std::size_t i = 0; i < elf_.sections.size(); ++i) {
      const ElfSection& section = elf_.sections[i];
      llvm::StringRef rest = section.name;
      unsigned bank = 0;
      if (!rest.consume_front(".nv.constant") || rest.consumeInteger(10, bank)) continue;
      if (!rest.empty() && !rest.consume_front(".")) continue;
      if (section.type != llvm::ELF::SHT_PROGBITS)
        fail("damaged cubin: section '{0}' has no contents", section.name);
      if (section.size > kMaxBank)
        fail("damaged cubin: section '{0}' has {1} bytes; a constant bank has at most {2}", section.name,
             section.size, kMaxBank);
      Placement& placement = place(i, Space::Bank, Cubin::kConstantBase);
      placement.bytes = section.contents;
      placement.bank = bank;
      placement.kernel = rest.str();
    }
  }

  void nameVariables() {
    for (const ElfSymbol& symbol : elf_.symbols) {
      if (symbol.type != llvm::ELF::STT_OBJECT && symbol.type != kCudaObjectType) continue;
      if (!symbol.section || placements_[*symbol.section].space != Space::Global) continue;
      const ElfSection& section = elf_.sections[*symbol.section];
      if (symbol.value > section.size || symbol.size > section.size - symbol.value)
        fail("damaged cubin: variable '{0}' lies outside section '{1}'", symbol.name, section.name);
      cubin_.variables.push_back(
          {symbol.name, placements_[*symbol.section].address + symbol.value, symbol.size});
    }
  }

  /// The address that a symbol stands for, or nothing and the reason.
  std::optional<std::uint64_t> resolve(const ElfSymbol& symbol, std::string& reason) {
    if (!symbol.section || (*symbol.section == 0 && symbol.name.empty())) {
      reason = "it has no symbol with an address";
      return std::nullopt;
    }
    if (*symbol.section == 0) {
      if (symbol.type == llvm::ELF::STT_FUNC || symbol.type == llvm::ELF::STT_NOTYPE)
        return external(symbol.name);
      reason = "the variable '" + symbol.name + "' is undefined";
      return std::nullopt;
    }
    const ElfSection& section = elf_.sections[*symbol.section];
    const Placement& placement = placements_[*symbol.section];
    bool pointable = placement.space == Space::Code || placement.space == Space::Global ||
                     (placement.space == Space::Bank && placement.bank == 3);
    if (!pointable) {
      reason = "addresses in section '" + section.name + "' are not known";
      return std::nullopt;
    }
    if (symbol.value > section.size)
      fail("damaged cubin: symbol '{0}' lies outside section '{1}'", symbol.name, section.name);
    return placement.address + symbol.value;
  }

  std::uint64_t external(const std::string& name) {
    std::uint64_t next = kExternalBase + externalByName_.size() * kCodeAlignment;
    auto [entry, added] = externalByName_.emplace(name, next);
    if (added) cubin_.externals.emplace(next, name);
    return entry->second;
  }

  void relocate(const ElfRelocation& relocation) {
    const ElfSection& section = elf_.sections[relocation.section];
    Placement& placement = placements_[relocation.section];
    if (placement.space == Space::None) return;
    const ElfSymbol& symbol = elf_.symbols[relocation.symbol];
    cubin_.relocations.push_back(
        {section.name, relocation.offset, relocation.type,
         symbol.name.empty() && symbol.section ? elf_.sections[*symbol.section].name : symbol.name,
         relocation.addend.value_or(0)});

    const RelocationRule* rule = findRelocationRule(relocation.type);
    std::uint64_t span = rule ? rule->span() : 1;
    if (relocation.offset > section.size || section.size - relocation.offset < span)
      fail("damaged cubin: a relocation lies outside section '{0}'", section.name);
    std::string reason;
    if (!rule) {
      reason = "its type is not known";
    } else if (std::optional<std::uint64_t> address = resolve(symbol, reason)) {
      std::span<char> place = contents(placement).subspan(relocation.offset, span);
      if (relocation.addend || rule->blank(place)) {
        rule->apply(place, *address + static_cast<std::uint64_t>(relocation.addend.value_or(0)));
        return;
      }
      reason = "it has an addend in place";
    }
    markUnsupported(placement, relocation.offset,
                    llvm::formatv("relocation of type {0}{1} at {2}+{3:x} was not applied: {4}",
                                  relocation.type, rule ? " (" + std::string(rule->name) + ")" : "",
                                  section.name, relocation.offset, reason)
                        .str());
  }

  /// The loaded bytes from a placement's first on.
  std::span<char> contents(Placement& placement) {
    if (placement.space == Space::Bank) return placement.bytes;
    if (placement.space == Space::Code) return std::span(cubin_.code).subspan(placement.address);
    return std::span(cubin_.globals).subspan(placement.address - Cubin::kGlobalBase);
  }

  void markUnsupported(Placement& placement, std::uint64_t offset, const std::string& reason) {
    if (placement.space == Space::Code)
      cubin_.unsupportedWords.emplace(placement.address + offset / kInstructionBytes * kInstructionBytes,
                                      reason);
    else if (std::string& text = placement.space == Space::Bank ? placement.unsupported : globalsUnsupported_;
             text.empty())
      text = reason;
  }

  std::vector<InfoAttribute> info(const std::string& name) const {
    const ElfSection* section = findSection(name);
    if (!section) return {};
    try {
      return parseInfo(section->contents);
    } catch (const Error& error) {
      fail("damaged cubin: section '{0}': {1}", name, error.what());
    }
  }

  void readFunctionInfo() {
    for (const InfoAttribute& attribute : info(".nv.info")) {
      switch (attribute.code) {
      case InfoCode::RegCount: functions_[attribute.u32(0)].registers = attribute.u32(4); break;
      case InfoCode::FrameSize: functions_[attribute.u32(0)].frameSize = attribute.u32(4); break;
      case InfoCode::MinStackSize: functions_[attribute.u32(0)].minStackSize = attribute.u32(4); break;
      default: break;
      }
    }
  }

  void readKernels() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < elf_.symbols.size(); ++i) {
      const ElfSymbol& symbol = elf_.symbols[i];
      if (symbol.type != llvm::ELF::STT_FUNC || !(symbol.other & kEntryPoint) || !symbol.section) continue;
      if (placements_[*symbol.section].space != Space::Code) continue;
      if (!names.insert(symbol.name).second) fail("damaged cubin: two kernels are named '{0}'", symbol.name);
      if (names.size() > kMaxKernels) fail("more than {0} kernels", kMaxKernels);
      cubin_.kernels.push_back(readKernel(i));
    }
  }

  Kernel readKernel(std::size_t symbolIndex) const {
    const ElfSymbol& symbol = elf_.symbols[symbolIndex];
    const ElfSection& section = elf_.sections[*symbol.section];
    if (symbol.value >= section.size || symbol.value % kInstructionBytes != 0)
      fail("damaged cubin: kernel '{0}' starts at {1:x} of {2:x} bytes", symbol.name, symbol.value,
           section.size);

    Kernel kernel;
    kernel.name = symbol.name;
    kernel.entry = placements_[*symbol.section].address + symbol.value;
    kernel.codeSize = static_cast<std::uint32_t>(section.size);
    kernel.barriers = static_cast<unsigned>(section.flags >> 20 & 0x7f);
    if (auto found = functions_.find(static_cast<std::uint32_t>(symbolIndex)); found != functions_.end()) {
      kernel.registers = found->second.registers;
      kernel.frameSize = found->second.frameSize;
      kernel.minStackSize = found->second.minStackSize;
    }
    if (const ElfSection* shared = findSection(".nv.shared." + kernel.name)) {
      if (shared->size > kMaxShared)
        fail("kernel '{0}' has {1} bytes of shared memory, more than {2}", kernel.name, shared->size,
             kMaxShared);
      kernel.staticShared = static_cast<std::uint32_t>(shared->size);
    }
    takeBanks(kernel);
    readAttributes(kernel, section.size);
    return kernel;
  }

  void takeBanks(Kernel& kernel) const {
    kernel.unsupported = globalsUnsupported_;
    for (const Placement& placement : placements_) {
      if (placement.space != Space::Bank || (!placement.kernel.empty() && placement.kernel != kernel.name))
        continue;
      if (placement.bank == 0)
        kernel.constant0 = placement.bytes;
      else if (!kernel.constants.emplace(placement.bank, placement.bytes).second)
        fail("damaged cubin: kernel '{0}' has two constant banks {1}", kernel.name, placement.bank);
      if (kernel.unsupported.empty()) kernel.unsupported = placement.unsupported;
    }
  }

  /// A bank of its own for a function that is no kernel has never been seen, so who reads it is not known.
  void findStrayBanks() {
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      if (placements_[i].kernel.empty() || cubin_.find(placements_[i].kernel)) continue;
      for (Kernel& kernel : cubin_.kernels)
        if (kernel.unsupported.empty())
          kernel.unsupported = "section " + elf_.sections[i].name + " belongs to no kernel";
    }
  }

  void readAttributes(Kernel& kernel, std::uint64_t codeSize) const {
    bool bankGiven = false;
    std::optional<std::uint16_t> sizeGiven;
    for (const InfoAttribute& attribute : info(".nv.info." + kernel.name)) {
      try {
        switch (attribute.code) {
        case InfoCode::ParamCbank:
          bankGiven = true;
          kernel.paramBase = attribute.u16(4);
          kernel.paramSize = attribute.u16(6);
          break;
        case InfoCode::CbankParamSize: sizeGiven = attribute.u16(0); break;
        case InfoCode::KparamInfo:
          kernel.params.push_back({attribute.u16(4), attribute.u16(6), attribute.u32(8) >> 18});
          break;
        case InfoCode::KparamInfoV2:
          kernel.params.push_back({attribute.u16(4), attribute.u16(6), attribute.u32(8) & 0xffff});
          break;
        case InfoCode::ExitInstrOffsets:
          for (std::size_t at = 0; at < attribute.payload.size(); at += 4)
            kernel.exitOffsets.push_back(attribute.u32(at));
          break;
        case InfoCode::CrsStackSize: kernel.crsStackSize = attribute.u32(0); break;
        case InfoCode::NumBarriers: kernel.barriers = attribute.u8(0); break;
        default: break;
        }
      } catch (const Error& error) {
        fail("damaged cubin: kernel '{0}': {1}", kernel.name, error.what());
      }
    }
    if (!bankGiven && (!kernel.params.empty() || sizeGiven.value_or(0) != 0))
      fail("kernel '{0}' has parameters but does not say where (EIATTR_PARAM_CBANK)", kernel.name);
    if (sizeGiven && *sizeGiven != kernel.paramSize)
      fail("damaged cubin: kernel '{0}' has {1} bytes of parameters by one attribute and {2} by another",
           kernel.name, *sizeGiven, kernel.paramSize);
    for (std::uint32_t offset : kernel.exitOffsets)
      if (offset >= codeSize || offset % kInstructionBytes != 0)
        fail("damaged cubin: kernel '{0}' exits at {1:x} of {2:x} bytes", kernel.name, offset, codeSize);
    checkParams(kernel);
  }

  void checkParams(Kernel& kernel) const {
    if (std::uint32_t{kernel.paramBase} + kernel.paramSize > kernel.constant0.size())
      fail("damaged cubin: the parameters of kernel '{0}' end at {1:x}, beyond its constant bank 0 of {2:x} "
           "bytes",
           kernel.name, std::uint32_t{kernel.paramBase} + kernel.paramSize, kernel.constant0.size());
    std::ranges::sort(kernel.params, {}, &KernelParam::ordinal);
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      const KernelParam& param = kernel.params[i];
      if (param.ordinal != i)
        fail("damaged cubin: kernel '{0}' has no parameter {1}, or two", kernel.name, i);
      if (param.offset > kernel.paramSize || param.size > kernel.paramSize - param.offset)
        fail("damaged cubin: parameter {0} of kernel '{1}' lies outside the {2} bytes of all", i, kernel.name,
             kernel.paramSize);
    }
  }

  const ElfView& elf_;
  std::string_view origin_;
  std::vector<Placement> placements_; ///< one a section
  std::map<std::string, std::size_t, std::less<>> byName_;
  std::map<std::string, std::uint64_t> externalByName_;
  std::map<std::uint32_t, FunctionInfo> functions_; ///< by symbol index
  std::string globalsUnsupported_;
  Cubin cubin_;
};

} // namespace

Cubin Cubin::parse(std::string_view bytes, std::string_view origin) {
  ElfView elf = ElfView::read(bytes, origin);
  return Loader(elf, origin).load();
}

const Kernel* Cubin::find(std::string_view name) const {
  auto found = std::ranges::find(kernels, name, &Kernel::name);
  return found == kernels.end() ? nullptr : &*found;
}

void Kernel::requireArguments(const std::vector<std::vector<std::byte>>& args) const {
  if (args.size() != params.size())
    failUsage("kernel '{0}' takes {1} arguments, the launch has {2}", name, params.size(), args.size());
  for (const KernelParam& param : params)
    if (param.ordinal >= args.size() || args[param.ordinal].size() != param.size)
      failUsage("argument {0} of kernel '{1}' has {2} bytes, the launch gives another size", param.ordinal,
                name, param.size);
}

const Kernel& Cubin::get(std::string_view name, std::string_view what) const {
  if (const Kernel* kernel = find(name)) return *kernel;
  std::vector<std::string> names = kernelNames();
  std::string near = nearest(name, names);
  failUsage("no kernel '{0}' in {1}, which has {2}{3}", name, what,
            names.empty() ? "none" : join(names, ", "), near.empty() ? "" : "; did you mean '" + near + "'?");
}

std::vector<std::string> Cubin::kernelNames() const {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels)
    names.push_back(kernel.name);
  return names;
}

std::string Cubin::imageHash(const Kernel& kernel) const {
  KeyHasher key("cubin-image/1");
  key.add("sm", smVersion).add("code", code).add("globals", globals);
  for (const CodeSection& section : sections)
    key.add("section", section.name).add("address", section.address).add("size", section.size);
  for (const GlobalVariable& variable : variables)
    key.add("variable", variable.name).add("address", variable.address).add("size", variable.size);
  for (const auto& [address, name] : externals)
    key.add("external", name).add("address", address);
  for (const auto& [address, reason] : unsupportedWords)
    key.add("unsupported", reason).add("address", address);

  key.add("kernel", kernel.name).add("entry", kernel.entry).add("code-size", kernel.codeSize);
  key.add("registers", kernel.registers).add("barriers", kernel.barriers).add("shared", kernel.staticShared);
  key.add("frame", kernel.frameSize).add("stack", kernel.minStackSize).add("crs", kernel.crsStackSize);
  key.add("param-base", kernel.paramBase).add("param-size", kernel.paramSize);
  for (const KernelParam& param : kernel.params)
    key.add("param", param.ordinal).add("offset", param.offset).add("size", param.size);
  for (std::uint32_t offset : kernel.exitOffsets)
    key.add("exit", offset);
  key.add("bank0", kernel.constant0);
  for (const auto& [bank, contents] : kernel.constants)
    key.add("bank", bank).add("contents", contents);
  key.add("unsupported", kernel.unsupported);
  return key.hex();
}

} // namespace harness
