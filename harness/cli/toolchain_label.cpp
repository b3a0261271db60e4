#include "harness/cli/toolchain_label.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <vector>

namespace harness::cli {

std::string toolchainOfLabel(const std::string& nameOrLabel, const Workspace& workspace) {
  auto label = Version::parse(nameOrLabel);
  if (!label || label->parts.size() > 2) return nameOrLabel;
  std::vector<std::string> names;
  for (const Toolchain& installed : workspace.toolchains().list())
    if (auto build = Version::parse(installed.name); build && build->startsWith(*label))
      names.push_back(installed.name);
  if (names.size() > 1)
    failUsage("several toolchains are '{0}': {1}; name one", nameOrLabel, join(names, ", "));
  return names.empty() ? nameOrLabel : names.front();
}

} // namespace harness::cli
