#include "harness/cli/explanation.h"

namespace harness::cli {

namespace {

/// Executions are not remembered.
class NoMemory : public ExecutionMemory {
public:
  std::vector<std::optional<ExecutionRecord>> find(const std::vector<std::string>& keys) override {
    return std::vector<std::optional<ExecutionRecord>>(keys.size());
  }
  void record(const std::vector<ExecutionRecord>&) override {}
};

} // namespace

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
