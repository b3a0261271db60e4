#pragma once

#include "harness/matrix/cell.h"
#include "harness/store/store.h"

#include <optional>
#include <string>

namespace harness::cli {

/// What `store` knows of a cell; nothing if it does not know it. The details of verdicts are objects as
/// harness/matrix/finding.h describes them, hashes are SHA-256 or empty: where they are not, Error(Usage)
/// says that `database`, the file of the store, is damaged.
std::optional<CellRecord> storedCell(Store& store, const CellName& name, const std::string& database);

/// As storedCell. A cell that `store` does not know is an Error(Usage).
CellRecord requireStoredCell(Store& store, const CellName& name, const std::string& database);

} // namespace harness::cli
