#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/compile/compile.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/manifest.h"
#include "harness/matrix/reference.h"
#include "harness/matrix/shape_judge.h"
#include "harness/matrix/variant.h"
#include "harness/sass/disassembler.h"
#include "harness/store/store.h"
#include "harness/toolchain/toolchain.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// A cell to be judged: its name and what the name stands for.
struct PlannedCell {
  CellName name;
  const CaseManifest* manifest = nullptr;
  const Toolchain* toolchain = nullptr;
  OptPoint opt;
};

/// What is written down of a toolchain, and of a case as its files are now.
ToolchainRecord recordOf(const Toolchain& toolchain);
SourceRecord recordOf(const CaseManifest& manifest);

/// Where executions are remembered between runs.
class ExecutionMemory {
public:
  virtual ~ExecutionMemory() = default;
  /// One answer a key, in order.
  virtual std::vector<std::optional<ExecutionRecord>> find(const std::vector<std::string>& keys) = 0;
  virtual void record(const std::vector<ExecutionRecord>& executions) = 0;
};

/// Work really done, as opposed to remembered.
struct WorkCount {
  std::uint64_t compiled = 0;     ///< compiler processes: front ends and ptxas
  std::uint64_t disassembled = 0; ///< starts of nvdisasm
  std::uint64_t executed = 0;

  WorkCount& operator+=(const WorkCount& other);
};

/// Compiles, executes and compares cells (DESIGN section 4), remembering every step.
class Judge {
public:
  struct Options {
    unsigned jobs = 1;                                          ///< threads
    std::uint64_t maxWarpInstructions = std::uint64_t{1} << 30; ///< of one execution
    ProcessLimits disassemblerLimits;
  };
  Judge(ArtifactCache& cache, Compiler& compiler, sass::Disassembler& disassembler,
        ReferenceRunner& references, ExecutionMemory& memory, Options options);
  ~Judge();

  /// Judges `cells`, which share one arch, and gives a record each, in their order. Finished executions are
  /// recorded in the memory even when it then throws Error(Interrupted).
  std::vector<CellRecord> judge(const std::vector<PlannedCell>& cells);

  const WorkCount& work() const { return work_; }

private:
  struct Build;
  struct Read;

  void compile(std::vector<Build>& builds);
  StageResult frontEnd(const PlannedCell& cell);
  void assemble(Build& build);
  std::string cubinBytes(Build& build);
  void analyse(std::vector<Build>& builds);
  void disassemble(std::string_view arch, std::vector<Read>& reads);
  bool isWanted(const Build& build, std::size_t shape, const Variant& variant);
  std::string executionKey(const Build& build, const ExpectedAnswer& reference, const Variant& variant) const;
  /// The answers, or everything else.
  void planExecutions(std::vector<Build>& builds, bool answers);
  void forgetIfLost(const std::string& key, const std::string& expectedHash);
  void executeMissing(std::vector<Build>& builds);
  CellRecord conclude(const Build& build);
  VerdictRecord judgeShape(const Build& build, std::size_t shape);
  const ExpectedAnswer& expected(const CaseManifest& manifest, std::size_t shape);
  const SourceRecord& source(const CaseManifest& manifest);

  ArtifactCache& cache_;
  Compiler& compiler_;
  sass::Disassembler& disassembler_;
  ReferenceRunner& references_;
  ExecutionMemory& memory_;
  Options options_;
  std::uint64_t startsBefore_; ///< of nvdisasm
  WorkCount work_;
  std::map<std::pair<const CaseManifest*, std::size_t>, std::unique_ptr<ExpectedAnswer>> expected_;
  std::map<const CaseManifest*, SourceRecord> sources_;
  std::map<std::string, ExecutionRecord> executions_; ///< of the chunk at hand, by key
};

} // namespace harness
