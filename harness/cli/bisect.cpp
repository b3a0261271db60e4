#include "harness/matrix/bisect.h"

#include "harness/base/log.h"
#include "harness/cli/app.h"
#include "harness/cli/run_record.h"
#include "harness/cli/selection.h"
#include "harness/matrix/knowledge.h"
#include "harness/matrix/run.h"
#include "harness/report/bisect_report.h"
#include "harness/toolchain/names.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <thread>

namespace harness::cli {

namespace {

struct BisectArguments {
  std::string subject, nvcc, arch, opt, database, format = "text";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool all = false;
};

/// Cells that are judged as `run` does and recorded, all in one run, which begins with the first of them.
class RecordedCells : public CellSource {
public:
  RecordedCells(const Workspace& workspace, const CaseManifest& manifest, Store& store, unsigned jobs,
                std::string commandLine)
      : workspace_(workspace), resolver_(workspace, {manifest}), store_(store), knowledge_(store),
        jobs_(jobs), commandLine_(std::move(commandLine)) {}

  std::optional<CellFinding> known(const CellName& cell) override {
    return knowledge_.findingOf(resolver_.resolve({cell}).front());
  }

  std::vector<CellFinding> judge(const std::vector<CellName>& cells) override {
    if (!bench_) bench_ = std::make_unique<Bench>(*this);
    return bench_->run.judge(resolver_.resolve(cells));
  }

  void finish() {
    if (bench_) bench_->run.finish();
  }

private:
  struct Bench {
    explicit Bench(RecordedCells& cells)
        : memory(cells.store_), workshop(cells.workspace_, memory, optionsFor(cells.jobs_)),
          run(workshop.judge, cells.store_, describeRun(cells.workspace_, cells.commandLine_)) {}

    static Judge::Options optionsFor(unsigned jobs) {
      Judge::Options options;
      options.jobs = jobs;
      return options;
    }

    StoreMemory memory;
    Workshop workshop;
    RecordedRun run;
  };

  const Workspace& workspace_;
  CellResolver resolver_;
  Store& store_;
  Knowledge knowledge_;
  unsigned jobs_;
  std::string commandLine_;
  std::unique_ptr<Bench> bench_;
};

std::vector<std::string> executableArchs(const Toolchain& toolchain) {
  std::vector<std::string> archs;
  std::copy_if(toolchain.ptxas.archs.begin(), toolchain.ptxas.archs.end(), std::back_inserter(archs),
               isExecutableArch);
  return archs;
}

/// The toolchains of that range. An NVRTC twin is left out where its release is there with its own compiler.
Axis axisOf(const Workspace& workspace, const std::string& nvcc) {
  std::optional<VersionRange> range;
  if (!nvcc.empty()) range = VersionRange::parse(nvcc);
  auto wanted = [&](const Version& build) { return !range || range->contains(build); };
  Axis axis;
  std::vector<Toolchain> installed = workspace.toolchains().list();
  for (const Toolchain& toolchain : installed) {
    bool twin = toolchain.name.starts_with("nvrtc-") &&
                std::any_of(installed.begin(), installed.end(), [&](const Toolchain& other) {
                  return other.name != toolchain.name && other.ptxas.build == toolchain.ptxas.build;
                });
    if (!twin && wanted(toolchain.ptxas.build))
      axis.installed.push_back({toolchain.name, toolchain.ptxas.build, executableArchs(toolchain)});
  }
  if (installed.empty())
    failEnvironment("no toolchain is installed; 'harness toolchain install 13.0.88 13.5.37' installs two");
  if (axis.installed.empty())
    failUsage("no installed toolchain is in '{0}'; 'harness toolchain list' shows them", nvcc);
  for (const Version& build : workspace.releases())
    if (wanted(build)) axis.installable.push_back(build.str());
  return axis;
}

void requireArch(const Axis& axis, const std::string& arch) {
  std::vector<std::string> archs;
  for (const AxisPoint& point : axis.installed)
    archs.insert(archs.end(), point.archs.begin(), point.archs.end());
  if (arch.empty() || std::find(archs.begin(), archs.end(), arch) != archs.end()) return;
  if (arch.starts_with("sm_") && !isExecutableArch(arch))
    failUsage("'{0}' cannot be looked at: machine code is executed for sm_75 and later", arch);
  failUsage("no toolchain looked at knows an architecture '{0}'{1}", arch, nearestArchsHint(arch, archs));
}

/// 0 where the question is answered, nothing wrong being an answer; else 125, as `check` has it.
ExitCode exitCodeOf(const Bisection& bisection) {
  bool answered = bisection.anyBad() ? !bisection.changes.empty() : bisection.anyGood();
  return answered ? ExitCode::Ok : ExitCode::CannotTell;
}

ExitCode bisectCase(const BisectArguments& arguments, const Workspace& workspace,
                    const std::string& commandLine) {
  if (arguments.format != "text" && arguments.format != "json")
    failUsage("'{0}' is no format: text, json", arguments.format);
  if (!arguments.opt.empty()) OptPoint::parse(arguments.opt);
  CaseManifest manifest = workspace.findCase(arguments.subject);
  Axis axis = axisOf(workspace, arguments.nvcc);
  requireArch(axis, arguments.arch);

  Store store(arguments.database, Store::Mode::ReadWrite);
  QueryFilter filter;
  filter.caseId = {manifest.id};
  Place place = choosePlace(manifest, axis, store.standings(filter), arguments.arch, arguments.opt);
  RecordedCells cells(workspace, manifest, store, arguments.jobs, commandLine);
  Bisection bisection = bisect(manifest, axis, place, arguments.all, cells);
  cells.finish();

  std::string text = arguments.format == "json"
                         ? bisectionJson(bisection).dump(2) + "\n"
                         : renderBisection(bisection, {useColor(STDOUT_FILENO), outputWidth()});
  std::fwrite(text.data(), 1, text.size(), stdout);
  return exitCodeOf(bisection);
}

} // namespace

void addBisect(CLI::App& app, const WorkspaceOptions& options, const std::string& commandLine,
               Action& action) {
  auto arguments = std::make_shared<BisectArguments>();
  CLI::App* command = app.add_subcommand(
      "bisect",
      "Where a case goes bad and good: toolchain, stage, level, architecture; exits with 0 found or "
      "nothing wrong, 125 cannot tell");
  command->add_option("case", arguments->subject, "A case, or the path of a case.json")->required();
  command->add_option("--nvcc", arguments->nvcc,
                      "Toolchains: 13.0.88,13.1 or a range (default: all installed)");
  command->add_option("--arch", arguments->arch,
                      "Architecture (default: where a fault is known or expected)");
  command->add_option("--opt", arguments->opt, "Point of the options axis (default: the same)");
  command->add_flag("--all", arguments->all,
                    "Judge every toolchain, in case the history goes back and forth unseen");
  command->add_option("-j,--jobs", arguments->jobs, "Threads (default: one a core)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--format", arguments->format, "text, json")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback([=, &options, &action] {
    action = [=, &options] { return bisectCase(*arguments, Workspace(options), commandLine); };
  });
}

} // namespace harness::cli
