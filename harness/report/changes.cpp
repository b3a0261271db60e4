#include "harness/report/changes.h"

#include "harness/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace harness {

namespace {

constexpr std::array kChanges{ChangeKind::Regressed, ChangeKind::Fixed, ChangeKind::New, ChangeKind::Other};

bool isQuiet(const QueryRow& row) {
  return changeOf(row) == ChangeKind::New && row.outcome == Outcome::Ok;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string totalsOf(const std::vector<QueryRow>& rows) {
  std::map<ChangeKind, std::size_t> counts;
  for (const QueryRow& row : rows)
    ++counts[changeOf(row)];
  std::vector<std::string> parts;
  for (ChangeKind change : kChanges)
    if (counts[change]) parts.push_back(std::to_string(counts[change]) + " " + std::string(toString(change)));
  return parts.empty() ? "nothing changed" : join(parts, ", ");
}

/// Toolchains keep the order of their first appearance.
std::vector<std::string> sumUp(const std::vector<QueryRow>& rows) {
  struct Sum {
    std::string toolchain;
    std::set<std::string> cases;
    std::vector<QueryRow> rows;
  };
  std::vector<Sum> sums;
  for (const QueryRow& row : rows) {
    if (!isQuiet(row)) continue;
    auto same = std::find_if(sums.begin(), sums.end(),
                             [&](const Sum& sum) { return sum.toolchain == row.toolchain; });
    if (same == sums.end()) same = sums.insert(sums.end(), Sum{row.toolchain, {}, {}});
    same->cases.insert(row.caseId);
    same->rows.push_back(row);
  }
  std::vector<std::string> lines;
  for (const Sum& sum : sums) {
    bool allPass = std::all_of(sum.rows.begin(), sum.rows.end(),
                               [](const QueryRow& row) { return row.verdict == Verdict::Pass; });
    std::string totals = describeTotals(sum.rows);
    lines.push_back("new on " + sum.toolchain + ": " + counted(sum.rows.size(), "cell") + " of " +
                    counted(sum.cases.size(), "case") +
                    (allPass ? ", all pass" : totals.substr(totals.find(": "))));
  }
  return lines;
}

} // namespace

std::string_view toString(ChangeKind change) {
  switch (change) {
  case ChangeKind::Regressed: return "regressed";
  case ChangeKind::Fixed: return "fixed";
  case ChangeKind::New: return "new";
  case ChangeKind::Other: return "changed";
  }
  return "";
}

ChangeKind changeOf(const QueryRow& row) {
  std::optional<Verdict> before = parseVerdict(row.previous);
  bool wasBad = before && standingOf(*before) == Standing::Bad;
  if (row.outcome == Outcome::Regressed && !wasBad) return ChangeKind::Regressed;
  if (row.isNew) return ChangeKind::New;
  return wasBad && standingOf(row.verdict) == Standing::Good ? ChangeKind::Fixed : ChangeKind::Other;
}

Changes sortChanges(const std::vector<QueryRow>& rows, bool everyCell) {
  Changes changes;
  changes.totals = totalsOf(rows);
  if (!everyCell) changes.quiet = sumUp(rows);
  for (CellGroup& group : groupCells(rows, everyCell)) {
    const QueryRow& row = *group.rows.front();
    if (everyCell || !isQuiet(row)) changes.entries.push_back({changeOf(row), std::move(group)});
  }
  std::stable_sort(changes.entries.begin(), changes.entries.end(),
                   [](const Changes::Entry& a, const Changes::Entry& b) { return a.change < b.change; });
  return changes;
}

} // namespace harness
