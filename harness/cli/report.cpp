#include "harness/cli/app.h"
#include "harness/cli/selection.h"
#include "harness/report/junit.h"
#include "harness/report/markdown.h"

#include <cstdio>
#include <limits>
#include <memory>

namespace harness::cli {

namespace {

struct ReportArguments {
  std::string database;
  std::optional<RowId> run;
  bool junit = false, markdown = false;
};

ExitCode report(const ReportArguments& arguments) {
  Store store = openToRead(arguments.database);
  std::vector<RunRecord> runs = store.runs(arguments.run ? std::numeric_limits<std::int32_t>::max() : 1);
  auto wanted = runs.begin();
  while (arguments.run && wanted != runs.end() && wanted->id != *arguments.run)
    ++wanted;
  if (wanted == runs.end()) failUsage("'{0}' holds no such run", arguments.database);
  QueryFilter filter;
  filter.run = wanted->id;
  filter.limit = std::numeric_limits<std::int32_t>::max();
  std::vector<QueryRow> rows = store.query(filter);
  std::string text;
  if (arguments.junit) {
    text = renderJunit(rows);
  } else {
    filter.changed = true;
    text = renderRunSummary(*wanted, rows, store.query(filter));
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::Ok;
}

} // namespace

void addReport(CLI::App& app, const WorkspaceOptions&, Action& action) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "The verdicts of a run as a file for others");
  CLI::Option_group* formats = command->add_option_group("format");
  formats->add_flag("--junit", arguments->junit, "JUnit XML: a suite a case, a test a cell");
  formats->add_flag("--markdown", arguments->markdown, "A page for people");
  formats->require_option(1);
  command->add_option("--run", arguments->run, "Which run (default: the newest)");
  addDatabaseOption(*command, arguments->database);
  command->callback([=, &action] { action = [=] { return report(*arguments); }; });
}

} // namespace harness::cli
