#pragma once

#include <string>
#include <string_view>

namespace harness {

/// `case@toolchain/arch/opt`: the notation used everywhere, in input and output.
struct CellName {
  std::string caseId, toolchain, arch, opt;

  std::string str() const;
  /// Throws Error(Usage) that shows the notation.
  static CellName parse(std::string_view text);
  bool operator==(const CellName&) const = default;
};

} // namespace harness
