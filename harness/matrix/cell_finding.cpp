#include "harness/matrix/cell_finding.h"

#include "harness/matrix/executor.h"
#include "harness/matrix/finding.h"

#include <nlohmann/json.hpp>

namespace harness {

namespace {

/// PTX that could not be executed, or whose answer is not determined, is neither right nor wrong.
Standing standingOfPtx(const VerdictRecord& ptx) {
  if (ptx.verdict == Verdict::Pass) return Standing::Good;
  bool wrong = ptx.verdict == Verdict::Mismatch || ptx.verdict == Verdict::Fault;
  return wrong && ptx.decides ? Standing::Bad : Standing::Undecided;
}

/// Bad if it is so on one shape, good if it is on all.
Standing standingOfPtx(const CellRecord& cell) {
  bool executed = false, undecided = false;
  for (const VerdictRecord& verdict : cell.verdicts.front()) {
    if (verdict.executor != kPtxExecutor) continue;
    Standing standing = standingOfPtx(verdict);
    if (standing == Standing::Bad) return standing;
    executed = true;
    undecided |= standing == Standing::Undecided;
  }
  return executed && !undecided ? Standing::Good : Standing::Undecided;
}

} // namespace

CellFinding findingOf(const CellRecord& cell) {
  const VerdictRecord& decisive = decisiveVerdict(cell);
  CellFinding finding{decisive.verdict, standingOfPtx(cell), ""};
  if (standingOf(decisive.verdict) != Standing::Undecided) return finding;
  auto details = detailsOf(decisive);
  if (auto message = details.find("message"); message != details.end() && message->is_string())
    finding.reason = message->get<std::string>();
  return finding;
}

} // namespace harness
