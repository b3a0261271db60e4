#pragma once

#include "harness/base/error.h"
#include "harness/cli/workspace.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace harness::cli {

/// The whole program: parses the command line, runs the command, prints errors as "harness: …" on stderr.
ExitCode runApp(int argc, char** argv);

/// What a subcommand leaves to be run after parsing.
using Action = std::function<ExitCode()>;

// One function a subcommand, one file each. Each adds itself to `app` and sets `action` when it was chosen.
// `options` is filled by the time the action runs; `commandLine` is recorded with the run.
void addRun(CLI::App& app, const WorkspaceOptions& options, const std::string& commandLine, Action& action);
void addBisect(CLI::App& app, const WorkspaceOptions& options, const std::string& commandLine,
               Action& action);
void addQuery(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addShow(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addExplain(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addCheck(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addGuard(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addBundle(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addReport(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addToolchain(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addCoverage(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addExec(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addDiff(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addCase(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addMma(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addReceipt(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addVectors(CLI::App& app, const WorkspaceOptions& options, Action& action);
void addDoctor(CLI::App& app, const WorkspaceOptions& options, Action& action);

} // namespace harness::cli
