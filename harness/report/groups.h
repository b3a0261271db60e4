#pragma once

#include "harness/report/collapse.h"
#include "harness/store/store.h"

#include <string>
#include <vector>

namespace harness {

/// Cells of one case on one toolchain that agree in verdict, outcome, blame and what the verdict was before.
struct CellGroup {
  std::vector<const QueryRow*> rows; ///< at least one
  Rectangle cells;
};

/// In the order of the rows' cases and toolchains, and there the most alarming first. `everyCell`: a group a
/// row, in the rows' order.
std::vector<CellGroup> groupCells(const std::vector<QueryRow>& rows, bool everyCell);

/// How alarming an outcome is: smaller = more.
int rankOf(Outcome outcome);

/// "pass → mismatch" where the verdict before is known, "new → mismatch" where there was none, else
/// "mismatch".
std::string verdictOf(const QueryRow& row);

/// "case@toolchain/arch/opt".
std::string cellName(const QueryRow& row);

/// "288 cells: 144 mismatch (expected), 144 pass", the most alarming first.
std::string describeTotals(const std::vector<QueryRow>& rows);

/// What is known of the faults among the rows: each reason with the cases it is given for, in order.
struct KnownFault {
  std::string why;
  std::vector<std::string> cases;
};
std::vector<KnownFault> knownFaults(const std::vector<QueryRow>& rows);

/// Known faults of which another is blamed than their manifest has it, a line each: "blame is front-end,
/// expected ptxas, in 4 cells: halfstore".
std::vector<std::string> blameDifferences(const std::vector<QueryRow>& rows);
/// True of a cell that these lines are about.
bool isBlameDifferent(const QueryRow& row);

} // namespace harness
