#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/base/files.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"
#include "harness/toolchain/toolchain.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// What the benchmarks of both executors run: four kernels, compiled once with toolchain 13.0.88 for sm_90 at
// O3.

namespace harness::bench {

inline constexpr const char* kArch = "sm_90";

/// The kernels, compiled.
struct CompiledKernels {
  /// Throws Error(Environment) if the toolchain is not where the tests look for it, or fails.
  CompiledKernels();

  TempDir directory{"execution-bench"};
  ToolchainDir toolchains;
  ArtifactCache cache;
  std::string ptx, cubin; ///< their contents
};

/// One kernel's launch.
struct Run {
  const char* kernel;
  std::uint32_t blocks, threads;
  std::vector<std::uint64_t> buffers; ///< bytes, filled with random words; they are the first arguments
  std::vector<std::uint32_t> scalars; ///< the arguments after them
};

const std::vector<Run>& runs();

/// A run's arguments and the memory that they point to.
struct Arena {
  explicit Arena(const Run& run);
  std::unique_ptr<GlobalMemory> copy() const;

  GlobalMemory memory;
  Launch launch;

private:
  void addArgument(std::uint64_t value, std::size_t size);
};

} // namespace harness::bench
