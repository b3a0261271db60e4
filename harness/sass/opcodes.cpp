#include "harness/sass/binder.h"

#include <llvm/ADT/StringMap.h>

namespace harness::sass {

const OpcodeRow* findOpcode(std::string_view name) {
  static const llvm::StringMap<const OpcodeRow*> kRows = [] {
    llvm::StringMap<const OpcodeRow*> rows;
    for (auto family : {integerOpcodes(), floatOpcodes(), halfOpcodes(), convertOpcodes(), memoryOpcodes(),
                        warpOpcodes(), controlOpcodes()})
      for (const OpcodeRow& row : family)
        rows[llvm::StringRef(row.name.data(), row.name.size())] = &row;
    return rows;
  }();
  auto found = kRows.find(llvm::StringRef(name.data(), name.size()));
  return found == kRows.end() ? nullptr : found->second;
}

} // namespace harness::sass
