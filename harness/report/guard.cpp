#include "harness/report/guard.h"

#include "harness/base/text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace harness {

namespace {

/// How a build stands to an architecture.
enum class State {
  Unknown, ///< not measured, or nothing was decided
  Absent,  ///< it does not know the architecture
  Good,
  Bad,
};

struct Point {
  std::string toolchain;
  Version frontEnd, ptxas;
  std::map<std::string, State> states; ///< by architecture

  // One release may say two numbers, its NVRTC's and its nvcc's: bounds take in both.
  const Version& low() const { return std::min(frontEnd, ptxas); }
  const Version& high() const { return std::max(frontEnd, ptxas); }
  State at(const std::string& arch) const {
    auto found = states.find(arch);
    return found == states.end() ? State::Unknown : found->second;
  }
};

using Cells = std::vector<const GuardCell*>;

bool isTwin(std::string_view toolchain) {
  return toolchain.starts_with("nvrtc-");
}

bool isSourcesOwn(const GuardCell& cell) {
  return standingOf(cell.verdict) == Standing::Bad &&
         (cell.blame == Blame::Source || cell.verdict == Verdict::ScheduleDependent);
}

/// Wrong, and not known to be anybody's but a compiler's.
bool isBad(const GuardCell& cell) {
  return standingOf(cell.verdict) == Standing::Bad && !isSourcesOwn(cell) &&
         cell.verdict != Verdict::Approximate && cell.blame != Blame::HardwareOrExecutor;
}

bool isAmong(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (!isAmong(names, name)) names.push_back(name);
}

/// "sm_90a" as 90 and "a", so that architectures come in their order.
std::pair<unsigned, std::string> archKey(const std::string& arch) {
  unsigned number = 0;
  std::size_t i = arch.find('_') == std::string::npos ? 0 : arch.find('_') + 1;
  for (; i < arch.size() && arch[i] >= '0' && arch[i] <= '9' && number < 100000; ++i)
    number = number * 10 + static_cast<unsigned>(arch[i] - '0');
  return {number, arch.substr(i)};
}

State stateOf(const Cells& cells, const std::vector<std::string>& badLevels) {
  bool absent = !cells.empty(), good = false;
  for (const GuardCell* cell : cells) {
    if (isBad(*cell)) return State::Bad;
    absent &= cell->verdict == Verdict::Skipped;
    // Where nothing is bad anywhere, every level tells.
    good |=
        standingOf(cell->verdict) == Standing::Good && (badLevels.empty() || isAmong(badLevels, cell->opt));
  }
  return good ? State::Good : absent ? State::Absent : State::Unknown;
}

/// All toolchains but swapped pairs, in the order of their versions.
std::vector<Point> pointsOf(const std::vector<GuardCell>& cells, const std::vector<std::string>& badLevels) {
  std::map<std::string, std::map<std::string, Cells>> byToolchain;
  for (const GuardCell& cell : cells)
    byToolchain[cell.toolchain][cell.arch].push_back(&cell);
  std::vector<Point> points;
  for (const auto& [toolchain, archs] : byToolchain) {
    const GuardCell& any = *archs.begin()->second.front();
    Point point{toolchain, any.frontEnd, any.ptxas, {}};
    for (const auto& [arch, ofArch] : archs)
      point.states[arch] = stateOf(ofArch, badLevels);
    points.push_back(std::move(point));
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return std::tie(a.ptxas, a.frontEnd, a.toolchain) < std::tie(b.ptxas, b.frontEnd, b.toolchain);
  });
  return points;
}

std::vector<Point> withoutTwins(const std::vector<Point>& points) {
  std::vector<Point> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept), [&](const Point& point) {
    return !isTwin(point.toolchain) || std::none_of(points.begin(), points.end(), [&](const Point& other) {
      return !isTwin(other.toolchain) && other.ptxas == point.ptxas;
    });
  });
  return kept;
}

std::vector<GuardRange> rangesOf(const std::vector<Point>& points, const std::string& arch, bool unlimited) {
  std::vector<GuardRange> ranges;
  std::string lastGood;
  bool within = false;
  for (const Point& point : points) {
    State state = point.at(arch);
    if (state == State::Bad) {
      if (!within) {
        GuardRange range;
        range.from = point.low();
        range.lastGood = lastGood;
        range.firstBad = point.toolchain;
        ranges.push_back(std::move(range));
      }
      within = true;
      ranges.back().end = point.high();
      ranges.back().endIncluded = true;
      ranges.back().lastBad = point.toolchain;
    } else if (state == State::Good) {
      if (within) {
        ranges.back().end = point.low();
        ranges.back().endIncluded = false;
        ranges.back().firstGood = point.toolchain;
      }
      within = false;
      lastGood = point.toolchain;
    }
  }
  if (within) ranges.back().unlimited = unlimited;
  return ranges;
}

/// True if nothing that was measured between the two first bad builds knows the architecture: then the range
/// may begin at the older one too.
bool mayBeginAt(const std::vector<Point>& points, const std::string& arch, const GuardRange& older,
                const GuardRange& own) {
  if (!own.lastGood.empty() || !older.lastGood.empty()) return false;
  return std::all_of(points.begin(), points.end(), [&](const Point& point) {
    bool between = point.high() >= older.from && point.high() < own.from;
    return !between || point.at(arch) == State::Absent;
  });
}

/// The same history but for its beginning, before which the architecture did not exist.
bool joins(const std::vector<Point>& points, const GuardRule& rule, const std::string& arch,
           std::vector<GuardRange> ranges) {
  if (rule.ranges.size() != ranges.size()) return false;
  if (!(ranges.front() == rule.ranges.front())) {
    if (ranges.front().from < rule.ranges.front().from) return false;
    if (!mayBeginAt(points, arch, rule.ranges.front(), ranges.front())) return false;
    ranges.front().from = rule.ranges.front().from;
    ranges.front().firstBad = rule.ranges.front().firstBad;
  }
  return ranges == rule.ranges;
}

void addLevels(Guard& guard, const std::vector<GuardCell>& cells) {
  std::set<std::pair<std::string, std::string>> badPlaces; // toolchain, architecture
  for (const GuardCell& cell : cells) {
    guard.sourceAtFault |= isSourcesOwn(cell);
    if (!isBad(cell)) continue;
    ++guard.badCells;
    guard.unblamedCells += cell.blame == Blame::Unknown;
    addOnce(guard.badLevels, cell.opt);
    badPlaces.emplace(cell.toolchain, cell.arch);
  }
  for (const GuardCell& cell : cells)
    if (standingOf(cell.verdict) == Standing::Good && badPlaces.contains({cell.toolchain, cell.arch}) &&
        !isAmong(guard.badLevels, cell.opt))
      addOnce(guard.goodLevels, cell.opt);
  std::sort(guard.badLevels.begin(), guard.badLevels.end());
  std::sort(guard.goodLevels.begin(), guard.goodLevels.end());
}

/// The toolchains and architectures of which something is known.
void addAxes(Guard& guard, const std::vector<Point>& points) {
  for (const Point& point : points)
    for (const auto& [arch, state] : point.states) {
      if (state != State::Good && state != State::Bad) continue;
      addOnce(guard.toolchains, point.toolchain);
      addOnce(guard.archs, arch);
    }
  std::sort(guard.archs.begin(), guard.archs.end(),
            [](const std::string& a, const std::string& b) { return archKey(a) < archKey(b); });
}

void addRules(Guard& guard, const std::vector<Point>& points, bool unlimited) {
  for (const std::string& arch : guard.archs) {
    std::vector<GuardRange> ranges = rangesOf(points, arch, unlimited);
    if (ranges.empty()) continue;
    auto rule = std::find_if(guard.rules.begin(), guard.rules.end(), [&](const GuardRule& candidate) {
      return joins(points, candidate, arch, ranges);
    });
    if (rule == guard.rules.end()) rule = guard.rules.insert(rule, GuardRule{{}, std::move(ranges)});
    rule->archs.push_back(arch);
  }
}

bool wasMeasured(const std::vector<Point>& points, const Version& release) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Point& point) { return point.ptxas == release; });
}

bool isCovered(const Guard& guard, const Version& build) {
  return std::any_of(guard.rules.begin(), guard.rules.end(),
                     [&](const GuardRule& rule) { return guard.selects(build, rule.archs.front()); });
}

/// Where what was measured and what the rules say differ: one front end's build stands for two compilers.
std::vector<std::string> exceptionsOf(const Guard& guard, const std::vector<Point>& points) {
  std::vector<std::string> sentences;
  for (const Point& point : points)
    for (State state : {State::Bad, State::Good}) {
      std::vector<std::string> archs;
      for (const std::string& arch : guard.archs)
        if (point.at(arch) == state && guard.selects(point.frontEnd, arch) != (state == State::Bad))
          archs.push_back(arch);
      if (archs.empty()) continue;
      sentences.push_back(point.toolchain + ", whose front end says " + point.frontEnd.str() + ", is " +
                          (state == State::Bad ? "bad and not selected" : "good and selected all the same") +
                          " (" + joinFew(archs, " ", 6) + ")");
    }
  return sentences;
}

} // namespace

bool GuardRange::contains(const Version& build) const {
  if (build < from) return false;
  return unlimited || build < end || (endIncluded && build == end);
}

bool Guard::selects(const Version& frontEnd, std::string_view arch) const {
  return std::any_of(rules.begin(), rules.end(), [&](const GuardRule& rule) {
    return isAmong(rule.archs, arch) &&
           std::any_of(rule.ranges.begin(), rule.ranges.end(),
                       [&](const GuardRange& range) { return range.contains(frontEnd); });
  });
}

Guard findGuard(std::string caseId, const std::vector<GuardCell>& cells, const GuardOptions& options) {
  Guard guard;
  guard.caseId = std::move(caseId);
  std::vector<GuardCell> plain;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(plain),
               [](const GuardCell& cell) { return cell.toolchain.find('+') == std::string::npos; });
  addLevels(guard, plain);
  std::vector<Point> all = pointsOf(plain, guard.badLevels), points = withoutTwins(all);
  addAxes(guard, points);
  addRules(guard, points, options.unlimited);
  for (const Version& release : options.releases)
    if (!wasMeasured(points, release) && isCovered(guard, release)) addOnce(guard.unmeasured, release.str());
  guard.exceptions = exceptionsOf(guard, all);
  return guard;
}

} // namespace harness
