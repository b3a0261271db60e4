#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/compile/compile.h"
#include "harness/matrix/build.h"
#include "harness/matrix/build_judge.h"
#include "harness/matrix/builder.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/launcher.h"
#include "harness/matrix/reference.h"
#include "harness/sass/disassembler.h"
#include "harness/store/store.h"
#include "harness/toolchain/toolchain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace harness {

/// What is written down of a toolchain, and of a case as its files are now.
ToolchainRecord recordOf(const Toolchain& toolchain);
SourceRecord recordOf(const CaseManifest& manifest);

/// Work really done, as opposed to remembered.
struct WorkCount {
  std::uint64_t compiled = 0;     ///< compiler processes: front ends and ptxas
  std::uint64_t disassembled = 0; ///< starts of nvdisasm
  std::uint64_t executed = 0;
};

/// Compiles, executes and compares cells, and says who is to blame, remembering every step.
class Judge {
public:
  struct Options {
    unsigned jobs = 1;                                                          ///< threads
    std::uint64_t maxWarpInstructions = ExecutionOptions().maxWarpInstructions; ///< of one execution
    ProcessLimits disassemblerLimits;
    /// Null: machine code is not executed on the CPU, nor made, if no device executes it either.
    std::shared_ptr<const SassExecutor> sass = sassExecutor();
    /// Null: PTX is not executed. Then nobody can be blamed.
    std::shared_ptr<const PtxExecutor> ptx = ptxExecutor();
    /// Null: nothing is executed on a device.
    std::shared_ptr<const GpuExecutor> gpu;
    unsigned repeats = 1; ///< of each execution on a device: what varies is flaky
    /// How often each cell is compiled again: what comes out differently is one more build of it.
    unsigned recompile = 0;
    std::vector<Toolchain> installed; ///< those that may be tried to find out who is to blame
  };
  Judge(ArtifactCache& cache, Compiler& compiler, sass::Disassembler& disassembler,
        ReferenceRunner& references, ExecutionMemory& memory, Options options);

  /// Judges `cells`, which share one arch, and gives a record each, in their order. Finished executions are
  /// recorded in the memory even when it then throws Error(Interrupted).
  std::vector<CellRecord> judge(const std::vector<PlannedCell>& cells);

  const WorkCount& work() const { return work_; }

private:
  std::vector<Build> compile(const std::vector<PlannedCell>& cells);
  CellRecord conclude(std::span<const Build> builds);
  void count(const Build& build);
  const SourceRecord& source(const CaseManifest& manifest);

  ArtifactCache& cache_;
  sass::Disassembler& disassembler_;
  Options options_;
  Builder builder_;
  Launcher launcher_;
  BuildJudge buildJudge_;
  std::uint64_t startsBefore_; ///< of nvdisasm
  WorkCount work_;
  std::map<const CaseManifest*, SourceRecord> sources_;
};

} // namespace harness
