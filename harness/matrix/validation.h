#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/base/version.h"
#include "harness/compile/compile.h"
#include "harness/matrix/manifest.h"
#include "harness/matrix/reference.h"
#include "harness/toolchain/toolchain.h"

#include <string>
#include <vector>

namespace harness {

/// What came of looking at one thing about a case.
struct ValidationCheck {
  enum class Status {
    Ok,
    Note, ///< allowed, but to be known
    Failed,
  };
  std::string name; ///< "reference"
  Status status = Status::Ok;
  std::string detail; ///< a sentence
};
std::string_view toString(ValidationCheck::Status status); ///< "ok", "note", "FAILED"

// All of these throw for what is not the case's doing: Error(Environment), Error(Interrupted).

/// What the manifest amounts to; a note where it has no reference.
ValidationCheck checkManifest(const CaseManifest& manifest);

/// The reference shares no file with what is compiled for the device.
ValidationCheck checkIndependence(const CaseManifest& manifest);

/// Every expectation matches something that exists: a release, an architecture, a point of the options axis.
ValidationCheck checkExpectations(const CaseManifest& manifest, const std::vector<Version>& releases,
                                  const std::vector<std::string>& archs);

/// The reference compiles, runs on every shape, gives the same twice, does not depend on what nobody wrote,
/// and writes something; bytes that it leaves alone are counted.
ValidationCheck checkReference(const CaseManifest& manifest, ArtifactCache& cache);

/// The source compiles, has the kernel, and takes the arguments that the manifest gives it.
ValidationCheck checkKernel(const CaseManifest& manifest, const Toolchain& toolchain, const std::string& arch,
                            const OptPoint& opt, Compiler& compiler, ArtifactCache& cache);

} // namespace harness
