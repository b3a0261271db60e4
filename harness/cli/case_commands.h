#pragma once

#include "harness/cli/app.h"

#include <string>

namespace harness::cli {

// The subcommands of `case` that have files of their own.
void addCaseNew(CLI::App& command, const WorkspaceOptions& options, Action& action);
void addCaseValidate(CLI::App& command, const WorkspaceOptions& options, Action& action);

} // namespace harness::cli
