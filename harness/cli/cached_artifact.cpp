#include "harness/cli/cached_artifact.h"

#include "harness/base/error.h"

namespace harness::cli {

std::string cachedArtifact(const ArtifactCache& cache, const std::string& hash, const char* what,
                           const CellName& cell) {
  bool isThere = cache.hasArtifact(hash);
  if (auto bytes = cache.getArtifact(hash)) return std::move(*bytes);
  failEnvironment("the {0} of {1} {2}; 'harness check {1}' makes it again", what, cell.str(),
                  isThere ? "was damaged in the cache, and was dropped" : "is no longer in the cache");
}

} // namespace harness::cli
