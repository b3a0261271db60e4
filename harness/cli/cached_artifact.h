#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/matrix/cell.h"

#include <string>

namespace harness::cli {

/// What the cache has of a cell's build: `what` is "PTX", "cubin" … Throws Error(Environment) that says
/// whether it is gone or damaged, and the command that makes it again.
std::string cachedArtifact(const ArtifactCache& cache, const std::string& hash, const char* what,
                           const CellName& cell);

} // namespace harness::cli
