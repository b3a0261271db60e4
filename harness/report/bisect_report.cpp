#include "harness/report/bisect_report.h"

#include "harness/base/text.h"
#include "harness/report/collapse.h"
#include "harness/report/table.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <functional>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<JudgedCell>;

std::string_view nameOf(Place::Origin origin) {
  switch (origin) {
  case Place::Origin::Given: return "given";
  case Place::Origin::Known: return "known";
  case Place::Origin::Expected: return "expected";
  case Place::Origin::Default: break;
  }
  return "default";
}

std::string_view reasonFor(Place::Origin origin) {
  switch (origin) {
  case Place::Origin::Given: return "";
  case Place::Origin::Known: return ", where the database has a fault";
  case Place::Origin::Expected: return ", where its manifest expects a fault";
  case Place::Origin::Default: break;
  }
  return ", for want of anything better; --arch and --opt choose";
}

std::string_view phraseFor(Stage stage) {
  switch (stage) {
  case Stage::Ptxas: return "ptxas";
  case Stage::FrontEnd: return "front end";
  case Stage::Either: return "front end and ptxas, each by itself";
  case Stage::Together: return "front end and ptxas, only together";
  case Stage::Unknown: break;
  }
  return "stage not decided";
}

Color colorOf(const JudgedCell& cell) {
  switch (cell.standing()) {
  case Standing::Good: return Color::Green;
  case Standing::Bad: return Color::Red;
  case Standing::Undecided: break;
  }
  return Color::Yellow;
}

std::vector<const JudgedCell*> decidedOf(const std::vector<HistoryPoint>& history) {
  std::vector<const JudgedCell*> cells;
  for (const HistoryPoint& point : history)
    if (point.cell && point.cell->standing() != Standing::Undecided) cells.push_back(&*point.cell);
  return cells;
}

std::string installCommand(const std::vector<std::string>& names) {
  return "harness toolchain install " + join(names, " ");
}

std::vector<std::string> namesOf(const Cells& cells, Standing standing, std::string CellName::* part) {
  std::vector<std::string> names;
  for (const JudgedCell& cell : cells)
    if (cell.standing() == standing) names.push_back(cell.cell.*part);
  return names;
}

std::string levelsPhrase(const Cells& levels) {
  std::string bad = nameLevels(namesOf(levels, Standing::Bad, &CellName::opt));
  std::string good = nameLevels(namesOf(levels, Standing::Good, &CellName::opt));
  return good.empty() ? bad : bad + ", not " + good;
}

/// "sm_90 and newer" if that is what it is.
std::string archsPhrase(const Cells& archs) {
  std::vector<std::string> bad = namesOf(archs, Standing::Bad, &CellName::arch);
  std::vector<std::string> good = namesOf(archs, Standing::Good, &CellName::arch);
  if (bad.empty()) return "";
  if (good.empty())
    return bad.size() == 1 ? bad.front() : "all " + std::to_string(bad.size()) + " architectures";
  auto at = [&](const std::string& arch) {
    return std::find_if(archs.begin(), archs.end(), [&](const JudgedCell& c) { return c.cell.arch == arch; });
  };
  if (at(good.back()) < at(bad.front())) return bad.front() + " and newer";
  if (at(bad.back()) < at(good.front())) return bad.back() + " and older";
  ArchAxis axis;
  for (const JudgedCell& cell : archs)
    axis.add(cell.cell.arch);
  return axis.name(bad);
}

/// "first good 13.1.115", and what stands in the way of saying so for certain.
std::string changePhrase(const Change& change, bool again) {
  std::string text = change.turnsBad() ? (again ? "bad again " : "first bad ") : "first good ";
  text += change.after.cell.toolchain;
  if (change.avoided && !change.turnsBad()) text += " (not repaired)";
  if (!change.undecided.empty()) text += " (or " + join(change.undecided, ", ") + ", undecided)";
  return text;
}

std::string historyPhrase(const Bisection& bisection) {
  std::vector<const JudgedCell*> decided = decidedOf(bisection.history);
  std::vector<std::string> parts;
  bool wasBad = decided.front()->standing() == Standing::Bad;
  if (wasBad) parts.push_back("bad already on " + decided.front()->cell.toolchain + ", the oldest judged");
  for (const Change& change : bisection.changes) {
    parts.push_back(changePhrase(change, wasBad));
    wasBad |= change.turnsBad();
  }
  if (bisection.changes.back().turnsBad()) parts.push_back("still bad on " + decided.back()->cell.toolchain);
  return join(parts, bisection.monotone() ? ", " : "; ");
}

/// "; 13.1.80 passes only because its front end writes other PTX" for those where it is so.
std::string avoidedPhrase(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes)
    if (change.avoided)
      text += "; " + change.good().cell.toolchain + " passes only because its front end writes other PTX";
  return text;
}

std::string stagesPhrase(const std::vector<Change>& changes) {
  bool same = std::all_of(changes.begin(), changes.end(),
                          [&](const Change& change) { return change.stage == changes.front().stage; });
  if (same) return std::string(phraseFor(changes.front().stage));
  std::vector<std::string> parts;
  for (const Change& change : changes)
    parts.push_back(std::string(phraseFor(change.stage)) + " at " + change.after.cell.toolchain);
  return join(parts, ", ");
}

/// One line of a reason that may be a compiler's.
std::string shortened(const std::string& reason) {
  constexpr std::size_t kMost = 160;
  return reason.size() <= kMost ? reason : printable(reason.substr(0, kMost)) + " …";
}

/// Rows of the history: stretches of toolchains that were not judged share one.
void addHistory(Table& table, const Bisection& bisection) {
  const std::vector<HistoryPoint>& history = bisection.history;
  auto remarkOn = [&](const std::string& toolchain) -> std::string {
    std::vector<std::string> remarks;
    bool wasBad = false;
    for (const Change& change : bisection.changes) {
      wasBad |= change.before.standing() == Standing::Bad;
      if (change.before.cell.toolchain == toolchain)
        remarks.push_back(change.turnsBad() ? "last good" : "last bad");
      if (change.after.cell.toolchain == toolchain)
        remarks.push_back(!change.turnsBad() ? (change.avoided ? "first good, by other PTX" : "first good")
                          : wasBad           ? "bad again"
                                             : "first bad");
    }
    return join(remarks, ", ");
  };
  for (std::size_t i = 0; i < history.size();) {
    if (const std::optional<JudgedCell>& cell = history[i].cell) {
      table.add({history[i].toolchain,
                 {std::string(toString(cell->verdict)), colorOf(*cell)},
                 cell->reason.empty() ? remarkOn(history[i].toolchain) : shortened(cell->reason)});
      ++i;
      continue;
    }
    std::size_t last = i;
    while (last + 1 < history.size() && !history[last + 1].cell)
      ++last;
    std::string names = history[i].toolchain + (last > i ? " … " + history[last].toolchain : "");
    table.add({names, {"not judged", Color::Dim}, std::to_string(last - i + 1) + " between two that agree"});
    i = last + 1;
  }
}

void addSwaps(Table& table, const std::vector<Change>& changes) {
  for (const Change& change : changes)
    for (const JudgedCell& pair : change.swaps) {
      std::vector<std::string> halves = split(pair.cell.toolchain, '+');
      std::string ptx = pair.ptx == Standing::Good  ? " (its PTX is right)"
                        : pair.ptx == Standing::Bad ? " (its PTX is wrong)"
                                                    : "";
      table.add({pair.cell.toolchain,
                 {std::string(toString(pair.verdict)), colorOf(pair)},
                 "front end of " + halves.front() + ptx + ", ptxas of " + halves.back() +
                     (pair.reason.empty() ? "" : ": " + shortened(pair.reason))});
    }
}

/// "bad O1–O3, good O0 G, undecided …".
std::string byStanding(const Cells& cells, const std::function<std::string(Standing)>& names) {
  std::vector<std::string> parts;
  for (Standing standing : {Standing::Bad, Standing::Good, Standing::Undecided})
    if (std::any_of(cells.begin(), cells.end(),
                    [&](const JudgedCell& c) { return c.standing() == standing; }))
      parts.push_back(std::string(toString(standing)) + ": " + names(standing));
  return join(parts, "; ");
}

/// Why those that are undecided are, a line a reason.
std::string reasonsOf(const Cells& cells, const std::function<std::string(const Cells&)>& name) {
  std::vector<std::pair<std::string, Cells>> groups;
  for (const JudgedCell& cell : cells) {
    if (cell.reason.empty()) continue;
    auto same = std::find_if(groups.begin(), groups.end(),
                             [&](const auto& group) { return group.first == cell.reason; });
    if (same == groups.end()) same = groups.insert(groups.end(), {cell.reason, {}});
    same->second.push_back(cell);
  }
  std::string text;
  for (const auto& [reason, group] : groups)
    text += "  " + name(group) + ": " + printable(shortened(reason)) + "\n";
  return text;
}

std::string extent(const Bisection& bisection) {
  std::string text;
  if (!bisection.levels.empty())
    text += "levels on " + bisection.levels.front().cell.toolchain + ", " + bisection.place.arch + "  " +
            byStanding(bisection.levels,
                       [&](Standing s) { return nameLevels(namesOf(bisection.levels, s, &CellName::opt)); }) +
            "\n" + reasonsOf(bisection.levels, [](const Cells& some) {
              return nameLevels(namesOf(some, Standing::Undecided, &CellName::opt));
            });
  if (!bisection.archs.empty()) {
    ArchAxis axis;
    for (const JudgedCell& cell : bisection.archs)
      axis.add(cell.cell.arch);
    text += "architectures on " + bisection.archs.front().cell.toolchain + ", " + bisection.place.opt + "  " +
            byStanding(bisection.archs,
                       [&](Standing s) { return axis.name(namesOf(bisection.archs, s, &CellName::arch)); }) +
            "\n" + reasonsOf(bisection.archs, [&](const Cells& some) {
              return axis.name(namesOf(some, Standing::Undecided, &CellName::arch));
            });
  }
  return text;
}

/// What could be installed to know more.
std::string advice(const Bisection& bisection) {
  std::string text;
  for (const Change& change : bisection.changes)
    if (!change.installable.empty())
      text += llvm::formatv("between {0} and {1} are more: {2}\n", change.before.cell.toolchain,
                            change.after.cell.toolchain, installCommand(change.installable))
                  .str();
  std::vector<const JudgedCell*> decided = decidedOf(bisection.history);
  bool badFromTheStart = !decided.empty() && decided.front()->standing() == Standing::Bad;
  if (badFromTheStart && !bisection.older.empty())
    text += "there are older ones: " + installCommand(bisection.older) + "\n";
  return text;
}

/// ": 13.0.88 is unsupported: …" of the first that says why.
std::string firstReason(const std::vector<HistoryPoint>& history) {
  for (const HistoryPoint& point : history)
    if (point.cell && !point.cell->reason.empty())
      return llvm::formatv(": {0} is {1}: {2}", point.toolchain, toString(point.cell->verdict),
                           printable(shortened(point.cell->reason)))
          .str();
  return "";
}

Json jsonOf(const JudgedCell& cell) {
  return {
      {"cell", cell.cell.str()}, {"verdict", toString(cell.verdict)}, {"standing", toString(cell.standing())},
      {"known", cell.known},     {"ptx", toString(cell.ptx)},         {"reason", printable(cell.reason)}};
}

Json jsonOf(const Cells& cells) {
  Json list = Json::array();
  for (const JudgedCell& cell : cells)
    list.push_back(jsonOf(cell));
  return list;
}

Json jsonOf(const Change& change) {
  return {{"before", change.before.cell.toolchain},
          {"after", change.after.cell.toolchain},
          {"turns", change.turnsBad() ? "bad" : "good"},
          {"stage", toString(change.stage)},
          {"avoided", change.avoided},
          {"swaps", jsonOf(change.swaps)},
          {"undecided", change.undecided},
          {"installable", change.installable}};
}

Json jsonOf(const HistoryPoint& point) {
  if (!point.cell)
    return {{"toolchain", point.toolchain},
            {"verdict", nullptr},
            {"standing", nullptr},
            {"known", false},
            {"reason", ""}};
  return {{"toolchain", point.toolchain},
          {"verdict", toString(point.cell->verdict)},
          {"standing", toString(point.cell->standing())},
          {"known", point.cell->known},
          {"reason", printable(point.cell->reason)}};
}

} // namespace

std::string summarise(const Bisection& bisection) {
  std::vector<const JudgedCell*> decided = decidedOf(bisection.history);
  std::string place = bisection.place.arch + "/" + bisection.place.opt;
  if (decided.empty())
    return llvm::formatv(
               "cannot tell: no verdict at {0} on any of {1} toolchains says whether it is right{2}", place,
               bisection.history.size(), firstReason(bisection.history))
        .str();
  std::string judged = decided.size() == 1 ? decided.front()->cell.toolchain + ", the only toolchain judged"
                                           : "all " + std::to_string(decided.size()) + " toolchains judged";
  if (!bisection.anyBad()) return "nothing is wrong: it passes at " + place + " on " + judged;
  std::vector<std::string> parts;
  if (bisection.changes.empty())
    parts = {"bad at " + place + " on " + judged + ", so neither a first bad nor a first good one is known"};
  else
    parts = {historyPhrase(bisection), stagesPhrase(bisection.changes) + avoidedPhrase(bisection.changes)};
  for (const std::string& extent : {levelsPhrase(bisection.levels), archsPhrase(bisection.archs)})
    if (!extent.empty()) parts.push_back(extent);
  return join(parts, "; ");
}

std::string renderBisection(const Bisection& bisection, const BisectReportOptions& options) {
  Table table;
  addHistory(table, bisection);
  addSwaps(table, bisection.changes);
  std::string text = colored(printable(bisection.caseId), Color::Bold, options.color) + " at " +
                     bisection.place.arch + "/" + bisection.place.opt +
                     std::string(reasonFor(bisection.place.origin)) + "\n" + summarise(bisection) + "\n";
  if (!bisection.monotone())
    text += colored("it came back", Color::Red, options.color) + ": the history goes back and forth\n";
  text += "\n" + table.render({options.color, options.width, 2}) + "\n";
  text += extent(bisection) + advice(bisection);
  return text +
         llvm::formatv("{0} cells were known, {1} were judged\n", bisection.known, bisection.judged).str();
}

Json bisectionJson(const Bisection& bisection) {
  Json history = Json::array(), changes = Json::array();
  for (const HistoryPoint& point : bisection.history)
    history.push_back(jsonOf(point));
  for (const Change& change : bisection.changes)
    changes.push_back(jsonOf(change));
  return {{"case", bisection.caseId},
          {"arch", bisection.place.arch},
          {"opt", bisection.place.opt},
          {"chosen", nameOf(bisection.place.origin)},
          {"summary", summarise(bisection)},
          {"monotone", bisection.monotone()},
          {"history", history},
          {"changes", changes},
          {"levels", jsonOf(bisection.levels)},
          {"archs", jsonOf(bisection.archs)},
          {"older", bisection.older},
          {"cells_known", bisection.known},
          {"cells_judged", bisection.judged}};
}

} // namespace harness
