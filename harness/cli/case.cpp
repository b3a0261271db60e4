#include "harness/cli/case_commands.h"
#include "harness/report/table.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

ExitCode list(const Workspace& workspace, const std::string& format) {
  std::vector<CaseManifest> cases = workspace.cases();
  if (format == "json") {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const CaseManifest& manifest : cases)
      rows.push_back({{"case", manifest.id},
                      {"title", manifest.title},
                      {"kernel", manifest.kernel},
                      {"shapes", manifest.shapes.size()},
                      {"expectations", manifest.expect.size()}});
    std::printf("%s\n", rows.dump(2).c_str());
    return ExitCode::Ok;
  }
  if (format != "table") failUsage("'{0}' is no format: table, json", format);
  Table table({"case", "shapes", "title"});
  for (const CaseManifest& manifest : cases)
    table.add({manifest.id, std::to_string(manifest.shapes.size()), printable(manifest.title)});
  std::printf("%s", table.render({}).c_str());
  return ExitCode::Ok;
}

} // namespace

void addCase(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  CLI::App* command = app.add_subcommand("case", "The cases of the checkout");
  command->require_subcommand(1);
  auto format = std::make_shared<std::string>("table");
  CLI::App* listCommand = command->add_subcommand("list", "All cases");
  listCommand->add_option("--format", *format, "table, json")->capture_default_str();
  listCommand->callback(
      [=, &options, &action] { action = [=, &options] { return list(Workspace(options), *format); }; });
  addCaseNew(*command, options, action);
  addCaseValidate(*command, options, action);
}

} // namespace harness::cli
