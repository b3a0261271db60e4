#include "harness/toolchain/toolchain.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace harness {

std::string_view toString(FrontEndKind kind) {
  return kind == FrontEndKind::Nvcc ? "nvcc" : "nvrtc";
}

std::string Toolchain::label() const {
  std::string front = frontEnd.build.label().str(), back = ptxas.build.label().str();
  return front == back ? back : front + "+" + back;
}

bool isArchName(std::string_view name) {
  llvm::StringRef rest(name.data(), name.size());
  bool hasPrefix = rest.consume_front("sm_");
  llvm::StringRef digits = rest.take_while(llvm::isDigit), letter = rest.drop_front(digits.size());
  return hasPrefix && (digits.size() == 2 || digits.size() == 3) &&
         (letter.empty() || letter == "a" || letter == "f");
}

bool Toolchain::knowsArch(std::string_view arch) const {
  return std::find(ptxas.archs.begin(), ptxas.archs.end(), arch) != ptxas.archs.end();
}

} // namespace harness
