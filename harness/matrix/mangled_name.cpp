#include "harness/matrix/mangled_name.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>

namespace harness {

namespace {

constexpr std::size_t kLongest = 4096; ///< the demangler recurses

/// What LLVM allocated.
std::string taken(char* text) {
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

} // namespace

std::optional<DemangledName> demangle(const std::string& entry) {
  llvm::ItaniumPartialDemangler demangler;
  if (!entry.starts_with("_Z") || entry.size() > kLongest || demangler.partialDemangle(entry.c_str()) ||
      !demangler.isFunction())
    return std::nullopt;
  return DemangledName{taken(demangler.getFunctionBaseName(nullptr, nullptr)),
                       taken(demangler.getFunctionName(nullptr, nullptr)),
                       taken(demangler.getFunctionParameters(nullptr, nullptr))};
}

} // namespace harness
