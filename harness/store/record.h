#pragma once

#include "harness/store/dimensions.h"
#include "harness/store/store.h"
#include "harness/store/text_table.h"

#include <optional>
#include <string>
#include <string_view>

namespace harness {

/// Writes what a run found. Works inside the caller's transaction.
class Recorder {
public:
  Recorder(Connection& connection, TextTable& texts, DimensionWriter& dimensions)
      : connection_(connection), texts_(texts), dimensions_(dimensions) {}

  /// Throws Error(Internal) when a cell has no verdict or rests on an execution that was not recorded.
  void cell(RowId run, const CellRecord& cell);

private:
  struct Place { ///< a cell's coordinates as rows
    RowId run, testCase, toolchain, arch, opt, source, identity;
  };
  struct Known { ///< what the database holds of a cell
    RowId cell, stretch, verdict;
    std::string digest;
  };

  std::optional<Known> find(const Place& place);
  void begin(const Place& place, const CellRecord& record, const std::string& digest,
             const std::optional<Known>& known);
  RowId expectation(const CellRecord& cell);
  RowId build(RowId cell, RowId source, RowId identity, const BuildRecord& build);
  void verdict(RowId stretch, std::size_t ordinal, RowId build, const VerdictRecord& verdict);
  RowId text(std::string_view value) { return texts_.intern(value); }

  Connection& connection_;
  TextTable& texts_;
  DimensionWriter& dimensions_;
};

} // namespace harness
