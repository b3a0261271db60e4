#include "harness/sass/binder.h"

#include <llvm/ADT/StringMap.h>

#include <cstdlib>

namespace harness::sass {

#ifdef HARNESS_SASS_WIDE
namespace v3 {
std::span<const OpcodeRow> integerOpcodes();
std::span<const OpcodeRow> floatOpcodes();
std::span<const OpcodeRow> halfOpcodes();
std::span<const OpcodeRow> convertOpcodes();
std::span<const OpcodeRow> memoryOpcodes();
std::span<const OpcodeRow> warpOpcodes();
std::span<const OpcodeRow> controlOpcodes();
} // namespace v3
namespace v4 {
std::span<const OpcodeRow> integerOpcodes();
std::span<const OpcodeRow> floatOpcodes();
std::span<const OpcodeRow> halfOpcodes();
std::span<const OpcodeRow> convertOpcodes();
std::span<const OpcodeRow> memoryOpcodes();
std::span<const OpcodeRow> warpOpcodes();
std::span<const OpcodeRow> controlOpcodes();
} // namespace v4
#endif

namespace {

using Families = std::vector<std::span<const OpcodeRow>>;

#define HARNESS_SASS_FAMILIES(isa)                                                                           \
  Families {                                                                                                 \
    isa::integerOpcodes(), isa::floatOpcodes(), isa::halfOpcodes(), isa::convertOpcodes(),                   \
        isa::memoryOpcodes(), isa::warpOpcodes(), isa::controlOpcodes()                                      \
  }

/// Those compiled for the widest vectors that this processor has. HARNESS_ISA (baseline, v3, v4) asks for
/// less.
Families familiesOfThisProcessor() {
#ifdef HARNESS_SASS_WIDE
  const char* asked = std::getenv("HARNESS_ISA");
  std::string_view limit = asked ? asked : "v4";
  if (limit == "v4" && __builtin_cpu_supports("x86-64-v4")) return HARNESS_SASS_FAMILIES(v4);
  if (limit != "baseline" && __builtin_cpu_supports("x86-64-v3")) return HARNESS_SASS_FAMILIES(v3);
#endif
  return HARNESS_SASS_FAMILIES(baseline);
}

} // namespace

const Families& opcodeFamilies() {
  static const Families kFamilies = familiesOfThisProcessor();
  return kFamilies;
}

const OpcodeRow* findOpcode(std::string_view name) {
  static const llvm::StringMap<const OpcodeRow*> kRows = [] {
    llvm::StringMap<const OpcodeRow*> rows;
    for (auto family : opcodeFamilies())
      for (const OpcodeRow& row : family)
        rows[llvm::StringRef(row.name.data(), row.name.size())] = &row;
    return rows;
  }();
  auto found = kRows.find(llvm::StringRef(name.data(), name.size()));
  return found == kRows.end() ? nullptr : found->second;
}

} // namespace harness::sass
