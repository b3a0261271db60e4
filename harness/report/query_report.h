#pragma once

#include "harness/store/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// `table` for people, `json` and `csv` for programs (always a row a cell), `md` to be pasted.
enum class QueryFormat { Table, Json, Csv, Markdown };

std::optional<QueryFormat> parseQueryFormat(std::string_view name);

struct QueryReportOptions {
  QueryFormat format = QueryFormat::Table;
  bool everyCell = false;       ///< table and md: a line a cell; else cells that agree share a line
  bool color = false;           ///< table only
  bool changes = false;         ///< the query asked for what changed: it is told by what kind of change it is
  std::size_t width = 0;        ///< of the terminal; 0 = do not wrap
  std::size_t limit = 1000;     ///< of the query: as many rows or more were cut off, and the report says so
  std::string databaseArgument; ///< follows commands that read the database: " --db FILE"
};

/// The cells of a query. The shape of `json` is fixed: an array, a row a cell, a cell a line:
///   {"case","toolchain","arch","opt","verdict","blame","outcome","bytes","bad","first_bad","builds","run",
///    "executors":[{"executor","shape","verdict","bytes","bad","first_bad","details"}]}
/// `first_bad` is null for a pass, `details` the object that was recorded or null. When the query asked for
/// what changed, "previous" (the verdict before, null if there was none) and "change" ("regressed", "fixed",
/// "new", "changed") stand last.
std::string renderQuery(const std::vector<QueryRow>& rows, const QueryReportOptions& options);

} // namespace harness
