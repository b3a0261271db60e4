#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/compile/compile.h"
#include "harness/cubin/cubin.h"
#include "harness/matrix/build.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// From which line of its PTX (by the artifact's hash) each instruction of a cell's cubin comes, as
/// ptxLines() gives it. A cubin without a line table is compiled again with -lineinfo; that table holds only
/// if the code bytes are the same, which is checked. Empty if it is not known.
std::vector<std::uint32_t> linesOfCode(std::string_view bytes, const Cubin& cubin, const std::string& ptxHash,
                                       const PlannedCell& cell, Compiler& compiler, ArtifactCache& cache);

} // namespace harness
