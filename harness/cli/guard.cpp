#include "harness/report/guard.h"

#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/selection.h"
#include "harness/report/guard_conditions.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace harness::cli {

namespace {

struct GuardArguments {
  std::string subject, database, form, format = "text";
  bool unlimited = false;
};

/// An id is taken as it is: the database may know cases that the checkout no longer has.
std::string caseIdOf(const std::string& subject, const Workspace& workspace) {
  return subject.find('/') == std::string::npos ? subject : workspace.findCase(subject).id;
}

/// Releases that could be measured. Without a checkout none is known.
std::vector<Version> releases(const Workspace& workspace) {
  try {
    return workspace.releases();
  } catch (const Error&) {
    return {};
  }
}

std::vector<GuardCell> cellsOf(Store& store, const std::string& caseId) {
  QueryFilter filter;
  filter.caseId = {caseId};
  std::map<std::string, std::pair<Version, Version>> builds; // front end and ptxas, by toolchain
  std::vector<GuardCell> cells;
  for (const StandingRow& row : store.standings(filter)) {
    auto [found, isNew] = builds.try_emplace(row.toolchain);
    if (isNew) {
      std::optional<CellRecord> record = store.cell(row.caseId, row.toolchain, row.arch, row.opt);
      std::optional<Version> frontEnd, ptxas;
      if (record) {
        frontEnd = Version::parse(record->toolchain.frontEndBuild);
        ptxas = Version::parse(record->toolchain.ptxasBuild);
      }
      if (!frontEnd || !ptxas)
        failUsage("the database does not say which builds toolchain '{0}' is made of", row.toolchain);
      found->second = {*frontEnd, *ptxas};
    }
    cells.push_back({row.toolchain, found->second.first, found->second.second, row.arch, row.opt, row.verdict,
                     row.blame});
  }
  return cells;
}

std::string textOf(const Guard& guard, const std::string& form) {
  if (guard.rules.empty() || form.empty()) return renderGuard(guard);
  if (form == "preprocessor") return preprocessorGuard(guard);
  return form == "cmake" ? cmakeGuard(guard) : pythonGuard(guard);
}

ExitCode guardCase(const GuardArguments& arguments, const Workspace& workspace) {
  if (arguments.format != "text" && arguments.format != "json")
    failUsage("'{0}' is no format: text, json", arguments.format);
  const std::vector<std::string> forms{"", "preprocessor", "cmake", "python"};
  if (std::find(forms.begin(), forms.end(), arguments.form) == forms.end())
    failUsage("'{0}' is no form of a guard: preprocessor, cmake, python", arguments.form);
  std::string caseId = caseIdOf(arguments.subject, workspace);
  Store store = openToRead(arguments.database);
  std::vector<GuardCell> cells = cellsOf(store, caseId);
  if (cells.empty()) workspace.findCase(caseId); // says so if it is no case at all
  Guard guard = findGuard(caseId, cells, {releases(workspace), arguments.unlimited});
  if (guard.toolchains.empty())
    failUsage("'{0}' knows no verdict of case '{1}'; measure it with\n  harness run --matrix FILE --case {1} "
              "--db {0}",
              arguments.database, caseId);
  std::string text =
      arguments.format == "json" ? guardJson(guard).dump(2) + "\n" : textOf(guard, arguments.form);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::Ok;
}

} // namespace

void addGuard(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<GuardArguments>();
  CLI::App* command = app.add_subcommand(
      "guard", "The condition that selects the compilers a case is wrong with, for C, CMake and Python");
  command->add_option("case", arguments->subject, "A case, or the path of a case.json")->required();
  command->add_option("--form", arguments->form, "Only preprocessor, cmake or python (default: all)");
  command->add_flag("--no-end", arguments->unlimited,
                    "Where the newest toolchain measured is bad, guard all newer ones too");
  command->add_option("--format", arguments->format, "text, json")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback([=, &options, &action] {
    action = [=, &options] { return guardCase(*arguments, Workspace(options)); };
  });
}

} // namespace harness::cli
