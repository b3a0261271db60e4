#pragma once

#include "harness/base/error.h"
#include "harness/matrix/cell_finding.h"
#include "harness/matrix/judge.h"
#include "harness/store/store.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace harness {

/// Executions remembered in a database.
class StoreMemory : public ExecutionMemory {
public:
  explicit StoreMemory(Store& store) : store_(store) {}
  std::vector<std::optional<ExecutionRecord>> find(const std::vector<std::string>& keys) override {
    return store_.findExecutions(keys);
  }
  void record(const std::vector<ExecutionRecord>& executions) override {
    store_.recordExecutions(executions);
  }

private:
  Store& store_;
};

/// What a run came to.
struct RunSummary {
  RunRecord run;
  std::map<Outcome, std::uint64_t> outcomes;
  std::vector<std::string> regressed, fixed, undecided; ///< cells, in the order of the plan
  /// Cases with a cell that fails, and not by the fault of its source.
  std::set<std::string> failing;

  /// 1 if something regressed, else 4 if something is undecided, else 0.
  ExitCode exitCode() const;
  /// "nothing to compile, nothing to execute", or what was done.
  std::string describeWork() const;
};

/// A run while it goes on: cells are judged in any number of batches, and recorded as they are done. After an
/// interruption or a kill the next run goes on where this one stopped.
class RecordedRun {
public:
  /// `judge` and `store` must outlive it.
  RecordedRun(Judge& judge, Store& store, RunRecord run);

  /// Judges `cells`, arch by arch, and gives what was found of each. Throws Error(Interrupted) after Ctrl-C,
  /// which says that what was recorded is kept.
  std::vector<CellFinding> judge(const std::vector<PlannedCell>& cells);
  /// What it has come to so far.
  const RunSummary& summary() const { return summary_; }
  RunSummary finish();

private:
  std::vector<CellFinding> judgeAll(const std::vector<PlannedCell>& cells);

  Judge& judge_;
  Store& store_;
  RunSummary summary_;
};

} // namespace harness
