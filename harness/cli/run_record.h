#pragma once

#include "harness/cli/workspace.h"
#include "harness/store/store.h"

#include <string>

namespace harness::cli {

/// Who runs what, for the database: this host, the checkout's git revision (with "+" if it has uncommitted
/// changes; empty if there is no git) and the command line.
RunRecord describeRun(const Workspace& workspace, const std::string& commandLine);

} // namespace harness::cli
