#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/matrix/manifest.h"
#include "harness/matrix/shape_judge.h"
#include "harness/matrix/variant.h"
#include "harness/sass/executor.h"
#include "harness/store/store.h"

#include <memory>
#include <string>
#include <vector>

namespace harness {

inline constexpr std::string_view kSassExecutor = "sass";

/// A shape's launch on the SASS executor. All that it is made of must outlive it.
class ShapeLaunch {
public:
  ShapeLaunch(const sass::Program& program, const Kernel& kernel, const CaseShape& shape,
              const ExpectedAnswer& expected, ArtifactCache& cache);

  /// Runs it; outputs go into the cache. All of the record but key and image.
  ExecutionRecord execute(const Variant& variant, std::uint64_t maxWarpInstructions) const;

private:
  /// The memory before the launch, where outputs hold a poison.
  std::unique_ptr<GlobalMemory> fresh(std::size_t poison) const;
  void run(const ExecutionOptions& options, const Variant& variant, ExecutionRecord& record) const;
  void lookForUnwritten(const ExecutionOptions& options, ExecutionRecord& record) const;

  const sass::Program& program_;
  const Kernel& kernel_;
  const CaseShape& shape_;
  const ExpectedAnswer& expected_;
  ArtifactCache& cache_;
  Launch launch_;
};

} // namespace harness
