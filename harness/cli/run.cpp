#include "harness/matrix/run.h"

#include "harness/base/log.h"
#include "harness/cli/app.h"
#include "harness/cli/run_record.h"
#include "harness/cli/selection.h"
#include "harness/matrix/matrix_file.h"
#include "harness/matrix/plan.h"
#include "harness/report/query_report.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

namespace harness::cli {

namespace {

struct RunArguments {
  std::string matrix, shard, database;
  Selection selection;
  ExecutorChoice executors;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  unsigned compileSeconds = 120;
  unsigned recompile = 0;
  double cacheGiB = 20;
};

void printList(const char* heading, const std::vector<std::string>& cells) {
  constexpr std::size_t kShown = 20;
  if (cells.empty()) return;
  std::printf("\n%s (%zu):\n", heading, cells.size());
  for (std::size_t i = 0; i < std::min(kShown, cells.size()); ++i)
    std::printf("  %s\n", cells[i].c_str());
  if (cells.size() > kShown) std::printf("  … and %zu more\n", cells.size() - kShown);
}

void printSummary(const RunSummary& summary, Store& store, const std::string& database, double seconds) {
  QueryFilter filter;
  filter.run = summary.run.id;
  filter.limit = summary.run.cells + 1;
  QueryReportOptions report;
  report.color = useColor(STDOUT_FILENO);
  report.width = outputWidth();
  report.limit = filter.limit;
  report.databaseArgument = databaseArgument(database);
  std::printf("%s", renderQuery(store.query(filter), report).c_str());
  printList("REGRESSED", summary.regressed);
  printList("FIXED: expected to fail, and passes", summary.fixed);
  printList("UNDECIDED", summary.undecided);
  std::printf("\n%s, %.1f s\n", summary.describeWork().c_str(), seconds);
  std::printf("database: %s, run %lld\n", database.c_str(), static_cast<long long>(summary.run.id));
}

ExitCode run(const RunArguments& arguments, const Workspace& workspace, const std::string& commandLine) {
  auto start = std::chrono::steady_clock::now();
  MatrixFile matrix = MatrixFile::load(arguments.matrix, workspace.knownArchs());
  std::vector<CaseManifest> cases = workspace.cases();
  std::vector<std::string> ids;
  for (const CaseManifest& manifest : cases)
    ids.push_back(manifest.id);
  PlanFilter filter{arguments.selection.cases, arguments.selection.archs, arguments.selection.opts,
                    std::nullopt};
  if (!arguments.selection.nvcc.empty()) filter.nvcc = VersionRange::parse(arguments.selection.nvcc);
  Shard shard = arguments.shard.empty() ? Shard{} : Shard::parse(arguments.shard);
  CellResolver resolver(workspace, std::move(cases));
  std::vector<CellName> planned = planCells(matrix, ids, filter, shard);
  std::vector<PlannedCell> cells = resolver.resolve(planned);
  // What an expansion lacks is said before the work, not after it.
  if (shard.count == 1) resolver.resolve(planExpansion(matrix, {planned.front().caseId}, filter, planned));

  Store store(arguments.database, Store::Mode::ReadWrite);
  StoreMemory memory(store);
  Judge::Options options;
  options.jobs = arguments.jobs;
  options.recompile = arguments.recompile;
  ExecutorChoice executors = arguments.executors;
  if (executors.names.empty()) executors.names = matrix.executors;
  chooseExecutors(options, executors);
  ProcessLimits compilerLimits;
  compilerLimits.cpu = std::chrono::seconds(arguments.compileSeconds);
  Workshop workshop(workspace, memory, options, compilerLimits);
  RecordedRun recorded(workshop.judge, store, describeRun(workspace, commandLine));
  recorded.judge(cells);
  const std::set<std::string>& failing = recorded.summary().failing;
  if (shard.count == 1)
    recorded.judge(
        resolver.resolve(planExpansion(matrix, {failing.begin(), failing.end()}, filter, planned)));
  RunSummary summary = recorded.finish();
  if (summary.run.compiled + summary.run.executed > 0)
    workshop.cache.prune(static_cast<std::uint64_t>(arguments.cacheGiB * (1 << 30)));
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  printSummary(summary, store, arguments.database, seconds);
  return summary.exitCode();
}

/// CLI::Range lets it through.
std::string refuseNan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "'" + text + "' is no number" : "";
}

} // namespace

void addRun(CLI::App& app, const WorkspaceOptions& options, const std::string& commandLine, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Judge the cells of a matrix and record the verdicts");
  command->add_option("--matrix", arguments->matrix, "The matrix file, e.g. matrix/smoke.json")->required();
  arguments->selection.addTo(*command);
  addExecutorOptions(*command, arguments->executors, "what the matrix says");
  command->add_option("-j,--jobs", arguments->jobs, "Threads (default: one a core)")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--compile-limit", arguments->compileSeconds,
                   "Seconds of processor time a compiler may take before its cell is a timeout")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  addRecompileOption(*command, arguments->recompile);
  command->add_option("--cache-limit", arguments->cacheGiB, "GiB that the artifacts may take after the run")
      ->check(CLI::Range(0.0, 1e6) & CLI::Validator(refuseNan, "", "number"))
      ->capture_default_str();
  command->add_option("--shard", arguments->shard,
                      "I/N: only the I-th of N parts, without what the matrix expands");
  addDatabaseOption(*command, arguments->database);
  command->callback([=, &options, &action] {
    action = [=, &options] { return run(*arguments, Workspace(options), commandLine); };
  });
}

} // namespace harness::cli
