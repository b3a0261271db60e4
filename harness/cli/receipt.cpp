#include "harness/report/receipt.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/run_record.h"
#include "harness/cli/selection.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

struct ReceiptArguments {
  Selection selection;
  std::string database, output, more;
};

/// The text of a JSON file.
std::string readJson(const std::string& path) {
  std::string text = readFile(path);
  if (!nlohmann::json::accept(text)) failUsage("'{0}' is no JSON", path);
  return text;
}

ExitCode receipt(const ReceiptArguments& arguments, const Workspace& workspace) {
  std::string more = arguments.more.empty() ? "" : readJson(arguments.more);
  requireWritable(arguments.output);
  Store store = openToRead(arguments.database);
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  Receipt made = makeReceipt(store, arguments.selection.filter(), [&cache](const std::string& hash) {
    return cache.getArtifact(hash).value_or("");
  });
  writeFileAtomically(arguments.output, renderReceipt(made, split(nowUtc(), 'T').front(),
                                                      describeRun(workspace, "").revision, more));
  std::printf("%llu launches of %llu cells: %llu equal, %llu as in another order, %llu within an ulp, %zu "
              "different\n",
              static_cast<unsigned long long>(made.launches), static_cast<unsigned long long>(made.cells),
              static_cast<unsigned long long>(made.equal),
              static_cast<unsigned long long>(made.inAnotherOrder),
              static_cast<unsigned long long>(made.withinAnUlp), made.differences.size());
  std::size_t open = 0;
  for (const ReceiptDifference& one : made.differences) {
    open += one.settled.empty();
    std::printf("  %s%s%s: %s; %s\n", one.cell.c_str(), one.shape.empty() ? "" : " on ", one.shape.c_str(),
                one.first.c_str(), one.settled.empty() ? "open" : one.settled.c_str());
  }
  for (const auto& [reason, cells] : made.notCompared)
    std::printf("  not compared: %llu cells, %s\n", static_cast<unsigned long long>(cells), reason.c_str());
  std::printf("wrote %s\n", arguments.output.c_str());
  return open ? ExitCode::Regressed : ExitCode::Ok;
}

} // namespace

void addReceipt(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ReceiptArguments>();
  CLI::App* command = app.add_subcommand(
      "receipt", "How far a real device and the execution on the CPU agree, from what was executed on both; "
                 "exits with 1 if a difference is not settled");
  arguments->selection.addTo(*command);
  command->add_option("-o,--output", arguments->output, "The file to write")->required();
  command->add_option("--more", arguments->more, "A JSON file that becomes a part of it");
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return receipt(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli
