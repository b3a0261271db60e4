#pragma once

#include "harness/store/dimensions.h"
#include "harness/store/store.h"
#include "harness/store/text_table.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace harness {

/// A QueryFilter, its names, globs and version ranges resolved against the small tables: what is left is
/// numbers, and every number is a condition on an index.
struct Selection {
  /// In the order of the result.
  std::vector<RowId> cases, toolchains;
  std::optional<std::vector<RowId>> archs, opts; ///< none = any
  std::optional<RowId> verdict, blame;           ///< text.id
  std::optional<RowId> run;
  bool changed = false;
  /// Cells that `run` was the first to judge: those from the first number to before the second, which
  /// Reader finds.
  std::optional<std::pair<RowId, RowId>> newCells;
  bool empty = false; ///< nothing can match

  static Selection resolve(Connection& connection, TextTable& texts, const Dimensions& dimensions,
                           const QueryFilter& filter);
};

/// The statement that gives the selected cells, each with the stretch that was asked for. Columns:
/// SelectedColumn. They come case by case and toolchain by toolchain in the selection's order; new cells in
/// any.
struct SelectedCells {
  std::string sql;
  std::vector<std::variant<std::string, RowId>> values; ///< for the ? in `sql`, in order

  explicit SelectedCells(const Selection& selection);
  void bindTo(Cursor& cursor) const;

private:
  /// Where cells of the selection are looked for, up to WHERE.
  void addPlaces(const Selection& selection);
  void add(std::string_view text) { sql += text; }
  template <typename Value> void add(std::string_view text, Value value) {
    sql += text;
    values.emplace_back(std::move(value));
  }
};

/// The columns of SelectedCells.
struct SelectedColumn {
  enum : int {
    Cell,
    Case,
    Toolchain,
    Arch,
    Opt,
    Stretch,
    LastRun,
    Verdict,
    Blame,
    Outcome,
    Bytes,
    Bad,
    FirstBad,
    Builds,
    Expectation,
    Previous,
  };
};

} // namespace harness
