#pragma once

#include "harness/report/groups.h"
#include "harness/store/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What a changed verdict means to whoever looks after a night.
enum class ChangeKind {
  Regressed, ///< wrong and not expected to be, and it was not wrong before, or not judged
  Fixed,     ///< right, and was wrong
  New,       ///< judged for the first time
  Other,     ///< anything else: another fault, undecided now …
};

std::string_view toString(ChangeKind change); ///< "regressed", "fixed", "new", "changed"

/// Of a row that `query` gave with `changed`.
ChangeKind changeOf(const QueryRow& row);

/// The same rows in the order in which they are read.
struct Changes {
  struct Entry {
    ChangeKind change = ChangeKind::Other;
    CellGroup group; ///< its rows are the caller's
  };
  /// By change, then by case and toolchain; without new cells that are right, if those were summed up.
  std::vector<Entry> entries;
  /// "new on 13.6.20: 288 cells of 4 cases, all pass": a line a toolchain.
  std::vector<std::string> quiet;
  /// "4 regressed, 12 fixed, 288 new, 1 changed"; "nothing changed".
  std::string totals;
};

/// `everyCell`: an entry a cell, and nothing summed up.
Changes sortChanges(const std::vector<QueryRow>& rows, bool everyCell);

} // namespace harness
