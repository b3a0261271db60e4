#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/cubin/cubin.h"
#include "harness/matrix/build.h"
#include "harness/sass/disassembler.h"
#include "harness/sass/listing.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// Machine code ready to be decoded for an executor.
struct ReadCubin {
  std::shared_ptr<const Cubin> cubin;
  const Kernel* kernel = nullptr;
  std::vector<sass::Listing> listings; ///< of cubin->sections
};

/// Machine code as a device takes it.
struct CubinFile {
  std::string bytes;
  std::shared_ptr<const Cubin> cubin;
  const Kernel* kernel = nullptr;
};

/// Takes builds through the compilers and the disassembler, remembering every step. What the builds of a call
/// are for must be one arch.
class Builder {
public:
  Builder(ArtifactCache& cache, Compiler& compiler, sass::Disassembler& disassembler, unsigned jobs)
      : cache_(cache), compiler_(compiler), disassembler_(disassembler), jobs_(jobs) {}

  /// Gives each its PTX.
  void translate(const Builds& builds);
  /// Gives those that have PTX their cubin, and says what is in it: image hash, illegal words, hazards.
  void assemble(const Builds& builds);

  /// The text of a build's PTX.
  std::string ptxText(Build& build);
  /// Throws Error(Usage) for a cubin that is none.
  CubinFile file(Build& build);
  /// The same.
  ReadCubin read(Build& build);

private:
  struct Reading;

  StageResult frontEnd(const Build& build);
  void assemble(Build& build);
  std::string cubinBytes(Build& build);
  void analyse(const Builds& builds);
  void disassemble(std::string_view arch, std::vector<Reading>& readings);

  ArtifactCache& cache_;
  Compiler& compiler_;
  sass::Disassembler& disassembler_;
  unsigned jobs_; ///< threads
};

} // namespace harness
