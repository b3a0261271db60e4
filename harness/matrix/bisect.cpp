#include "harness/matrix/bisect.h"

#include "harness/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace harness {

namespace {

constexpr std::array<const char*, 6> kLevels{"O3", "O2", "O1", "O0", "G", "cicc-O1"}; ///< the preferred first

JudgedCell judgedCell(const CellName& name, const CellFinding& finding, bool known) {
  return {name, finding.verdict, known, finding.ptx, finding.reason};
}

/// Does the asking, each cell once, and counts.
class Inquiry {
public:
  explicit Inquiry(CellSource& cells) : source_(cells) {}

  std::vector<JudgedCell> judge(const std::vector<CellName>& names) {
    std::vector<CellName> missing;
    for (const CellName& name : names)
      if (!known(name) && std::find(missing.begin(), missing.end(), name) == missing.end())
        missing.push_back(name);
    if (!missing.empty()) {
      std::vector<CellFinding> findings = source_.judge(missing);
      for (std::size_t i = 0; i < missing.size(); ++i)
        asked_[missing[i].str()] = judgedCell(missing[i], findings[i], false);
      judged += missing.size();
    }
    std::vector<JudgedCell> cells;
    for (const CellName& name : names)
      cells.push_back(asked_.at(name.str()));
    return cells;
  }

  std::optional<JudgedCell> known(const CellName& name) {
    if (auto found = asked_.find(name.str()); found != asked_.end()) return found->second;
    auto finding = source_.known(name);
    if (!finding) return std::nullopt;
    ++knownCells;
    return asked_[name.str()] = judgedCell(name, *finding, true);
  }

  std::size_t knownCells = 0, judged = 0;

private:
  CellSource& source_;
  std::map<std::string, JudgedCell> asked_;
};

bool decided(const HistoryPoint& point) {
  return point.cell && point.cell->standing() != Standing::Undecided;
}

/// The toolchains along one place.
class Line {
public:
  Line(const std::string& caseId, const Axis& axis, const Place& place, Inquiry& inquiry)
      : inquiry_(inquiry) {
    for (const AxisPoint& toolchain : axis.installed) {
      CellName name{caseId, toolchain.name, place.arch, place.opt};
      names_.push_back(name);
      bool exists =
          std::find(toolchain.archs.begin(), toolchain.archs.end(), place.arch) != toolchain.archs.end();
      JudgedCell missing{name, Verdict::Skipped, true, Standing::Undecided,
                         "its ptxas does not know " + place.arch};
      points_.push_back({toolchain.name, exists ? inquiry_.known(name) : std::move(missing)});
    }
  }

  std::vector<HistoryPoint> explore(bool everywhere) {
    if (everywhere)
      judgeAll();
    else {
      judgeEnd(points_.size(), [&](std::size_t k) { return k; });
      judgeEnd(points_.size(), [&](std::size_t k) { return points_.size() - 1 - k; });
    }
    narrow();
    if (!has(Standing::Good) || !has(Standing::Bad)) judgeAll();
    narrow();
    return std::move(points_);
  }

private:
  void judge(const std::vector<std::size_t>& points) {
    std::vector<CellName> names;
    for (std::size_t point : points)
      names.push_back(names_[point]);
    std::vector<JudgedCell> cells = inquiry_.judge(names);
    for (std::size_t i = 0; i < points.size(); ++i)
      points_[points[i]].cell = cells[i];
  }

  void judgeAll() {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (!points_[i].cell) all.push_back(i);
    judge(all);
  }

  /// The first point from one end that says something.
  template <typename At> void judgeEnd(std::size_t count, At at) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!points_[at(k)].cell) judge({at(k)});
      if (decided(points_[at(k)])) return;
    }
  }

  /// Halves, all at once, the gaps whose ends differ, until nothing in them is left to be judged.
  void narrow() {
    for (std::vector<std::size_t> middles = middlesOfGaps(); !middles.empty(); middles = middlesOfGaps())
      judge(middles);
  }

  std::vector<std::size_t> middlesOfGaps() const {
    std::vector<std::size_t> middles, open;
    std::optional<Standing> before;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!points_[i].cell) open.push_back(i);
      if (!decided(points_[i])) continue;
      Standing standing = points_[i].cell->standing();
      if (before && *before != standing && !open.empty()) middles.push_back(open[open.size() / 2]);
      before = standing;
      open.clear();
    }
    return middles;
  }

  bool has(Standing standing) const {
    return std::any_of(points_.begin(), points_.end(), [&](const HistoryPoint& point) {
      return point.cell && point.cell->standing() == standing;
    });
  }

  Inquiry& inquiry_;
  std::vector<CellName> names_;
  std::vector<HistoryPoint> points_;
};

std::vector<Change> changesOf(const std::vector<HistoryPoint>& history) {
  std::vector<Change> changes;
  const HistoryPoint* before = nullptr;
  std::vector<std::string> undecided;
  for (const HistoryPoint& point : history) {
    if (point.cell && !decided(point)) undecided.push_back(point.toolchain);
    if (!decided(point)) continue;
    if (before && before->cell->standing() != point.cell->standing())
      changes.push_back({*before->cell, *point.cell, Stage::Unknown, false, {}, undecided, {}});
    before = &point;
    undecided.clear();
  }
  return changes;
}

Stage stageOfWrongPtx(Standing goodWithBadPtxas, Standing badWithGoodPtxas) {
  bool ptxas = goodWithBadPtxas == Standing::Bad, frontEnd = badWithGoodPtxas == Standing::Bad;
  if (ptxas && frontEnd) return Stage::Either;
  if (ptxas) return Stage::Ptxas;
  if (frontEnd) return Stage::FrontEnd;
  bool bothGood = goodWithBadPtxas == Standing::Good && badWithGoodPtxas == Standing::Good;
  return bothGood ? Stage::Together : Stage::Unknown;
}

/// `badPtx`: of the PTX that the bad front end writes.
Stage stageOf(Standing badPtx, Standing goodWithBadPtxas, Standing badWithGoodPtxas) {
  if (badPtx == Standing::Bad) return stageOfWrongPtx(goodWithBadPtxas, badWithGoodPtxas);
  bool told = goodWithBadPtxas == Standing::Bad || badWithGoodPtxas != Standing::Undecided;
  // Without a word on the PTX, what is wrong with either ptxas may be the fault of either stage.
  bool open = badPtx == Standing::Undecided && badWithGoodPtxas == Standing::Bad;
  return told && !open ? Stage::Ptxas : Stage::Unknown;
}

void findStage(Change& change, const JudgedCell& goodWithBadPtxas, const JudgedCell& badWithGoodPtxas) {
  change.swaps = {goodWithBadPtxas, badWithGoodPtxas};
  // Both are of the same PTX; the database may know one without it.
  Standing badPtx = change.bad().ptx == Standing::Undecided ? badWithGoodPtxas.ptx : change.bad().ptx;
  change.stage = stageOf(badPtx, goodWithBadPtxas.standing(), badWithGoodPtxas.standing());
  change.avoided = badPtx == Standing::Good && badWithGoodPtxas.standing() == Standing::Bad;
}

void findStages(std::vector<Change>& changes, const CaseManifest& manifest, Inquiry& inquiry) {
  if (manifest.source.isPtx()) {
    for (Change& change : changes)
      change.stage = Stage::Ptxas;
    return;
  }
  std::vector<CellName> pairs;
  for (const Change& change : changes) {
    const CellName &good = change.good().cell, &bad = change.bad().cell;
    pairs.push_back({good.caseId, good.toolchain + "+" + bad.toolchain, good.arch, good.opt});
    pairs.push_back({good.caseId, bad.toolchain + "+" + good.toolchain, good.arch, good.opt});
  }
  std::vector<JudgedCell> cells = inquiry.judge(pairs);
  for (std::size_t i = 0; i < changes.size(); ++i)
    findStage(changes[i], cells[2 * i], cells[2 * i + 1]);
}

const AxisPoint& pointOf(const Axis& axis, const std::string& toolchain) {
  return *std::find_if(axis.installed.begin(), axis.installed.end(),
                       [&](const AxisPoint& point) { return point.name == toolchain; });
}

/// The first and the last toolchain of the newest bad stretch; null if there is none.
std::pair<const JudgedCell*, const JudgedCell*> lastBadStretch(const std::vector<HistoryPoint>& history) {
  const JudgedCell *first = nullptr, *last = nullptr;
  bool goesOn = false;
  for (const HistoryPoint& point : history) {
    if (!decided(point)) continue;
    bool bad = point.cell->standing() == Standing::Bad;
    if (bad && !goesOn) first = &*point.cell;
    if (bad) last = &*point.cell;
    goesOn = bad;
  }
  return {first, last};
}

/// Those of `installable` between two builds, each of which may be missing.
std::vector<std::string> installableBetween(const Axis& axis, const Version* from, const Version* to) {
  std::vector<std::string> names;
  for (const std::string& name : axis.installable) {
    auto build = Version::parse(name);
    bool there = std::any_of(axis.installed.begin(), axis.installed.end(),
                             [&](const AxisPoint& point) { return point.name == name; });
    if (build && !there && (!from || *from < *build) && (!to || *build < *to)) names.push_back(name);
  }
  return names;
}

} // namespace

bool isExecutableArch(std::string_view arch) {
  constexpr unsigned kOldest = 75; // as Cubin::parse has it
  unsigned number = 0;
  return arch.starts_with("sm_") &&
         std::from_chars(arch.data() + 3, arch.data() + arch.size(), number).ec == std::errc() &&
         number >= kOldest;
}

Place choosePlace(const CaseManifest& manifest, const Axis& axis, const std::vector<StandingRow>& standings,
                  const std::string& arch, const std::string& opt) {
  using Candidates = std::set<std::pair<std::string, std::string>>;
  Candidates known, expected;
  std::set<std::string> names;
  for (const AxisPoint& point : axis.installed)
    names.insert(point.name);
  for (const StandingRow& row : standings)
    if (standingOf(row.verdict) == Standing::Bad && names.contains(row.toolchain))
      known.insert({row.arch, row.opt});
  std::map<std::string, std::size_t> knownBy; // how many toolchains know an architecture
  for (const AxisPoint& point : axis.installed)
    for (const std::string& one : point.archs) {
      ++knownBy[one];
      for (const char* level : kLevels) {
        const Expectation* expectation = expectationFor(manifest, point.build, point.build, one, level);
        auto verdict = expectation ? parseVerdict(expectation->verdict) : std::nullopt;
        if (verdict && standingOf(*verdict) == Standing::Bad) expected.insert({one, level});
      }
    }
  auto worth = [&](const std::pair<std::string, std::string>& place) {
    const auto* level = std::find(kLevels.begin(), kLevels.end(), place.second);
    return std::pair(knownBy[place.first], kLevels.end() - level);
  };
  for (auto [candidates, origin] :
       {std::pair{&known, Place::Origin::Known}, {&expected, Place::Origin::Expected}}) {
    const std::pair<std::string, std::string>* best = nullptr;
    for (const auto& place : *candidates) {
      bool wanted = (arch.empty() || place.first == arch) && (opt.empty() || place.second == opt);
      if (wanted && (!best || worth(place) > worth(*best))) best = &place;
    }
    if (best && (arch.empty() || opt.empty())) return {best->first, best->second, origin};
  }
  return {arch.empty() ? "sm_80" : arch, opt.empty() ? "O3" : opt,
          arch.empty() || opt.empty() ? Place::Origin::Default : Place::Origin::Given};
}

std::string_view toString(Stage stage) {
  switch (stage) {
  case Stage::Ptxas: return "ptxas";
  case Stage::FrontEnd: return "front-end";
  case Stage::Either: return "either";
  case Stage::Together: return "together";
  case Stage::Unknown: break;
  }
  return "unknown";
}

bool Bisection::any(Standing standing) const {
  return std::any_of(history.begin(), history.end(), [&](const HistoryPoint& point) {
    return point.cell && point.cell->standing() == standing;
  });
}

Bisection bisect(const CaseManifest& manifest, const Axis& axis, const Place& place, bool everywhere,
                 CellSource& cells) {
  Inquiry inquiry(cells);
  Bisection result;
  result.caseId = manifest.id;
  result.place = place;
  result.history = Line(manifest.id, axis, place, inquiry).explore(everywhere);
  result.changes = changesOf(result.history);
  findStages(result.changes, manifest, inquiry);
  for (Change& change : result.changes)
    change.installable = installableBetween(axis, &pointOf(axis, change.before.cell.toolchain).build,
                                            &pointOf(axis, change.after.cell.toolchain).build);
  auto oldest = std::find_if(result.history.begin(), result.history.end(), decided);
  if (oldest != result.history.end())
    result.older = installableBetween(axis, nullptr, &pointOf(axis, oldest->toolchain).build);

  if (auto [first, last] = lastBadStretch(result.history); first) {
    std::vector<CellName> levels, archs;
    for (const char* level : {"O0", "O1", "O2", "O3", "G", "cicc-O1"})
      levels.push_back({manifest.id, first->cell.toolchain, place.arch, level});
    for (const std::string& arch : pointOf(axis, last->cell.toolchain).archs)
      archs.push_back({manifest.id, last->cell.toolchain, arch, place.opt});
    result.levels = inquiry.judge(levels);
    result.archs = inquiry.judge(archs);
  }
  result.known = inquiry.knownCells;
  result.judged = inquiry.judged;
  return result;
}

} // namespace harness
