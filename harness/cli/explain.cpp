#include "harness/cli/app.h"
#include "harness/cli/explanation.h"
#include "harness/cli/selection.h"
#include "harness/cli/stored_cell.h"
#include "harness/cli/toolchain_label.h"
#include "harness/matrix/cell.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace harness::cli {

namespace {

struct ExplainArguments {
  std::string cell, database, format = "text";
};

/// The build that the verdict in the database is about; nothing if there is no database, or it does not know
/// the cell.
explain::BuildHashes judgedBuild(const std::string& database, const CellName& name) {
  std::error_code ec;
  if (!std::filesystem::exists(database, ec)) return {};
  Store store = openToRead(database);
  auto cell = storedCell(store, name, database);
  if (!cell) return {};
  const BuildRecord& build = cell->builds[decisiveBuild(*cell)];
  return {build.ptxHash, build.cubinHash};
}

ExitCode explainCell(const ExplainArguments& arguments, const Workspace& workspace) {
  if (arguments.format != "text" && arguments.format != "json")
    failUsage("'{0}' is no format: text, json", arguments.format);
  CellName name = CellName::parse(arguments.cell);
  name.toolchain = toolchainOfLabel(name.toolchain, workspace);
  explain::Explanation explanation = explainNow(name, judgedBuild(arguments.database, name), workspace);
  std::string text =
      arguments.format == "json" ? toJson(explanation) + "\n" : toText(explanation, outputWidth());
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::Ok;
}

} // namespace

void addExplain(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "From a cell's first wrong byte back through SASS and PTX to the instruction where they part");
  command->add_option("cell", arguments->cell, "A CELL")->required();
  command->add_option("--format", arguments->format, "text, json")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback([=, &options, &action] {
    action = [=, &options] { return explainCell(*arguments, Workspace(options)); };
  });
}

} // namespace harness::cli
