#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

class Cubin;
struct Kernel;

/// A kernel's entry as C++ writes it.
struct DemangledName {
  std::string base;       ///< "axpy"
  std::string full;       ///< "ns::axpy<double>"
  std::string parameters; ///< types, with template arguments in place: "(double*, double const*, int)"
};

/// Nothing for a name that is not that of a function, mangled as the Itanium ABI does, or is longer than a
/// kernel's would be.
std::optional<DemangledName> demangle(const std::string& entry);

/// True if two names as C++ writes them are the same but for blanks.
bool isSameName(std::string a, std::string b);

/// The one of `entries` that `wanted` names: as it is, or as C++ writes it ("ns::axpy<double>"; blanks do not
/// matter). Throws Error(Usage) if it is none or several; `what` has the entries: "the PTX".
std::string entryOf(const std::string& wanted, const std::vector<std::string>& entries,
                    std::string_view what);

/// The kernel of a cubin that `wanted` names, as entryOf.
const Kernel& kernelOf(const Cubin& cubin, const std::string& wanted);

} // namespace harness
