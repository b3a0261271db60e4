#include "harness/matrix/cell.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <algorithm>

namespace harness {

std::string CellName::str() const {
  return caseId + "@" + toolchain + "/" + arch + "/" + opt;
}

CellName CellName::parse(std::string_view text) {
  std::vector<std::string> ends = split(text, '@');
  std::vector<std::string> parts = split(ends.back(), '/');
  if (ends.size() == 2) parts.insert(parts.begin(), ends.front());
  bool complete = std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.empty() || part.find_first_of("/ \t\n") != std::string::npos;
  });
  if (ends.size() != 2 || parts.size() != 4 || !complete)
    failUsage(
        "'{0}' is no cell; a cell is written case@toolchain/arch/opt, as in halfstore@13.0.88/sm_120a/O3",
        text);
  return {parts[0], parts[1], parts[2], parts[3]};
}

} // namespace harness
