#include "harness/matrix/run.h"

#include "harness/base/error.h"
#include "harness/base/log.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace harness {

namespace {

std::string nowUtc() {
  std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// At most this many cells are held at once.
constexpr std::size_t kChunkCells = 4096;

void tally(const PlannedCell& cell, const CellRecord& record, RunSummary& summary) {
  Outcome outcome = decisiveVerdict(record).outcome;
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

RunSummary runCells(const std::vector<PlannedCell>& cells, Judge& judge, Store& store, RunRecord run) {
  std::map<std::string, std::vector<PlannedCell>> byArch;
  for (const PlannedCell& cell : cells)
    byArch[cell.name.arch].push_back(cell);

  RunSummary summary;
  run.started = nowUtc();
  run.id = store.beginRun(run);
  for (const auto& [arch, group] : byArch) {
    for (std::size_t from = 0; from < group.size(); from += kChunkCells) {
      throwIfInterrupted();
      Log::status(llvm::formatv("[{0}/{1}] {2}", run.cells, cells.size(), arch).str());
      std::vector<PlannedCell> chunk(
          group.begin() + static_cast<std::ptrdiff_t>(from),
          group.begin() + static_cast<std::ptrdiff_t>(std::min(group.size(), from + kChunkCells)));
      std::vector<CellRecord> records = judge.judge(chunk);
      store.recordCells(run.id, records);
      run.cells += chunk.size();
      for (std::size_t i = 0; i < chunk.size(); ++i)
        tally(chunk[i], records[i], summary);
    }
  }
  run.compiled = judge.work().compiled;
  run.disassembled = judge.work().disassembled;
  run.executed = judge.work().executed;
  run.finished = nowUtc();
  store.finishRun(run);
  Log::clearStatus();
  summary.run = std::move(run);
  return summary;
}

} // namespace harness
