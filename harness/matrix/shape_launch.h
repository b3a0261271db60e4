#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/manifest.h"
#include "harness/matrix/shape_judge.h"
#include "harness/matrix/variant.h"
#include "harness/store/store.h"

#include <memory>
#include <string>
#include <vector>

namespace harness {

/// A shape's launch on an executor. All that it is made of must outlive it.
class ShapeLaunch {
public:
  ShapeLaunch(const Executable& executable, const CaseShape& shape, const ShapeInputs& inputs,
              ArtifactCache& cache);

  /// Runs it `repeats` times; outputs go into the cache. All of the record but key, image, executor and its
  /// version.
  ExecutionRecord execute(const Variant& variant, std::uint64_t maxWarpInstructions,
                          unsigned repeats = 1) const;

private:
  /// The memory before the launch, where outputs hold a poison.
  std::unique_ptr<GlobalMemory> fresh(std::size_t poison) const;
  void run(const ExecutionOptions& options, const Variant& variant, ExecutionRecord& record) const;
  void repeat(const ExecutionOptions& options, const Variant& variant, unsigned repeats,
              ExecutionRecord& record) const;
  void lookForUnwritten(const ExecutionOptions& options, ExecutionRecord& record) const;

  const Executable& executable_;
  const CaseShape& shape_;
  const ShapeInputs& inputs_;
  ArtifactCache& cache_;
  BoundLaunch launch_;
};

} // namespace harness
