#include "tests/compile/cubin_text.h"

#include <llvm/Object/ELFObjectFile.h>

#include <stdexcept>

namespace harness::test {

namespace {
template <typename T> T orThrow(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}
} // namespace

std::map<std::string, std::string> textSections(const std::string& cubin) {
  auto elf = orThrow(llvm::object::ELFFile<llvm::object::ELF64LE>::create(cubin));
  std::map<std::string, std::string> texts;
  for (const auto& section : orThrow(elf.sections())) {
    std::string name = orThrow(elf.getSectionName(section)).str();
    if (!name.starts_with(".text")) continue;
    auto bytes = orThrow(elf.getSectionContents(section));
    texts[name] = std::string(bytes.begin(), bytes.end());
  }
  return texts;
}

} // namespace harness::test
