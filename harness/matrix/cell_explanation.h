#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/compile/compile.h"
#include "harness/explain/explanation.h"
#include "harness/matrix/judge.h"
#include "harness/matrix/reference.h"
#include "harness/sass/disassembler.h"

#include <cstdint>
#include <string>

namespace harness::explain {

/// What it takes to build and execute a cell again.
struct Tools {
  ArtifactCache& cache;
  Compiler& compiler;
  sass::Disassembler& disassembler;
  ReferenceRunner& references;
  std::uint64_t maxWarpInstructions = ExecutionOptions().maxWarpInstructions; ///< of one execution
};

/// The build of a cell that is to be explained; empty hashes = what its compilers make now.
struct BuildHashes {
  std::string ptx, cubin;
};

/// Executes the cell's PTX and SASS on its shapes and explains the first wrong byte. Throws as the tools do.
Explanation explainCell(const PlannedCell& cell, const BuildHashes& build, Tools tools);

} // namespace harness::explain
