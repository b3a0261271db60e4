#pragma once

#include "harness/store/dimensions.h"
#include "harness/store/store.h"
#include "harness/store/text_table.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Writes what a run found. Works inside the caller's transaction.
class Recorder {
public:
  Recorder(Connection& connection, TextTable& texts, DimensionWriter& dimensions)
      : connection_(connection), texts_(texts), dimensions_(dimensions) {}

  /// Throws Error(Internal) when a cell has no verdict or rests on an execution that was not recorded.
  void cell(RowId run, const CellRecord& cell);

private:
  RowId expectation(const CellRecord& cell);
  RowId build(RowId cell, RowId source, RowId identity, const BuildRecord& build);
  void verdict(RowId stretch, std::size_t ordinal, RowId build, const VerdictRecord& verdict);
  RowId text(std::string_view value) { return texts_.intern(value); }

  Connection& connection_;
  TextTable& texts_;
  DimensionWriter& dimensions_;
};

} // namespace harness
