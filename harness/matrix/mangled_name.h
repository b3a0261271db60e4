#pragma once

#include <optional>
#include <string>

namespace harness {

/// A kernel's entry as C++ writes it.
struct DemangledName {
  std::string base;       ///< "axpy"
  std::string full;       ///< "ns::axpy<double>"
  std::string parameters; ///< types, with template arguments in place: "(double*, double const*, int)"
};

/// Nothing for a name that is not that of a function, mangled as the Itanium ABI does, or is longer than a
/// kernel's would be.
std::optional<DemangledName> demangle(const std::string& entry);

} // namespace harness
