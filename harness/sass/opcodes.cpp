#include "harness/sass/binder.h"

#include <llvm/ADT/StringMap.h>

#include <cstdlib>

namespace harness::sass {

#ifdef HARNESS_SASS_WIDE
namespace v3 {
HARNESS_SASS_FAMILIES(HARNESS_SASS_DECLARE)
} // namespace v3
namespace v4 {
HARNESS_SASS_FAMILIES(HARNESS_SASS_DECLARE)
} // namespace v4
#endif

namespace {

using Families = std::vector<std::span<const OpcodeRow>>;

#define HARNESS_SASS_CALL(family) family##Opcodes(),
#define HARNESS_SASS_COLLECT(isa)                                                                            \
  [] {                                                                                                       \
    using namespace isa;                                                                                     \
    return Families{HARNESS_SASS_FAMILIES(HARNESS_SASS_CALL)};                                               \
  }()

/// Those compiled for the widest vectors that this processor has. HARNESS_ISA (baseline, v3, v4) asks for
/// less.
Families familiesOfThisProcessor() {
#ifdef HARNESS_SASS_WIDE
  const char* asked = std::getenv("HARNESS_ISA");
  std::string_view limit = asked ? asked : "v4";
  if (limit == "v4" && __builtin_cpu_supports("x86-64-v4")) return HARNESS_SASS_COLLECT(v4);
  if (limit != "baseline" && __builtin_cpu_supports("x86-64-v3")) return HARNESS_SASS_COLLECT(v3);
#endif
  return HARNESS_SASS_COLLECT(baseline);
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

std::optional<Op> bindInstruction(std::string_view text, const Encoding& encoding) {
  auto instruction = parseInstruction(text);
  const OpcodeRow* row = instruction ? findOpcode(instruction->opcode) : nullptr;
  if (!row) return std::nullopt;
  Binder binder(*instruction, encoding);
  row->bind(binder);
  return binder.complete() && binder.op.run ? std::optional(binder.op) : std::nullopt;
}

} // namespace harness::sass
