#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/compile/compile.h"
#include "harness/matrix/judge.h"
#include "harness/matrix/manifest.h"
#include "harness/matrix/reference.h"
#include "harness/sass/disassembler.h"
#include "harness/toolchain/toolchain.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness::cli {

/// Where things are, as the command line says; empty = default.
struct WorkspaceOptions {
  std::string root, cacheDir, toolchainsDir;
};

/// Where things are.
class Workspace {
public:
  explicit Workspace(const WorkspaceOptions& options) : options_(options) {}

  /// The checkout. Throws Error(Usage) when none is found.
  std::filesystem::path root() const;
  std::filesystem::path cacheDir() const;
  ToolchainDir toolchains() const;
  std::filesystem::path requirementsDir() const { return root() / "matrix/toolchains"; }
  /// The builds that requirementsDir() can install, in order.
  std::vector<Version> releases() const;
  /// All cases of the checkout, by id.
  std::vector<CaseManifest> cases() const;
  /// The architectures that some ptxas makes code for: of a release, or installed here.
  std::vector<std::string> knownArchs() const;
  /// Throws Error(Usage) with the nearest ones if `arch` is none of knownArchs().
  void requireArch(const std::string& arch) const;
  /// An installed toolchain by name; `FE+PTXAS` is put together. Throws Error(Environment) with the command
  /// that installs it, Error(Usage) with the nearest name if nothing can.
  Toolchain toolchain(const std::string& name) const;
  /// A case by id, or by the path of its folder or manifest. Throws Error(Usage) with the nearest id, or,
  /// given a CELL, the case in it.
  CaseManifest findCase(const std::string& nameOrPath) const;

private:
  std::vector<std::filesystem::path> caseRoots() const;
  [[noreturn]] void failMissing(const std::string& toolchain) const;

  WorkspaceOptions options_;
};

/// The installed toolchain of that name; the newest if it is empty. Throws as Workspace::toolchain does.
Toolchain toolchainOrNewest(const std::string& name, const Workspace& workspace);

/// What `--executor` and its companions say.
struct ExecutorChoice {
  std::vector<std::string> names; ///< empty = what else is said
  unsigned repeats = 1;           ///< `--repeat`
  unsigned launchSeconds = 30;    ///< `--device-limit`
};

/// Leaves out the executors that are not among `choice.names`, and finds the devices if `gpu` is. Throws
/// Error(Usage) for a name that is none, Error(Environment) if there is no device.
void chooseExecutors(Judge::Options& options, const ExecutorChoice& choice);

/// Everything that judging cells takes, put together.
class Workshop {
public:
  /// `memory` must outlive it.
  Workshop(const Workspace& workspace, ExecutionMemory& memory, Judge::Options options,
           const ProcessLimits& compilerLimits = {});

  ArtifactCache cache;
  Compiler compiler;
  sass::Disassembler disassembler;
  ReferenceRunner references;
  Judge judge;
};

/// Turns cell names into what they stand for. Throws Error(Environment) naming every toolchain that is not
/// installed and the command that installs them, Error(Usage) for a toolchain that nothing installs, an
/// architecture that no compiler knows or a bad option point.
class CellResolver {
public:
  /// `workspace` must outlive it.
  CellResolver(const Workspace& workspace, std::vector<CaseManifest> cases);

  std::vector<PlannedCell> resolve(const std::vector<CellName>& names);

private:
  const Toolchain& toolchain(const std::string& name);

  const Workspace& workspace_;
  std::map<std::string, CaseManifest> cases_;
  std::map<std::string, Toolchain> toolchains_;
};

} // namespace harness::cli
