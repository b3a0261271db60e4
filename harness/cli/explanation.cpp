#include "harness/cli/explanation.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <algorithm>

namespace harness::cli {

namespace {

void requireArch(const PlannedCell& cell) {
  const std::vector<std::string>& archs = cell.toolchain->ptxas.archs;
  if (std::find(archs.begin(), archs.end(), cell.name.arch) != archs.end()) return;
  std::string near = nearest(cell.name.arch, archs);
  failUsage("ptxas {0} knows no architecture '{1}'{2}", cell.toolchain->ptxas.build.str(), cell.name.arch,
            near.empty() ? "; it knows " + join(archs, ", ") : " (did you mean '" + near + "'?)");
}

} // namespace

explain::Explanation explainNow(const CellName& name, const explain::BuildHashes& build,
                                const Workspace& workspace) {
  CellResolver resolver(workspace, {workspace.findCase(name.caseId)});
  PlannedCell cell = resolver.resolve({name}).front();
  requireArch(cell);
  NoMemory memory;
  Workshop workshop(workspace, memory, {});
  return explain::explainCell(
      cell, build, {workshop.cache, workshop.compiler, workshop.disassembler, workshop.references});
}

} // namespace harness::cli
