#include "harness/cli/explanation.h"

#include "harness/base/error.h"
#include "harness/toolchain/names.h"

namespace harness::cli {

namespace {

void requireArch(const PlannedCell& cell) {
  if (cell.toolchain->knowsArch(cell.name.arch)) return;
  failUsage("ptxas {0} knows no architecture '{1}'{2}", cell.toolchain->ptxas.build.str(), cell.name.arch,
            nearestArchsHint(cell.name.arch, cell.toolchain->ptxas.archs));
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
