#include "harness/cli/explanation.h"

namespace harness::cli {

explain::Explanation explainNow(const CellName& name, const explain::BuildHashes& build,
                                const Workspace& workspace) {
  CellResolver resolver(workspace, {workspace.findCase(name.caseId)});
  PlannedCell cell = resolver.resolve({name}).front();
  NoMemory memory;
  Workshop workshop(workspace, memory, {});
  return explain::explainCell(
      cell, build, {workshop.cache, workshop.compiler, workshop.disassembler, workshop.references});
}

} // namespace harness::cli
