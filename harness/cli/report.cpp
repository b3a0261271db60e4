#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/cli/app.h"
#include "harness/cli/page_evidence.h"
#include "harness/cli/selection.h"
#include "harness/report/junit.h"
#include "harness/report/markdown.h"
#include "harness/report/page_html.h"

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

struct ReportArguments {
  std::string database, output;
  std::optional<RowId> run;
  bool html = false, junit = false, markdown = false;
  std::size_t explanations = 50;
};

/// What a report is about.
struct Reported {
  RunRecord run;
  std::optional<RunRecord> before;
  QueryFilter filter;
  std::vector<QueryRow> rows;
};

Reported read(Store& store, const ReportArguments& arguments) {
  std::vector<RunRecord> runs = runsUpTo(arguments.run, store, arguments.database);
  Reported reported;
  reported.run = runs[0];
  if (runs.size() > 1) reported.before = runs[1];
  reported.filter.run = reported.run.id;
  reported.filter.limit = kNoLimit;
  reported.rows = store.query(reported.filter);
  return reported;
}

std::string render(const ReportArguments& arguments, const Workspace& workspace) {
  Store store = openToRead(arguments.database);
  Reported reported = read(store, arguments);
  if (arguments.junit) return renderJunit(reported.run, reported.rows, databaseArgument(arguments.database));
  reported.filter.changed = true;
  std::vector<QueryRow> changed = store.query(reported.filter);
  if (arguments.markdown) return renderRunSummary(reported.run, reported.rows, changed);
  Page page = makePage({reported.run, reported.before, reported.rows, changed, arguments.explanations,
                        databaseArgument(arguments.database)},
                       evidenceFrom(store, workspace));
  Log::clearStatus();
  return renderHtml(page);
}

ExitCode report(const ReportArguments& arguments, const Workspace& workspace) {
  if (!arguments.output.empty()) requireWritable(arguments.output);
  std::string text = render(arguments, workspace);
  if (arguments.output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    writeFileAtomically(arguments.output, text);
    Log::info("wrote " + arguments.output);
  }
  return ExitCode::Ok;
}

} // namespace

void addReport(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "The verdicts of a run as a file for others");
  CLI::Option_group* formats = command->add_option_group("format");
  CLI::Option* html = formats->add_flag("--html", arguments->html,
                                        "One page with all of it, which needs nothing but a browser");
  formats->add_flag("--junit", arguments->junit, "JUnit XML: a suite a case, a test a cell");
  formats->add_flag("--markdown", arguments->markdown, "A page for people");
  formats->require_option(1);
  command->add_option("-o,--output", arguments->output, "The file to write (default: stdout)");
  command
      ->add_option("--explain", arguments->explanations,
                   "How many wrong cells the page explains at most; each takes about a second")
      ->needs(html)
      ->capture_default_str();
  command->add_option("--run", arguments->run, "Which run (default: the newest)");
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return report(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli
