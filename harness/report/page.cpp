#include "harness/report/page.h"

#include "harness/base/text.h"
#include "harness/report/details.h"
#include "harness/report/run_words.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace harness {

namespace {

using Rows = std::vector<const QueryRow*>;

/// In a field only what is needed to see whether it is worth a look.
constexpr std::size_t kPlacesInField = 2;

/// Where a cell's finding is told: by the row's address.
using Anchors = std::map<const QueryRow*, std::string>;

/// The cells of one case, toolchain by toolchain in the page's order.
struct CaseRows {
  std::string caseId;
  std::vector<Rows> byToolchain;

  Rows all() const {
    Rows rows;
    for (const Rows& some : byToolchain)
      rows.insert(rows.end(), some.begin(), some.end());
    return rows;
  }
  int rank() const {
    int least = rankOf(Outcome::Ok);
    for (const QueryRow* row : all())
      least = std::min(least, rankOf(row->outcome));
    return least;
  }
  bool isClean() const { return rank() == rankOf(Outcome::Ok); }
};

std::vector<std::string> toolchainsOf(const std::vector<QueryRow>& rows) {
  std::vector<std::string> names;
  for (const QueryRow& row : rows)
    if (std::find(names.begin(), names.end(), row.toolchain) == names.end()) names.push_back(row.toolchain);
  // By number; what is no version (a swapped pair) by its first one.
  auto versionOf = [](const std::string& name) {
    std::size_t from = std::min(name.find_first_of("0123456789"), name.size());
    auto version = Version::parse(name.substr(from, name.find('+', from) - from));
    return std::pair(version.value_or(Version{}).parts, name);
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return versionOf(a) < versionOf(b); });
  return names;
}

/// The most alarming first, then by name.
std::vector<CaseRows> casesOf(const std::vector<QueryRow>& rows, const std::vector<std::string>& toolchains) {
  std::map<std::string, CaseRows> cases;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < toolchains.size(); ++i)
    places[toolchains[i]] = i;
  for (const QueryRow& row : rows) {
    CaseRows& one = cases[row.caseId];
    one.caseId = row.caseId;
    one.byToolchain.resize(toolchains.size());
    one.byToolchain[places[row.toolchain]].push_back(&row);
  }
  std::vector<CaseRows> sorted;
  for (auto& [name, one] : cases)
    sorted.push_back(std::move(one));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const CaseRows& a, const CaseRows& b) { return a.rank() < b.rank(); });
  return sorted;
}

/// A cell that passes where `bad` does not: of the same place on the nearest toolchain, newer ones first.
const QueryRow* passingLike(const QueryRow& bad, const CaseRows& all, std::size_t toolchain) {
  std::vector<std::size_t> order;
  for (std::size_t i = toolchain + 1; i < all.byToolchain.size(); ++i)
    order.push_back(i);
  for (std::size_t i = toolchain; i-- > 0;)
    order.push_back(i);
  for (std::size_t i : order)
    for (const QueryRow* row : all.byToolchain[i])
      if (row->arch == bad.arch && row->opt == bad.opt && row->verdict == Verdict::Pass) return row;
  return nullptr;
}

Page::Field fieldOf(const Rows& rows, const ArchAxis& axis, const Anchors& anchors) {
  std::vector<std::pair<std::tuple<int, Verdict, Blame>, Rows>> alike;
  for (const QueryRow* row : rows) {
    std::tuple key{rankOf(row->outcome), row->verdict, row->blame};
    auto same = std::find_if(alike.begin(), alike.end(), [&](const auto& some) { return some.first == key; });
    if (same == alike.end()) same = alike.insert(alike.end(), {key, {}});
    same->second.push_back(row);
  }
  std::stable_sort(alike.begin(), alike.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Page::Field field;
  for (const auto& [key, members] : alike) {
    const QueryRow& row = *members.front();
    bool isRest = &members == &alike.back().second;
    auto anchor = anchors.find(&row);
    field.parts.push_back({row.outcome, row.verdict, row.blame,
                           isRest ? "" : describePlaces(members, axis, kPlacesInField), members.size(),
                           anchor == anchors.end() ? "" : anchor->second});
  }
  return field;
}

Page::Clean cleanOf(const CaseRows& all) {
  Page::Clean clean{all.caseId, 0, 0};
  for (const QueryRow* row : all.all())
    ++(row->verdict == Verdict::Pass ? clean.passed : clean.skipped);
  return clean;
}

std::vector<Page::Total> totalsOf(const std::vector<QueryRow>& rows) {
  std::map<int, Page::Total> totals;
  for (const QueryRow& row : rows) {
    Page::Total& total = totals[rankOf(row.outcome)];
    total.outcome = row.outcome;
    ++total.cells;
  }
  std::vector<Page::Total> sorted;
  for (const auto& [rank, total] : totals)
    sorted.push_back(total);
  return sorted;
}

/// A finding of the page, and the row that stands for it.
struct Told {
  PageFinding* finding;
  const QueryRow* row;
  std::size_t nth; ///< of the case's mismatches
};

/// Asks for the evidence of every finding, and for as many explanations as are allowed.
void gatherEvidence(std::vector<Told> told, const PageInput& input, const EvidenceSource& evidence) {
  std::stable_sort(told.begin(), told.end(), [](const Told& a, const Told& b) {
    return std::pair(rankOf(a.finding->outcome), a.nth) < std::pair(rankOf(b.finding->outcome), b.nth);
  });
  std::size_t left = input.explanations;
  for (const Told& one : told) {
    bool isWrong = one.row->verdict == Verdict::Mismatch;
    bool explain = isWrong && left > 0;
    if (explain) --left;
    one.finding->evidence = evidence(*one.row, explain);
    if (isWrong && !explain && one.finding->evidence.noExplanation.empty())
      one.finding->evidence.noExplanation =
          "only " + std::to_string(input.explanations) + " were made for this page";
  }
}

/// All findings, without their evidence; `told` points into the result.
std::vector<Page::Case> findingsOf(const std::vector<CaseRows>& cases, const ArchAxis& axis,
                                   const std::string& databaseArgument, Anchors& anchors,
                                   std::vector<Told>& told) {
  std::vector<Page::Case> found;
  std::size_t number = 0;
  std::vector<std::vector<const QueryRow*>> shown;
  for (const CaseRows& all : cases) {
    Page::Case one{all.caseId, "", {}};
    shown.emplace_back();
    for (std::size_t i = 0; i < all.byToolchain.size(); ++i)
      for (const Rows& rows : groupFindings(all.byToolchain[i])) {
        const QueryRow& row = representative(rows);
        one.findings.push_back(describeFinding(rows, axis, passingLike(row, all, i), databaseArgument));
        one.findings.back().anchor = "f" + std::to_string(++number);
        for (const QueryRow* member : rows)
          anchors[member] = one.findings.back().anchor;
        shown.back().push_back(&row);
      }
    if (one.findings.empty())
      shown.pop_back();
    else
      found.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < found[i].findings.size(); ++j)
      told.push_back(
          {&found[i].findings[j], shown[i][j], shown[i][j]->verdict == Verdict::Mismatch ? wrong++ : wrong});
  }
  return found;
}

void fillChanges(Page& page, const PageInput& input, const ArchAxis& axis, const Anchors& anchors) {
  std::map<std::string, std::string> anchorOf; // the rows of `changed` are others
  for (const auto& [row, anchor] : anchors)
    anchorOf[cellName(*row)] = anchor;
  Changes changes = sortChanges(input.changed, false);
  page.changes = changes.totals;
  page.quietChanges = changes.quiet;
  for (const Changes::Entry& entry : changes.entries) {
    const QueryRow& row = *entry.group.rows.front();
    auto anchor = anchorOf.find(cellName(row));
    page.changed.push_back({entry.change, row.caseId, row.toolchain,
                            axis.name(entry.group.cells.archs) + " × " + nameLevels(entry.group.cells.opts),
                            verdictOf(row), describeFinding(entry.group.rows), row.outcome, row.blame,
                            anchor == anchorOf.end() ? "" : anchor->second});
  }
}

} // namespace

Page makePage(const PageInput& input, const EvidenceSource& evidence) {
  Page page;
  page.run = input.run;
  page.before = input.before;
  page.headline = headlineOf(input.run, input.rows);
  page.work = workDone(input.run);
  page.totals = totalsOf(input.rows);
  page.totalsInWords = describeTotals(input.rows);
  page.toolchains = toolchainsOf(input.rows);
  page.blameDifferences = blameDifferences(input.rows);
  ArchAxis axis;
  for (const QueryRow& row : input.rows)
    axis.add(row.arch);
  page.archLegend = axis.legend();
  std::vector<CaseRows> cases = casesOf(input.rows, page.toolchains);
  Anchors anchors;
  std::vector<Told> told;
  page.cases = findingsOf(cases, axis, input.databaseArgument, anchors, told);
  gatherEvidence(told, input, evidence);
  for (Page::Case& one : page.cases)
    one.title = one.findings.front().evidence.title;
  for (const CaseRows& all : cases) {
    if (all.isClean()) {
      page.clean.push_back(cleanOf(all));
      continue;
    }
    Page::Line line{all.caseId, {}};
    for (const Rows& rows : all.byToolchain)
      line.fields.push_back(fieldOf(rows, axis, anchors));
    page.lines.push_back(std::move(line));
  }
  fillChanges(page, input, axis, anchors);
  return page;
}

} // namespace harness
