#include "harness/ptx/quote.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

namespace harness::ptx {

std::string quote(std::string_view text, std::size_t most) {
  std::string shown = "'";
  for (char c : text.substr(0, most))
    shown += llvm::isPrint(c) ? std::string(1, c)
                              : llvm::formatv("\\x{0:x-2}", static_cast<unsigned char>(c)).str();
  return shown + (text.size() > most ? "…'" : "'");
}

} // namespace harness::ptx
