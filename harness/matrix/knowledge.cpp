#include "harness/matrix/knowledge.h"

#include "harness/compile/source_tree.h"
#include "harness/matrix/executor_version.h"
#include "harness/matrix/gpu_executor_version.h"
#include "harness/matrix/ptx_executor_version.h"
#include "harness/matrix/run.h"
#include "harness/matrix/shape_launch.h"

#include <algorithm>

namespace harness {

namespace {

bool sameFiles(const SourceRecord& a, const SourceRecord& b) {
  return a.sourceHash == b.sourceHash && a.manifestHash == b.manifestHash &&
         a.referenceHash == b.referenceHash;
}

bool sameCompilers(const ToolchainRecord& a, const ToolchainRecord& b) {
  return a.frontEndIdentity == b.frontEndIdentity && a.ptxasSha256 == b.ptxasSha256;
}

} // namespace

std::optional<CellFinding> Knowledge::findingOf(const PlannedCell& cell) {
  const CellName& name = cell.name;
  std::optional<CellRecord> record = store_.cell(name.caseId, name.toolchain, name.arch, name.opt);
  if (!record) return std::nullopt;
  const std::optional<SourceRecord>& source = sourceOf(*cell.manifest);
  if (!source || !sameFiles(record->source, *source)) return std::nullopt;
  if (!sameCompilers(record->toolchain, recordOf(*cell.toolchain)) || !isOfThisExecutor(*record))
    return std::nullopt;
  CellFinding finding = harness::findingOf(*record);
  if (finding.verdict == Verdict::InfraError) return std::nullopt; // the machine may be well again
  return finding;
}

const std::optional<SourceRecord>& Knowledge::sourceOf(const CaseManifest& manifest) {
  auto [found, isNew] = sources_.try_emplace(&manifest);
  if (isNew && SourceTree::collect(manifest.source).files().size() == 1) found->second = recordOf(manifest);
  return found->second;
}

bool Knowledge::isOfThisExecutor(const CellRecord& record) {
  std::vector<std::string> keys;
  for (const auto& build : record.verdicts)
    for (const VerdictRecord& verdict : build)
      if (!verdict.executionKeys.empty()) keys.push_back(verdict.executionKeys.front());
  std::vector<std::optional<ExecutionRecord>> executions = store_.findExecutions(keys);
  return std::all_of(executions.begin(), executions.end(), [](const auto& execution) {
    if (!execution) return false;
    if (execution->executor == kGpuExecutor) return execution->executorVersion.ends_with(kGpuExecutorVersion);
    bool isPtx = execution->executor == kPtxExecutor;
    return execution->executorVersion == (isPtx ? kPtxExecutorVersion : kSassExecutorVersion);
  });
}

} // namespace harness
