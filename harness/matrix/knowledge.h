#pragma once

#include "harness/matrix/cell_finding.h"
#include "harness/matrix/judge.h"
#include "harness/store/store.h"

#include <map>
#include <optional>
#include <string>

namespace harness {

/// What a database knows of cells, as far as it still holds: the case's files, the compilers and the executor
/// are those that the verdict came from. (Of a source that includes other files of the user's nothing is
/// taken to hold: the database does not know these.)
class Knowledge {
public:
  /// `store` must outlive it.
  explicit Knowledge(Store& store) : store_(store) {}

  std::optional<CellFinding> findingOf(const PlannedCell& cell);

private:
  /// Nothing if it cannot be told whether the source is still the same.
  const std::optional<SourceRecord>& sourceOf(const CaseManifest& manifest);
  bool isOfThisExecutor(const CellRecord& record);

  Store& store_;
  std::map<const CaseManifest*, std::optional<SourceRecord>> sources_;
};

} // namespace harness
