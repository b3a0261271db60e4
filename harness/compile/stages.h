#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/compile/compile.h"

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>

namespace harness {

/// Remembers results of stages in the cache, and lets only one thread compute each.
class Stages {
public:
  explicit Stages(ArtifactCache& cache) : cache_(cache) {}

  /// The remembered result under `key`, or that of `compute`, remembered if it depends on nothing but the
  /// inputs. A remembered result whose artifact is gone counts for nothing.
  StageResult get(const std::string& key, const std::function<StageResult()>& compute);

private:
  std::optional<StageResult> recall(const std::string& key) const;
  void remember(const std::string& key, const StageResult& result);

  ArtifactCache& cache_;
  std::mutex mutex_;
  std::map<std::string, std::shared_future<StageResult>> running_;
};

} // namespace harness
