#include "harness/base/log.h"
#include "harness/cli/case_commands.h"
#include "harness/cli/compared.h"
#include "harness/matrix/validation.h"
#include "harness/report/details.h"
#include "harness/report/table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

namespace harness::cli {

namespace {

using Status = ValidationCheck::Status;

struct ValidateArguments {
  std::string subject, toolchain, arch = "sm_80", opt = "O3";
};

/// Installed, or installable: what an expectation may name.
std::vector<Version> knownReleases(const Workspace& workspace) {
  std::vector<Version> known;
  for (const Toolchain& toolchain : workspace.toolchains().list()) {
    known.push_back(toolchain.frontEnd.build);
    known.push_back(toolchain.ptxas.build);
  }
  std::vector<Version> installable = workspace.releases();
  known.insert(known.end(), installable.begin(), installable.end());
  return known;
}

std::vector<std::string> knownArchs(const Workspace& workspace) {
  std::vector<std::string> archs;
  for (const Toolchain& toolchain : workspace.toolchains().list())
    archs.insert(archs.end(), toolchain.ptxas.archs.begin(), toolchain.ptxas.archs.end());
  return archs;
}

void print(const ValidationCheck& check) {
  Color color = check.status == Status::Ok     ? Color::Green
                : check.status == Status::Note ? Color::Yellow
                                               : Color::Red;
  std::string status(toString(check.status));
  std::string padding(std::max<std::size_t>(status.size(), 6) - status.size(), ' ');
  std::printf("%s%s  %-12s  %s\n", colored(status, color, useColor(STDOUT_FILENO)).c_str(), padding.c_str(),
              check.name.c_str(), printable(check.detail).c_str());
  std::fflush(stdout); // what comes next may take long
}

/// Judges one cell as `check` does.
CellRecord judge(const PlannedCell& cell, const Workspace& workspace) {
  NoMemory memory;
  Judge::Options options;
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  Workshop workshop(workspace, memory, options);
  return workshop.judge.judge({cell}).front();
}

ValidationCheck describe(const CellName& name, const CellRecord& record, Outcome outcome) {
  const VerdictRecord& decisive = decisiveVerdict(record);
  DetailSummary summary = summariseDetails(decisive.details);
  std::string text = name.str() + ": " + std::string(toString(decisive.verdict)) + " (" +
                     std::string(toString(outcome)) + "), " + describeCompared(record);
  if (decisive.bad) text += ", " + std::to_string(decisive.bad) + " wrong, first " + decisive.firstBad;
  for (const std::string& part : {summary.where, summary.pattern, summary.message})
    if (!part.empty()) text += ", " + part;
  bool good = outcome == Outcome::Ok || outcome == Outcome::Expected;
  bool skipped = decisive.verdict == Verdict::Skipped;
  return {"run",
          good && !skipped                       ? Status::Ok
          : outcome == Outcome::Fixed || skipped ? Status::Note
                                                 : Status::Failed,
          text};
}

ExitCode runOne(const CaseManifest& manifest, const Toolchain& toolchain, const ValidateArguments& arguments,
                const Workspace& workspace) {
  CellName name{manifest.id, toolchain.name, arguments.arch, arguments.opt};
  CellRecord record = judge({name, &manifest, &toolchain, OptPoint::parse(arguments.opt)}, workspace);
  Outcome outcome = decisiveVerdict(record).outcome;
  print(describe(name, record, outcome));
  return outcome == Outcome::Regressed   ? ExitCode::Regressed
         : outcome == Outcome::Undecided ? ExitCode::Undecided
                                         : ExitCode::Ok;
}

ExitCode validate(const ValidateArguments& arguments, const Workspace& workspace) {
  OptPoint opt = OptPoint::parse(arguments.opt);
  workspace.requireArch(arguments.arch);
  Toolchain toolchain = toolchainOrNewest(arguments.toolchain, workspace);
  CaseManifest manifest = workspace.findCase(arguments.subject);
  bool failed = false;
  auto take = [&](const ValidationCheck& check) {
    print(check);
    failed |= check.status == Status::Failed;
  };
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  Compiler compiler(cache, {});
  take(checkManifest(manifest));
  take(checkIndependence(manifest));
  take(checkExpectations(manifest, knownReleases(workspace), knownArchs(workspace)));
  take(checkReference(manifest, cache));
  take(checkKernel(manifest, toolchain, arguments.arch, opt, compiler, cache));
  if (failed) {
    std::fprintf(stderr, "harness: the case was not run, because a check failed\n");
    return ExitCode::Usage;
  }
  return runOne(manifest, toolchain, arguments, workspace);
}

} // namespace

void addCaseValidate(CLI::App& command, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* validated = command.add_subcommand(
      "validate",
      "Check everything about a case and run it once; exits with 0, 2 if a check fails, 1 if it is wrong");
  validated->add_option("case", arguments->subject, "A case, or the path of its folder or case.json")
      ->required();
  validated->add_option("--nvcc", arguments->toolchain, "Toolchain (default: the newest installed)");
  validated->add_option("--arch", arguments->arch, "Architecture")->capture_default_str();
  validated->add_option("--opt", arguments->opt, "Point of the options axis")->capture_default_str();
  validated->callback([=, &options, &action] {
    action = [=, &options] { return validate(*arguments, Workspace(options)); };
  });
}

} // namespace harness::cli
