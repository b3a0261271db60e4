#pragma once

#include "harness/cli/workspace.h"
#include "harness/explain/explanation.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/cell_explanation.h"

namespace harness::cli {

/// Explains a build of a cell (empty hashes = what its compilers make now). Throws Error(Environment) if the
/// toolchain, or nvdisasm, is not installed.
explain::Explanation explainNow(const CellName& name, const explain::BuildHashes& build,
                                const Workspace& workspace);

} // namespace harness::cli
