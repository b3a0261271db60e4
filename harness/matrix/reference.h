#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/base/subprocess.h"
#include "harness/matrix/manifest.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace harness {

/// Computes what a case's kernel must leave in its outputs: compiles reference.cpp
/// (harness/reference.h), runs it in a child process with limits, and remembers both, so that an unchanged
/// run starts no process. Thread-safe.
class ReferenceRunner {
public:
  struct Options {
    std::string compiler = "c++";  ///< a path, or a name looked up in PATH
    std::filesystem::path program; ///< the program harness-reference; empty = beside this executable
    ProcessLimits compileLimits;
    /// Of the reference's own process; `memoryBytes` is on top of its buffers, `outputBytes` on top of its
    /// outputs.
    ProcessLimits runLimits;
  };
  ReferenceRunner(ArtifactCache& cache, Options options);

  /// The outputs of `shape`, in the order of its buffers, when each buffer starts as `initial` says
  /// (CaseShape::initialContents). Bytes that the reference does not write stay as they were.
  /// Throws Error(Usage) that names case and reason: no reference, one that does not compile, crashes, hangs,
  /// changes an input or exceeds its limits. Throws Error(Environment) if there is no compiler.
  std::vector<std::string> outputs(const CaseManifest& manifest, const CaseShape& shape,
                                   const std::vector<std::string>& initial);

private:
  std::string build(const CaseManifest& manifest);
  std::string compile(const CaseManifest& manifest, const std::string& source);
  std::string run(const CaseManifest& manifest, const CaseShape& shape,
                  const std::vector<std::string>& initial, const std::string& library);
  std::string compilerIdentity();

  ArtifactCache& cache_;
  Options options_;
  std::mutex mutex_; ///< one compilation at a time
};

} // namespace harness
