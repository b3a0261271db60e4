#pragma once

#include "harness/compile/compile.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/manifest.h"
#include "harness/store/store.h"
#include "harness/toolchain/toolchain.h"

#include <cstdint>
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

/// What one executor runs of a build.
struct Image {
  std::string_view executor;
  std::string hash;              ///< of the code; empty: there is none to execute
  std::string error;             ///< what keeps it from being executed
  std::string refusal = {};      ///< why there is nothing here that could execute it
  std::vector<std::string> keys; ///< of its executions: shape × variant; empty where there shall be none
};

/// A cell on its way through the stages.
struct Build {
  const PlannedCell* cell = nullptr;
  unsigned attempt = 0; ///< of Compiler
  StageResult ptx, cubin;
  Image machineCode{kSassExecutor, "", "", {}, {}}, ptxCode{kPtxExecutor, "", "", {}, {}},
      deviceCode{kGpuExecutor, "", "", {}, {}}; ///< the machine code again, whole
  std::string sassHash;
  std::uint64_t illegalWords = 0;
  std::string hazards; ///< the first one found and how many there are; empty if none
  /// Of the machine code on every shape, then on a device, then of the PTX; one of the compiler in their
  /// place if it failed.
  std::vector<VerdictRecord> verdicts;

  /// The verdict of an executor on a shape; null if it gave none.
  VerdictRecord* verdict(std::string_view executor, std::size_t shape) {
    for (VerdictRecord& one : verdicts)
      if (one.executor == executor && shape-- == 0) return &one;
    return nullptr;
  }
  /// The stage that it ended with.
  const StageResult& lastStage() const { return ptx.status == CompileStatus::Ok ? cubin : ptx; }
};

using Builds = std::vector<Build*>;

} // namespace harness
