#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/base/subprocess.h"
#include "harness/cubin/cubin.h"
#include "harness/sass/listing.h"
#include "harness/toolchain/toolchain.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass {

/// Decodes code bytes with nvdisasm, many at a time, and remembers the results in the cache.
/// Thread-safe. One start of nvdisasm costs 0.45 s and decodes any amount: give it everything of an arch at
/// once.
class Disassembler {
public:
  /// Code with more illegal words than `maxIllegalWords` is taken for no machine code: Error(Usage).
  Disassembler(ArtifactCache& cache, Nvdisasm nvdisasm, ProcessLimits limits,
               std::size_t maxIllegalWords = 256);

  /// The listings of `codes` (each a multiple of 16 bytes) for `arch` ("sm_90a"), in order. Equal codes are
  /// decoded once, cached ones not at all. A word that nvdisasm calls illegal is marked, and the rest
  /// still decoded. Throws Error(Environment) when nvdisasm fails otherwise.
  std::vector<Listing> disassemble(std::string_view arch, const std::vector<std::string_view>& codes);

  /// SHA-256 of the nvdisasm used.
  const std::string& identity() const { return nvdisasm_.sha256; }
  /// How often nvdisasm was started.
  std::uint64_t starts() const { return starts_; }

private:
  std::string key(std::string_view arch, std::string_view code) const;

  ArtifactCache& cache_;
  Nvdisasm nvdisasm_;
  ProcessLimits limits_;
  std::size_t maxIllegalWords_;
  std::atomic<std::uint64_t> starts_ = 0;
};

/// The listings of each cubin's sections, in order; all are for `arch`. Throws as `disassemble` does.
std::vector<std::vector<Listing>> disassembleCubins(Disassembler& disassembler, std::string_view arch,
                                                    const std::vector<const Cubin*>& cubins);

} // namespace harness::sass
