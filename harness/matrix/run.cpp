#include "harness/matrix/run.h"

#include "harness/base/error.h"
#include "harness/base/log.h"
#include "harness/base/text.h"

#include <algorithm>
#include <chrono>

namespace harness {

namespace {

/// At most this many cells are held at once.
constexpr std::size_t kChunkCells = 4096;

/// True for what a compiler can have done: not for what it refused, nobody could judge, or the case says is
/// its source's own doing.
bool failsByCompiler(const CellRecord& record, const VerdictRecord& decisive) {
  bool declared = decisive.outcome == Outcome::Expected && record.expectedBlame == toString(Blame::Source);
  return decisive.verdict <= Verdict::IllegalEncoding && decisive.verdict != Verdict::Approximate &&
         decisive.blame != Blame::Source && !declared;
}

void tally(const PlannedCell& cell, const CellRecord& record, RunSummary& summary) {
  const VerdictRecord& decisive = decisiveVerdict(record);
  if (failsByCompiler(record, decisive)) summary.failing.insert(cell.name.caseId);
  Outcome outcome = decisive.outcome;
  ++summary.outcomes[outcome];
  if (outcome == Outcome::Regressed) summary.regressed.push_back(cell.name.str());
  if (outcome == Outcome::Fixed) summary.fixed.push_back(cell.name.str());
  if (outcome == Outcome::Undecided) summary.undecided.push_back(cell.name.str());
}

} // namespace

ExitCode RunSummary::exitCode() const {
  if (!regressed.empty()) return ExitCode::Regressed;
  return undecided.empty() ? ExitCode::Ok : ExitCode::Undecided;
}

std::string RunSummary::describeWork() const {
  if (run.compiled + run.disassembled + run.executed == 0)
    return llvm::formatv("nothing to compile, nothing to execute: {0} cells unchanged", run.cells).str();
  return llvm::formatv("{0} cells: {1} compilations, {2} starts of nvdisasm, {3} executions", run.cells,
                       run.compiled, run.disassembled, run.executed)
      .str();
}

RecordedRun::RecordedRun(Judge& judge, Store& store, RunRecord run) : judge_(judge), store_(store) {
  run.started = nowUtc();
  run.id = store_.beginRun(run);
  summary_.run = std::move(run);
}

std::vector<CellFinding> RecordedRun::judge(const std::vector<PlannedCell>& cells) {
  try {
    return judgeAll(cells);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Interrupted) throw;
    throw Error(ErrorKind::Interrupted, std::string(error.what()) + "; what was recorded is kept");
  }
}

std::vector<CellFinding> RecordedRun::judgeAll(const std::vector<PlannedCell>& cells) {
  std::map<std::string, std::vector<std::size_t>> byArch;
  for (std::size_t i = 0; i < cells.size(); ++i)
    byArch[cells[i].name.arch].push_back(i);
  RunRecord& run = summary_.run;
  std::uint64_t all = run.cells + cells.size();
  std::vector<CellFinding> findings(cells.size());
  for (const auto& [arch, group] : byArch) {
    for (std::size_t from = 0; from < group.size(); from += kChunkCells) {
      throwIfInterrupted();
      Log::status(llvm::formatv("[{0}/{1}] {2}", run.cells, all, arch).str());
      std::size_t to = std::min(group.size(), from + kChunkCells);
      std::vector<PlannedCell> chunk;
      for (std::size_t k = from; k < to; ++k)
        chunk.push_back(cells[group[k]]);
      std::vector<CellRecord> records = judge_.judge(chunk);
      store_.recordCells(run.id, records);
      run.cells += chunk.size();
      for (std::size_t k = 0; k < chunk.size(); ++k) {
        tally(chunk[k], records[k], summary_);
        findings[group[from + k]] = findingOf(records[k]);
      }
    }
  }
  Log::clearStatus();
  return findings;
}

RunSummary RecordedRun::finish() {
  RunRecord& run = summary_.run;
  run.compiled = judge_.work().compiled;
  run.disassembled = judge_.work().disassembled;
  run.executed = judge_.work().executed;
  run.finished = nowUtc();
  store_.finishRun(run);
  return std::move(summary_);
}

} // namespace harness
