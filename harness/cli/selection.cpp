#include "harness/cli/selection.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/cli/workspace.h"
#include "harness/toolchain/names.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

namespace harness::cli {

namespace {
constexpr const char* kDatabase = "harness.db"; // in the current directory
constexpr const char* kDatabaseVariable = "HARNESS_DB";
} // namespace

void Selection::addTo(CLI::App& command) {
  command.add_option("--nvcc", nvcc,
                     "Toolchains: a build (13.0.88), a label (13.0), a list, or a range (>=13.0,<13.4)");
  command.add_option("--case", cases, "Cases: a glob, may be repeated")->allow_extra_args(false);
  command.add_option("--arch", archs, "Architectures: a glob (sm_90a, 'sm_12*'), may be repeated")
      ->allow_extra_args(false);
  command.add_option("--opt", opts, "Points of the options axis: a glob (O3), may be repeated")
      ->allow_extra_args(false);
}

QueryFilter Selection::filter() const {
  QueryFilter filter;
  if (!nvcc.empty()) filter.nvcc = VersionRange::parse(nvcc);
  filter.caseId = cases;
  filter.arch = archs;
  filter.opt = opts;
  return filter;
}

std::vector<std::string> unknownParts(const Selection& selection, Store& store, const std::string& database) {
  RecordedNames recorded = store.names();
  std::vector<std::string> lines;
  auto add = [&](const char* kind, const std::string& wanted, const std::string& hint) {
    lines.push_back("'" + database + "' has no cell of " + kind + " '" + wanted + "'" + hint);
  };
  auto look = [&](const char* kind, const std::vector<std::string>& globs,
                  const std::vector<std::string>& names) {
    for (const std::string& glob : globs)
      if (std::none_of(names.begin(), names.end(),
                       [&](const std::string& name) { return globMatch(glob, name); }))
        add(kind, glob, namesHint(glob, names));
  };
  look("case", selection.cases, recorded.cases);
  look("architecture", selection.archs, recorded.archs);
  look("opt", selection.opts, recorded.opts);
  if (selection.nvcc.empty()) return lines;
  QueryFilter filter;
  filter.nvcc = VersionRange::parse(selection.nvcc);
  filter.limit = 1;
  if (!store.query(filter).empty()) return lines;
  std::string near = nearestToolchain(selection.nvcc, recorded.toolchains);
  add("toolchain", selection.nvcc,
      near.empty() ? namesHint(selection.nvcc, recorded.toolchains) : " (the nearest is '" + near + "')");
  return lines;
}

void addExecutorOptions(CLI::App& command, ExecutorChoice& choice, const std::string& byDefault) {
  command
      .add_option("--executor", choice.names,
                  "What to execute, separated by commas: sass (machine code on the CPU), ptx, gpu (machine "
                  "code on the devices of this machine); default: " +
                      byDefault)
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--repeat", choice.repeats,
                  "Execute N times on a device: what does not always come out the same is flaky")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--device-limit", choice.launchSeconds,
                  "Seconds that a launch on a device may take before it is a timeout")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
}

void addRecompileOption(CLI::App& command, unsigned& attempts) {
  command
      .add_option(
          "--recompile", attempts,
          "Compile each cell N times more, in memory filled otherwise, and judge every different build")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
}

void addDatabaseOption(CLI::App& command, std::string& database) {
  database = kDatabase;
  command.add_option("--db", database, "The database")->envname(kDatabaseVariable)->capture_default_str();
}

std::string databaseArgument(const std::string& database) {
  const char* variable = std::getenv(kDatabaseVariable);
  if (database == (variable && *variable ? variable : kDatabase)) return "";
  return " --db " + shellCommand(std::span(&database, 1));
}

Store openToRead(const std::string& database) {
  if (!std::filesystem::exists(database))
    failUsage("there is no database '{0}'; 'harness run --matrix FILE --db {0}' makes one", database);
  return Store(database, Store::Mode::ReadOnly);
}

std::vector<RunRecord> runsUpTo(std::optional<RowId> last, Store& store, const std::string& database) {
  std::vector<RunRecord> runs = store.runs(kNoLimit);
  if (runs.empty()) failUsage("'{0}' holds no run; 'harness run --matrix FILE --db {0}' makes one", database);
  if (!last) return runs;
  RowId newest = runs.front().id;
  auto isLast = [&](const RunRecord& run) { return run.id == *last; };
  runs.erase(runs.begin(), std::find_if(runs.begin(), runs.end(), isLast));
  if (runs.empty()) failUsage("'{0}' holds no run {1}; its newest is {2}", database, *last, newest);
  return runs;
}

std::size_t outputWidth() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

} // namespace harness::cli
