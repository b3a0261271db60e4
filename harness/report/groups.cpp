#include "harness/report/groups.h"

#include "harness/base/text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace harness {

namespace {

bool samePlace(const QueryRow& a, const QueryRow& b) {
  return a.caseId == b.caseId && a.toolchain == b.toolchain;
}

bool agree(const QueryRow& a, const QueryRow& b) {
  auto key = [](const QueryRow& r) {
    return std::tie(r.caseId, r.toolchain, r.verdict, r.outcome, r.blame, r.previous);
  };
  return key(a) == key(b);
}

} // namespace

int rankOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Regressed: return 0;
  case Outcome::Undecided: return 1;
  case Outcome::Fixed: return 2;
  case Outcome::Expected: return 3;
  case Outcome::Ok: return 4;
  }
  return 0;
}

std::vector<CellGroup> groupCells(const std::vector<QueryRow>& rows, bool everyCell) {
  std::vector<CellGroup> groups;
  if (everyCell) {
    for (const QueryRow& row : rows)
      groups.push_back({{&row}, {{row.arch}, {row.opt}, {0}}});
    return groups;
  }
  for (auto from = rows.begin(); from != rows.end();) {
    auto to = std::find_if(from, rows.end(), [&](const QueryRow& row) { return !samePlace(row, *from); });
    std::vector<const QueryRow*> left;
    for (auto row = from; row != to; ++row)
      left.push_back(&*row);
    std::stable_sort(left.begin(), left.end(),
                     [](const auto* a, const auto* b) { return rankOf(a->outcome) < rankOf(b->outcome); });
    while (!left.empty()) {
      auto rest = std::stable_partition(left.begin(), left.end(),
                                        [&](const auto* row) { return agree(*row, *left[0]); });
      std::vector<const QueryRow*> alike(left.begin(), rest);
      left.erase(left.begin(), rest);
      std::vector<std::pair<std::string, std::string>> places;
      for (const QueryRow* row : alike)
        places.emplace_back(row->arch, row->opt);
      for (Rectangle& rectangle : rectanglesOf(places)) {
        CellGroup group;
        for (std::size_t member : rectangle.members)
          group.rows.push_back(alike[member]);
        group.cells = std::move(rectangle);
        groups.push_back(std::move(group));
      }
    }
    from = to;
  }
  return groups;
}

std::string verdictOf(const QueryRow& row) {
  std::string verdict(toString(row.verdict));
  std::string before = row.isNew ? "new" : row.previous;
  return before.empty() ? verdict : before + " → " + verdict;
}

std::string cellName(const QueryRow& row) {
  return row.caseId + "@" + row.toolchain + "/" + row.arch + "/" + row.opt;
}

std::string describeTotals(const std::vector<QueryRow>& rows) {
  std::map<std::tuple<int, Verdict, Outcome>, std::size_t> counts;
  for (const QueryRow& row : rows)
    ++counts[{rankOf(row.outcome), row.verdict, row.outcome}];
  std::string text = std::to_string(rows.size()) + (rows.size() == 1 ? " cell" : " cells");
  const char* separator = ": ";
  for (const auto& [key, count] : counts) {
    const auto& [rank, verdict, outcome] = key;
    text += separator + std::to_string(count) + " " + std::string(toString(verdict));
    if (outcome != Outcome::Ok) text += " (" + std::string(toString(outcome)) + ")";
    separator = ", ";
  }
  return text;
}

std::vector<KnownFault> knownFaults(const std::vector<QueryRow>& rows) {
  std::vector<KnownFault> known;
  for (const QueryRow& row : rows) {
    if (row.why.empty() || row.outcome != Outcome::Expected) continue;
    auto same =
        std::find_if(known.begin(), known.end(), [&](const KnownFault& k) { return k.why == row.why; });
    if (same == known.end()) same = known.insert(known.end(), KnownFault{row.why, {}});
    if (same->cases.empty() || same->cases.back() != row.caseId) same->cases.push_back(row.caseId);
  }
  return known;
}

bool isBlameDifferent(const QueryRow& row) {
  return row.outcome == Outcome::Expected && !row.expectedBlame.empty() &&
         row.expectedBlame != toString(Blame::Unknown) && row.expectedBlame != toString(row.blame);
}

std::vector<std::string> blameDifferences(const std::vector<QueryRow>& rows) {
  struct Difference {
    std::string text;
    std::size_t cells = 0;
    std::vector<std::string> cases;
  };
  std::vector<Difference> differences;
  for (const QueryRow& row : rows) {
    if (!isBlameDifferent(row)) continue;
    std::string text = "blame is " + std::string(toString(row.blame)) + ", expected " + row.expectedBlame;
    auto same = std::find_if(differences.begin(), differences.end(),
                             [&](const Difference& difference) { return difference.text == text; });
    if (same == differences.end()) same = differences.insert(differences.end(), Difference{text, 0, {}});
    ++same->cells;
    if (same->cases.empty() || same->cases.back() != row.caseId) same->cases.push_back(row.caseId);
  }
  std::vector<std::string> lines;
  for (const Difference& difference : differences)
    lines.push_back(difference.text + ", in " + std::to_string(difference.cells) +
                    (difference.cells == 1 ? " cell: " : " cells: ") + join(difference.cases, ", "));
  return lines;
}

} // namespace harness
