#include "harness/report/history_report.h"

#include "harness/base/text.h"
#include "harness/report/collapse.h"
#include "harness/report/machine.h"
#include "harness/report/table.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <utility>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;
using Place = std::pair<std::string, std::string>; ///< architecture and option

/// Consecutive toolchains on which a cell stands alike.
struct Span {
  Verdict verdict = Verdict::Pass;
  std::string first, last; ///< toolchains
  auto operator<=>(const Span&) const = default;
};

/// A stretch of runs.
struct Period {
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
  RowId firstRun = 0, lastRun = 0;
  std::string firstSeen, lastSeen;
  auto operator<=>(const Period&) const = default;
};

/// Things that happened to a cell, one after the other, and the cells they happened to.
template <typename Event> struct Story {
  std::vector<Event> events;
  std::vector<Place> places;
};

/// Puts cells with equal events together, in the order of their first appearance.
template <typename Event>
std::vector<Story<Event>> byStory(const std::vector<std::pair<Place, std::vector<Event>>>& cells) {
  std::vector<Story<Event>> stories;
  for (const auto& [place, events] : cells) {
    auto same = std::find_if(stories.begin(), stories.end(),
                             [&](const auto& story) { return story.events == events; });
    if (same == stories.end()) same = stories.insert(stories.end(), Story<Event>{events, {}});
    same->places.push_back(place);
  }
  return stories;
}

/// The list that belongs to `key`, made at its first appearance and kept in that order.
template <typename Key, typename Value>
Value& entryOf(std::vector<std::pair<Key, Value>>& entries, const Key& key) {
  auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
  if (found == entries.end()) found = entries.insert(entries.end(), {key, {}});
  return found->second;
}

/// Ordinary toolchains make one axis; NVRTC twins of nvcc ones another; a swapped pair stands alone.
std::string axisOf(const std::string& toolchain) {
  if (toolchain.find('+') != std::string::npos) return toolchain;
  return toolchain.starts_with("nvrtc-") ? "nvrtc" : "";
}

/// All that is to be told of one case.
struct CaseHistory {
  std::string caseId;
  std::vector<std::string> toolchains; ///< those with a standing, in order
  std::vector<std::pair<std::string, std::vector<std::pair<Place, std::vector<Span>>>>> axes;
  std::vector<std::pair<std::string, std::vector<std::pair<Place, std::vector<Period>>>>>
      runs; ///< by toolchain
  bool alwaysPassed = true;
};

void addStanding(CaseHistory& story, const StandingRow& row) {
  if (row.verdict == Verdict::Skipped) return; // this toolchain has no such cell
  if (std::find(story.toolchains.begin(), story.toolchains.end(), row.toolchain) == story.toolchains.end())
    story.toolchains.push_back(row.toolchain);
  std::vector<Span>& spans = entryOf(entryOf(story.axes, axisOf(row.toolchain)), Place{row.arch, row.opt});
  if (spans.empty() || spans.back().verdict != row.verdict)
    spans.push_back({row.verdict, row.toolchain, row.toolchain});
  spans.back().last = row.toolchain;
  story.alwaysPassed &= row.verdict == Verdict::Pass;
}

void addPeriod(CaseHistory& story, const HistoryRow& row) {
  entryOf(entryOf(story.runs, row.toolchain), Place{row.arch, row.opt})
      .push_back({row.verdict, row.blame, row.firstRun, row.lastRun, row.firstSeen, row.lastSeen});
  story.alwaysPassed &= row.verdict == Verdict::Pass;
}

std::vector<CaseHistory> storiesOf(const std::vector<HistoryRow>& history,
                                   const std::vector<StandingRow>& standings) {
  std::vector<std::pair<std::string, CaseHistory>> cases;
  for (const HistoryRow& row : history)
    addPeriod(entryOf(cases, row.caseId), row);
  for (const StandingRow& row : standings)
    addStanding(entryOf(cases, row.caseId), row);
  std::vector<CaseHistory> stories;
  for (auto& [caseId, story] : cases) {
    story.caseId = caseId;
    stories.push_back(std::move(story));
  }
  return stories;
}

std::string rangeOf(const std::string& first, const std::string& last) {
  return first == last ? first : first + " … " + last;
}

/// What a span means to someone who asks where a fault began and ended.
std::string remark(const std::vector<Span>& spans, std::size_t i) {
  std::optional<Standing> before; // the last that was decided
  bool badBefore = false;
  for (std::size_t k = 0; k < i; ++k) {
    Standing earlier = standingOf(spans[k].verdict);
    if (earlier != Standing::Undecided) before = earlier;
    badBefore |= earlier == Standing::Bad;
  }
  switch (standingOf(spans[i].verdict)) {
  case Standing::Undecided: return "not decided";
  case Standing::Good: return before == Standing::Bad ? "first good: " + spans[i].first : "";
  case Standing::Bad: break;
  }
  if (before == Standing::Good) return (badBefore ? "came back: " : "first bad: ") + spans[i].first;
  if (before == Standing::Bad) return "";
  return spans.size() == 1 ? "bad wherever judged" : "bad already on the oldest judged";
}

std::string runAt(RowId run, const std::string& seen) {
  return "run " + std::to_string(run) + " (" + seen.substr(0, seen.find('T')) + ")"; // the date will do
}

Color colorOf(Verdict verdict) {
  switch (standingOf(verdict)) {
  case Standing::Good: return Color::Green;
  case Standing::Bad: return Color::Red;
  case Standing::Undecided: return Color::Yellow;
  }
  return Color::None;
}

std::string renderToolchains(const CaseHistory& story, const ArchAxis& axis,
                             const QueryReportOptions& options) {
  Table table;
  for (const auto& [name, cells] : story.axes)
    for (const auto& told : byStory(cells))
      for (const Rectangle& cell : rectanglesOf(told.places))
        for (std::size_t i = 0; i < told.events.size(); ++i) {
          const Span& span = told.events[i];
          table.add({{std::string(toString(span.verdict)), colorOf(span.verdict)},
                     rangeOf(span.first, span.last),
                     axis.name(cell.archs),
                     join(cell.opts, " "),
                     remark(told.events, i)});
        }
  return "  by toolchain, as last judged\n" + table.render({options.color, options.width, 4});
}

/// What the runs saw of cells that stand alike.
struct RunLine {
  Verdict verdict = Verdict::Pass;
  std::string standing, runs, archs, opts;
  bool operator==(const RunLine&) const = default;
};

std::vector<RunLine> runLines(const std::vector<std::pair<Place, std::vector<Period>>>& cells,
                              const ArchAxis& axis) {
  std::vector<RunLine> lines;
  for (const auto& told : byStory(cells))
    for (const Rectangle& cell : rectanglesOf(told.places))
      for (const Period& period : told.events) {
        std::string blame =
            period.blame == Blame::None ? "" : " (" + std::string(toString(period.blame)) + ")";
        lines.push_back(
            {period.verdict, std::string(toString(period.verdict)) + blame,
             rangeOf(runAt(period.firstRun, period.firstSeen), runAt(period.lastRun, period.lastSeen)),
             axis.name(cell.archs), join(cell.opts, " ")});
      }
  return lines;
}

/// True if no toolchain with a standing lies between the two.
bool areNeighbours(const CaseHistory& story, const std::string& first, const std::string& second) {
  auto at = std::find(story.toolchains.begin(), story.toolchains.end(), first);
  return at != story.toolchains.end() && at + 1 != story.toolchains.end() && *(at + 1) == second &&
         axisOf(first) == axisOf(second);
}

std::string renderRuns(const CaseHistory& story, const ArchAxis& axis, const QueryReportOptions& options) {
  Table table;
  for (std::size_t first = 0, next = 0; first < story.runs.size(); first = next) {
    std::vector<RunLine> lines = runLines(story.runs[first].second, axis);
    for (next = first + 1; next < story.runs.size(); ++next)
      if (!areNeighbours(story, story.runs[next - 1].first, story.runs[next].first) ||
          runLines(story.runs[next].second, axis) != lines)
        break;
    for (const RunLine& line : lines)
      table.add({rangeOf(story.runs[first].first, story.runs[next - 1].first),
                 {line.standing, colorOf(line.verdict)},
                 line.runs,
                 line.archs,
                 line.opts});
  }
  return "  by run\n" + table.render({options.color, options.width, 4});
}

std::string renderText(const std::vector<HistoryRow>& history, const std::vector<StandingRow>& standings,
                       const QueryReportOptions& options) {
  if (history.empty() && standings.empty()) return "no cells match\n";
  ArchAxis axis;
  for (const HistoryRow& row : history)
    axis.add(row.arch);
  for (const StandingRow& row : standings)
    axis.add(row.arch);
  std::string text;
  bool legendNeeded = false;
  for (const CaseHistory& story : storiesOf(history, standings)) {
    text += colored(printable(story.caseId), Color::Bold, options.color);
    if (story.alwaysPassed) {
      std::string where = story.toolchains.empty() ? "" : " on " + join(story.toolchains, ", ");
      text += ": " + colored("passed in all cells and runs", Color::Green, options.color) + printable(where) +
              "\n\n";
      continue;
    }
    text += "\n";
    if (!story.axes.empty()) text += renderToolchains(story, axis, options);
    if (!story.runs.empty()) text += renderRuns(story, axis, options);
    text += "\n";
    legendNeeded = true;
  }
  if (legendNeeded) text += axis.legend();
  if (history.size() >= options.limit)
    text += "Only the first " + std::to_string(history.size()) +
            " stretches are shown: narrow the query, or raise --limit.\n";
  while (text.ends_with("\n\n"))
    text.pop_back();
  return text;
}

Json jsonOf(const HistoryRow& row) {
  return {{"case", row.caseId},
          {"toolchain", row.toolchain},
          {"arch", row.arch},
          {"opt", row.opt},
          {"verdict", toString(row.verdict)},
          {"blame", toString(row.blame)},
          {"first_run", row.firstRun},
          {"first_seen", row.firstSeen},
          {"last_run", row.lastRun},
          {"last_seen", row.lastSeen}};
}

std::string renderCsv(const std::vector<HistoryRow>& history) {
  std::string text = csvLine({"case", "toolchain", "arch", "opt", "verdict", "blame", "first_run",
                              "first_seen", "last_run", "last_seen"});
  for (const HistoryRow& row : history)
    text += csvLine({row.caseId, row.toolchain, row.arch, row.opt, std::string(toString(row.verdict)),
                     std::string(toString(row.blame)), std::to_string(row.firstRun), row.firstSeen,
                     std::to_string(row.lastRun), row.lastSeen});
  return text;
}

} // namespace

std::string renderHistory(const std::vector<HistoryRow>& history, const std::vector<StandingRow>& standings,
                          const QueryReportOptions& options) {
  QueryReportOptions plain = options;
  plain.color = false;
  plain.width = 0;
  switch (options.format) {
  case QueryFormat::Table: return renderText(history, standings, options);
  case QueryFormat::Markdown: return "```text\n" + renderText(history, standings, plain) + "```\n";
  case QueryFormat::Csv: return renderCsv(history);
  case QueryFormat::Json: break;
  }
  return jsonLines(history.size(), [&](std::size_t i) { return jsonOf(history[i]); });
}

} // namespace harness
