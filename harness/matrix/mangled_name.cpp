#include "harness/matrix/mangled_name.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/cubin/cubin.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
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

bool isSameName(std::string a, std::string b) {
  for (std::string* name : {&a, &b})
    std::erase(*name, ' ');
  return a == b;
}

std::string entryOf(const std::string& wanted, const std::vector<std::string>& entries,
                    std::string_view what) {
  if (std::find(entries.begin(), entries.end(), wanted) != entries.end()) return wanted;
  std::vector<std::string> found;
  for (const std::string& entry : entries)
    if (auto name = demangle(entry); name && isSameName(name->full, wanted)) found.push_back(entry);
  if (found.size() == 1) return found.front();
  if (!found.empty())
    failUsage("'{0}' names {1} kernels in {2}: give one of {3}", wanted, found.size(), what,
              join(found, ", "));
  std::string near = nearest(wanted, entries);
  failUsage("no kernel '{0}' in {1}, which has {2}{3}", wanted, what,
            entries.empty() ? "none" : join(entries, ", "),
            near.empty() ? "" : "; did you mean '" + near + "'?");
}

const Kernel& kernelOf(const Cubin& cubin, const std::string& wanted) {
  return cubin.get(entryOf(wanted, cubin.kernelNames(), "the cubin"), "the cubin");
}

} // namespace harness
