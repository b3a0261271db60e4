#include "harness/report/query_report.h"

#include "harness/base/text.h"
#include "harness/report/changes.h"
#include "harness/report/details.h"
#include "harness/report/groups.h"
#include "harness/report/machine.h"
#include "harness/report/markdown.h"
#include "harness/report/table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kColumns{"case",    "toolchain", "arch",  "opt",
                                        "verdict", "outcome",   "blame", "finding"};

Color colorOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Ok: return Color::None;
  case Outcome::Expected: return Color::Yellow;
  case Outcome::Fixed: return Color::Green;
  case Outcome::Regressed:
  case Outcome::Undecided: return Color::Red;
  }
  return Color::None;
}

ArchAxis archsOf(const std::vector<QueryRow>& rows) {
  ArchAxis axis;
  for (const QueryRow& row : rows)
    axis.add(row.arch);
  return axis;
}

/// The texts of a line, one a column.
std::vector<std::string> lineOf(const CellGroup& group, const ArchAxis& axis) {
  const QueryRow& row = *group.rows.front();
  return {row.caseId,
          row.toolchain,
          axis.name(group.cells.archs),
          join(group.cells.opts, " "),
          verdictOf(row),
          std::string(toString(row.outcome)),
          row.blame == Blame::None ? "" : std::string(toString(row.blame)),
          describeFinding(group.rows)};
}

bool isSkipped(const QueryRow& row) {
  return row.verdict == Verdict::Skipped;
}

/// Cells that no compiler makes are counted, not listed: with old toolchains and new architectures they would
/// be most of a table. Where there is nothing else, or every cell or every change is wanted, they are listed.
bool leavesOutSkipped(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  return !options.everyCell && !options.changes && !std::all_of(rows.begin(), rows.end(), isSkipped);
}

/// The lines under the table.
std::string footer(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  std::string text;
  if (options.changes) {
    Changes changes = sortChanges(rows, options.everyCell);
    for (const std::string& line : changes.quiet)
      text += printable(line) + "\n";
    text += changes.totals + "\n";
  }
  text += describeTotals(rows) + "\n";
  if (leavesOutSkipped(rows, options) && std::any_of(rows.begin(), rows.end(), isSkipped))
    text += "Skipped cells are not listed: --verdict skipped does so.\n";
  if (rows.size() >= options.limit)
    text += "Only the first " + std::to_string(rows.size()) +
            " cells are shown: narrow the query, or raise --limit.\n";
  for (const KnownFault& known : knownFaults(rows))
    text += "known: " + join(known.cases, ", ") + ": " + printable(known.why) + "\n";
  for (const std::string& line : blameDifferences(rows))
    text += colored(printable(line), Color::Yellow, options.color) + "\n";
  auto show = [&](Outcome outcome, const std::string& what, Color color) {
    auto is = [&](const QueryRow& row) { return row.outcome == outcome; };
    auto first = std::find_if(rows.begin(), rows.end(), is);
    if (first == rows.end()) return;
    std::string line = std::to_string(std::count_if(rows.begin(), rows.end(), is)) + " " + what;
    text += colored(line, color, options.color) + ": harness show " + printable(cellName(*first)) +
            printable(options.databaseArgument) + "\n";
  };
  show(Outcome::Regressed, "REGRESSED", Color::Red);
  show(Outcome::Undecided, "UNDECIDED", Color::Red);
  show(Outcome::Fixed, "FIXED", Color::Green);
  return text;
}

/// What a table for people shows, in whatever form.
struct Lines {
  struct Line {
    std::vector<std::string> entries;
    Outcome outcome = Outcome::Ok;
  };
  std::vector<std::string> columns;
  std::vector<Line> lines;
};

Lines linesOf(const std::vector<QueryRow>& rows, const QueryReportOptions& options, const ArchAxis& axis) {
  Lines all{kColumns, {}};
  if (!options.changes) {
    bool leaveOut = leavesOutSkipped(rows, options);
    for (const CellGroup& group : groupCells(rows, options.everyCell))
      if (!leaveOut || !isSkipped(*group.rows.front()))
        all.lines.push_back({lineOf(group, axis), group.rows.front()->outcome});
    return all;
  }
  all.columns.insert(all.columns.begin(), "change");
  for (const Changes::Entry& entry : sortChanges(rows, options.everyCell).entries) {
    std::vector<std::string> line = lineOf(entry.group, axis);
    line.insert(line.begin(), std::string(toString(entry.change)));
    all.lines.push_back({std::move(line), entry.group.rows.front()->outcome});
  }
  return all;
}

std::string nothingOf(const QueryReportOptions& options) {
  return options.changes ? "nothing changed\n" : "no cells match\n";
}

std::string renderTable(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  if (rows.empty()) return nothingOf(options);
  ArchAxis axis = archsOf(rows);
  Lines all = linesOf(rows, options, axis);
  Table table(all.columns);
  for (const Lines::Line& line : all.lines) {
    std::vector<Table::Entry> entries;
    for (std::size_t i = 0; i < line.entries.size(); ++i) {
      bool tells = all.columns[i] == "change" || all.columns[i] == "verdict" || all.columns[i] == "outcome";
      entries.emplace_back(line.entries[i], tells ? colorOf(line.outcome) : Color::None);
    }
    table.add(std::move(entries));
  }
  std::string legend = options.everyCell ? "" : axis.legend();
  std::string text = table.empty() ? "" : table.render({options.color, options.width, 0}) + "\n" + legend;
  return text + footer(rows, options);
}

std::string renderMarkdown(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  if (rows.empty()) return nothingOf(options);
  ArchAxis axis = archsOf(rows);
  Lines all = linesOf(rows, options, axis);
  std::vector<std::vector<std::string>> lines;
  for (Lines::Line& line : all.lines)
    lines.push_back(std::move(line.entries));
  std::string text = lines.empty() ? "" : markdownTable(all.columns, lines) + "\n";
  if (!options.everyCell && !axis.legend().empty()) text += markdownText(axis.legend()) + "\n\n";
  QueryReportOptions plain = options;
  plain.color = false;
  for (const std::string& line : split(trim(footer(rows, plain)), '\n'))
    text += "- " + markdownText(line) + "\n";
  return text;
}

Json orNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json jsonOf(const QueryExecutor& executor) {
  return {{"executor", executor.executor},
          {"shape", executor.shape},
          {"verdict", toString(executor.verdict)},
          {"bytes", executor.bytes},
          {"bad", executor.bad},
          {"first_bad", orNull(executor.firstBad)},
          {"details", parseRecorded(executor.details)}};
}

Json jsonOf(const QueryRow& row, bool changes) {
  Json executors = Json::array();
  for (const QueryExecutor& executor : row.executors)
    executors.push_back(jsonOf(executor));
  Json object{{"case", row.caseId},
              {"toolchain", row.toolchain},
              {"arch", row.arch},
              {"opt", row.opt},
              {"verdict", toString(row.verdict)},
              {"blame", toString(row.blame)},
              {"outcome", toString(row.outcome)},
              {"bytes", row.bytes},
              {"bad", row.bad},
              {"first_bad", orNull(row.firstBad)},
              {"why", orNull(row.why)},
              {"builds", row.builds},
              {"run", row.run},
              {"executors", std::move(executors)}};
  if (changes) {
    object["previous"] = orNull(row.previous);
    object["change"] = toString(changeOf(row));
  }
  return object;
}

std::string renderCsv(const std::vector<QueryRow>& rows, bool changes) {
  std::string text = csvLine({"case", "toolchain", "arch", "opt", "verdict", "blame", "outcome", "bytes",
                              "bad", "first_bad", "builds", "run", "previous", "change"});
  for (const QueryRow& row : rows)
    text +=
        csvLine({row.caseId, row.toolchain, row.arch, row.opt, std::string(toString(row.verdict)),
                 std::string(toString(row.blame)), std::string(toString(row.outcome)),
                 std::to_string(row.bytes), std::to_string(row.bad), row.firstBad, std::to_string(row.builds),
                 std::to_string(row.run), row.previous, changes ? std::string(toString(changeOf(row))) : ""});
  return text;
}

} // namespace

std::optional<QueryFormat> parseQueryFormat(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames{"table", "json", "csv", "md"};
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<QueryFormat>(found - kNames.begin());
}

std::string renderQuery(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  switch (options.format) {
  case QueryFormat::Table: return renderTable(rows, options);
  case QueryFormat::Markdown: return renderMarkdown(rows, options);
  case QueryFormat::Csv: return renderCsv(rows, options.changes);
  case QueryFormat::Json: break;
  }
  return jsonLines(rows.size(), [&](std::size_t i) { return jsonOf(rows[i], options.changes); });
}

} // namespace harness
