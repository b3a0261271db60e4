#pragma once

#include "harness/cli/workspace.h"

#include <string>

namespace harness::cli {

/// The name of the one installed toolchain that a label (13.0) means; any other text as it is. Throws
/// Error(Usage) that names them if there are several.
std::string toolchainOfLabel(const std::string& nameOrLabel, const Workspace& workspace);

} // namespace harness::cli
