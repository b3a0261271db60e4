#pragma once

#include "harness/store/dimensions.h"
#include "harness/store/selection.h"
#include "harness/store/store.h"
#include "harness/store/text_table.h"

#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace harness {

/// Answers the questions of Store. Works inside the caller's transaction, so that all it reads is of one
/// moment.
class Reader {
public:
  Reader(Connection& connection, TextTable& texts);

  std::vector<QueryRow> query(const QueryFilter& filter);
  std::vector<HistoryRow> history(const QueryFilter& filter);
  std::vector<StandingRow> standings(const QueryFilter& filter);
  std::vector<RunRecord> runs(std::size_t limit);
  std::optional<CellRecord> cell(std::string_view caseId, std::string_view toolchain, std::string_view arch,
                                 std::string_view opt);

private:
  struct Key { ///< a cell's place among the results
    std::size_t testCase, toolchain, arch, opt;
    auto operator<=>(const Key&) const = default;
  };
  struct Found {
    Key key;
    RowId cell, stretch;
    QueryRow row;
  };
  /// Where each id stands in a list that is in the order of results.
  using Ranks = std::unordered_map<RowId, std::size_t>;

  std::vector<Found> select(const QueryFilter& filter);
  /// In any order. Stops once there are `enough` and all of the case and toolchain reached.
  std::vector<Found> collect(const Selection& selection, std::size_t enough);
  /// The worst `most` of the cells that the selection's run was the first to judge.
  std::vector<Found> collectNew(Selection selection, std::size_t most);
  RowId firstCellSince(RowId run);
  std::vector<QueryExecutor> executors(RowId stretch);
  Key keyOf(const Cursor& cells) const;
  template <typename Enum> Enum known(std::optional<Enum> value, RowId id);
  std::size_t rankOf(const Ranks& ranks, RowId id) const;
  Verdict verdict(RowId text);
  Blame blame(RowId text);
  Outcome outcome(RowId text);
  const std::string& text(RowId id) { return texts_.value(id); }
  BuildRecord build(RowId id, RowId& source, RowId& identity);
  void readExpectation(RowId id, CellRecord& cell);
  SourceRecord source(RowId id);
  ToolchainRecord toolchain(RowId identity);

  Connection& connection_;
  TextTable& texts_;
  Dimensions dimensions_;
  Ranks caseRanks_, toolchainRanks_, archRanks_, optRanks_;
};

} // namespace harness
