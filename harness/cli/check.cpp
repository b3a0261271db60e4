#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/compared.h"
#include "harness/cli/selection.h"
#include "harness/cli/toolchain_label.h"
#include "harness/report/details.h"
#include "harness/report/query_report.h"

#include <llvm/Support/FormatVariadic.h>

#include <cstdio>
#include <memory>
#include <thread>

namespace harness::cli {

namespace {

struct CheckArguments {
  std::string subject, toolchain, arch = "sm_80", opt = "O3";
  ExecutorChoice executors{{std::string(kSassExecutor), std::string(kPtxExecutor)}};
  unsigned recompile = 0;
};

/// The cell that the arguments mean: the subject is a CELL, or a case completed by options.
CellName cellOf(const CheckArguments& arguments, const Workspace& workspace, CaseManifest& manifest) {
  if (arguments.subject.find('@') != std::string::npos) {
    CellName name = CellName::parse(arguments.subject);
    manifest = workspace.findCase(name.caseId);
    name.toolchain = toolchainOfLabel(name.toolchain, workspace);
    return name;
  }
  manifest = workspace.findCase(arguments.subject);
  std::string toolchain = arguments.toolchain.empty() ? toolchainOrNewest("", workspace).name
                                                      : toolchainOfLabel(arguments.toolchain, workspace);
  return {manifest.id, toolchain, arguments.arch, arguments.opt};
}

ExitCode exitCodeOf(Verdict verdict) {
  switch (standingOf(verdict)) {
  case Standing::Good: return ExitCode::Ok;
  case Standing::Bad: return ExitCode::Regressed;
  case Standing::Undecided: break;
  }
  return ExitCode::CannotTell;
}

/// "ptx on shape edges: 11 of 408 bytes wrong, …"
std::string describe(const VerdictRecord& verdict) {
  DetailSummary summary = summariseDetails(verdict.details);
  std::vector<std::string> parts;
  if (verdict.bad)
    parts.push_back(
        llvm::formatv("{0} of {1} bytes wrong, first {2}", verdict.bad, verdict.bytes, verdict.firstBad)
            .str());
  for (const std::string& part : {summary.where, summary.pattern, summary.message, summary.because})
    if (!part.empty()) parts.push_back(part);
  return verdict.executor + (verdict.shape.empty() ? "" : " on shape " + verdict.shape) + ": " +
         join(parts, ", ");
}

void print(const CellName& name, const CellRecord& record) {
  const VerdictRecord& decisive = decisiveVerdict(record);
  std::string line =
      llvm::formatv("{0}: {1} ({2})", name.str(), toString(decisive.verdict), describeCompared(record));
  if (decisive.blame != Blame::None) line += llvm::formatv(", blame: {0}", toString(decisive.blame));
  std::size_t builds = record.builds.size();
  if (builds > 1) line += llvm::formatv(", nondeterministic: {0} different builds", builds);
  std::printf("%s\n", line.c_str());
  for (std::size_t i = 0; i < builds; ++i)
    for (const VerdictRecord& shape : record.verdicts[i])
      if (shape.verdict != Verdict::Pass)
        std::printf("  %s%s\n", builds > 1 ? llvm::formatv("build {0}: ", i + 1).str().c_str() : "",
                    describe(shape).c_str());
}

ExitCode check(const CheckArguments& arguments, const Workspace& workspace) {
  CaseManifest manifest;
  CellName name = cellOf(arguments, workspace, manifest);
  CellResolver resolver(workspace, {manifest});
  std::vector<PlannedCell> cells = resolver.resolve({name});
  NoMemory memory;
  Judge::Options options;
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  options.recompile = arguments.recompile;
  chooseExecutors(options, arguments.executors);
  Workshop workshop(workspace, memory, options);
  CellRecord record = workshop.judge.judge(cells).front();

  print(cells.front().name, record); // "driver" has a longer name
  return exitCodeOf(decisiveVerdict(record).verdict);
}

} // namespace

void addCheck(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand(
      "check",
      "Judge one cell now, without a database; exits with 0 pass, 1 wrong, 125 cannot tell, also if mistyped "
      "(git bisect)");
  command->add_option("case", arguments->subject, "A case, the path of a case.json, or a CELL")->required();
  command->add_option("--nvcc", arguments->toolchain, "Toolchain (default: the newest installed)");
  command->add_option("--arch", arguments->arch, "Architecture")->capture_default_str();
  command->add_option("--opt", arguments->opt, "Point of the options axis")->capture_default_str();
  addExecutorOptions(*command, arguments->executors,
                     "sass,ptx; with one, nobody can be blamed, and it is quicker");
  addRecompileOption(*command, arguments->recompile);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return check(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli
