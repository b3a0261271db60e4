#include "harness/base/log.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/selection.h"
#include "harness/report/history_report.h"
#include "harness/report/query_report.h"

#include <llvm/Support/FormatVariadic.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <set>

namespace harness::cli {

namespace {

struct QueryArguments {
  Selection selection;
  std::string database, verdict, blame, format = "table";
  std::optional<RowId> run;
  bool history = false, changed = false, all = false;
  std::optional<std::size_t> limit;
};

/// The names of an enumeration that begins with 0 and ends with `last`.
template <typename Enum> std::string namesUpTo(Enum last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    names.emplace_back(toString(static_cast<Enum>(i)));
  return join(names, ", ");
}

QueryFilter filterOf(const QueryArguments& arguments) {
  QueryFilter filter = arguments.selection.filter();
  if (!arguments.verdict.empty()) {
    filter.verdict = parseVerdict(arguments.verdict);
    if (!filter.verdict) failUsage("'{0}' is no verdict: {1}", arguments.verdict, namesUpTo(Verdict::Pass));
  }
  if (!arguments.blame.empty()) {
    filter.blame = parseBlame(arguments.blame);
    if (!filter.blame) failUsage("'{0}' is no blame: {1}", arguments.blame, namesUpTo(Blame::None));
  }
  filter.run = arguments.run;
  filter.changed = arguments.changed;
  // A history is short however many cells it tells of: cells that agree share a line.
  if (arguments.limit || arguments.history) filter.limit = arguments.limit.value_or(kNoLimit);
  return filter;
}

/// The history of the cells asked for, beside how their cases stand on every toolchain.
std::string renderStory(Store& store, const QueryFilter& filter, const QueryReportOptions& options) {
  std::vector<HistoryRow> history = store.history(filter);
  std::set<std::string> cases;
  for (const HistoryRow& row : history)
    cases.insert(row.caseId);
  QueryFilter everywhere;
  everywhere.caseId.assign(cases.begin(), cases.end());
  everywhere.arch = filter.arch;
  everywhere.opt = filter.opt;
  return renderHistory(history, cases.empty() ? std::vector<StandingRow>() : store.standings(everywhere),
                       options);
}

/// Of the run asked for, or the newest.
void warnIfUnfinished(std::optional<RowId> wanted, Store& store, const std::string& database) {
  std::vector<RunRecord> runs = wanted ? runsUpTo(wanted, store, database) : store.runs(1);
  if (runs.empty() || !runs.front().finished.empty()) return;
  Log::warning(
      llvm::formatv("run {0} is not finished: it runs still, or was ended; cells that it did not come to "
                    "are as they were before",
                    runs.front().id)
          .str());
}

ExitCode query(const QueryArguments& arguments) {
  QueryFilter filter = filterOf(arguments);
  QueryReportOptions options;
  auto format = parseQueryFormat(arguments.format);
  if (!format) failUsage("'{0}' is no format: table, json, csv, md", arguments.format);
  options.format = *format;
  options.everyCell = arguments.all;
  options.changes = arguments.changed;
  options.color = useColor(STDOUT_FILENO);
  options.width = outputWidth();
  options.limit = filter.limit;
  options.databaseArgument = databaseArgument(arguments.database);
  Store store = openToRead(arguments.database);
  warnIfUnfinished(filter.run, store, arguments.database);
  for (const std::string& line : unknownParts(arguments.selection, store, arguments.database))
    Log::warning(line);
  std::string text =
      arguments.history ? renderStory(store, filter, options) : renderQuery(store.query(filter), options);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::Ok;
}

} // namespace

void addQuery(CLI::App& app, const WorkspaceOptions&, Action& action) {
  auto arguments = std::make_shared<QueryArguments>();
  CLI::App* command = app.add_subcommand("query", "What is known of cells");
  arguments->selection.addTo(*command);
  command->add_option("--verdict", arguments->verdict,
                      "fault, mismatch, flaky, schedule-dependent, hazard, approximate, timeout, ice,\n"
                      "illegal-encoding, compile-error, infra-error, unsupported, skipped, pass");
  command->add_option("--blame", arguments->blame,
                      "front-end, ptxas, source, hardware-or-executor, unknown, none");
  command->add_option("--run", arguments->run, "As that run found them");
  CLI::Option* history = command->add_flag("--history", arguments->history,
                                           "Where verdicts began and ended, by toolchain and by run");
  command
      ->add_flag("--changed", arguments->changed,
                 "Only cells whose verdict is another than before, and new ones")
      ->excludes(history);
  command->add_flag("--all", arguments->all, "A line a cell; otherwise cells that agree share a line");
  command->add_option("--limit", arguments->limit, "Cells at most (default: 1000, with --history all)")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--format", arguments->format, "table, json, csv, md")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback([=, &action] { action = [=] { return query(*arguments); }; });
}

} // namespace harness::cli
