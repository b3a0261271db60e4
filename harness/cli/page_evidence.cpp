#include "harness/cli/page_evidence.h"

#include "harness/base/error.h"
#include "harness/base/log.h"
#include "harness/cli/explanation.h"

namespace harness::cli {

namespace {

void explainInto(CellEvidence& evidence, const CellName& name, const BuildRecord& build,
                 const Workspace& workspace) {
  Log::status("explaining " + name.str());
  try {
    evidence.explanation = toText(explainNow(name, {build.ptxHash, build.cubinHash}, workspace));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
    evidence.noExplanation = error.what();
  }
}

CellEvidence evidenceOf(const QueryRow& row, bool explain, Store& store, const Workspace& workspace) {
  CellEvidence evidence;
  auto cell = store.cell(row.caseId, row.toolchain, row.arch, row.opt);
  if (!cell) return evidence;
  evidence.title = cell->source.title;
  const VerdictRecord& decisive = decisiveVerdict(*cell);
  if (decisive.verdict != row.verdict || totalsOf(*cell).bad != row.bad ||
      decisive.firstBad != row.firstBad) {
    evidence.noExplanation = "the cell was judged again since, with another result";
    return evidence;
  }
  const BuildRecord& build = cell->builds[decisiveBuild(*cell)];
  evidence.commands = {build.frontEndCommand, build.ptxasCommand};
  evidence.log = build.log;
  if (explain) explainInto(evidence, {row.caseId, row.toolchain, row.arch, row.opt}, build, workspace);
  return evidence;
}

} // namespace

EvidenceSource evidenceFrom(Store& store, const Workspace& workspace) {
  return [&](const QueryRow& row, bool explain) { return evidenceOf(row, explain, store, workspace); };
}

} // namespace harness::cli
