#include "harness/report/query_report.h"

#include "harness/base/text.h"
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

/// The lines under the table.
std::string footer(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  std::string text = describeTotals(rows) + "\n";
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
    text += colored(line, color, options.color) + ": harness show " + printable(cellName(*first)) + "\n";
  };
  show(Outcome::Regressed, "REGRESSED", Color::Red);
  show(Outcome::Undecided, "UNDECIDED", Color::Red);
  show(Outcome::Fixed, "FIXED", Color::Green);
  return text;
}

std::string renderTable(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  if (rows.empty()) return "no cells match\n";
  ArchAxis axis = archsOf(rows);
  Table table(kColumns);
  for (const CellGroup& group : groupCells(rows, options.everyCell)) {
    Color color = colorOf(group.rows.front()->outcome);
    std::vector<std::string> line = lineOf(group, axis);
    std::vector<Table::Entry> entries;
    for (std::size_t i = 0; i < line.size(); ++i)
      entries.emplace_back(line[i],
                           kColumns[i] == "verdict" || kColumns[i] == "outcome" ? color : Color::None);
    table.add(std::move(entries));
  }
  std::string legend = options.everyCell ? "" : axis.legend();
  return table.render({options.color, options.width, 0}) + "\n" + legend + footer(rows, options);
}

std::string renderMarkdown(const std::vector<QueryRow>& rows, const QueryReportOptions& options) {
  if (rows.empty()) return "no cells match\n";
  ArchAxis axis = archsOf(rows);
  std::vector<std::vector<std::string>> lines;
  for (const CellGroup& group : groupCells(rows, options.everyCell))
    lines.push_back(lineOf(group, axis));
  std::string text = markdownTable(kColumns, lines) + "\n";
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

Json jsonOf(const QueryRow& row) {
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
              {"builds", row.builds},
              {"run", row.run},
              {"executors", std::move(executors)}};
  if (!row.previous.empty()) object["previous"] = row.previous;
  return object;
}

std::string renderCsv(const std::vector<QueryRow>& rows) {
  std::string text = csvLine({"case", "toolchain", "arch", "opt", "verdict", "blame", "outcome", "bytes",
                              "bad", "first_bad", "builds", "run", "previous"});
  for (const QueryRow& row : rows)
    text += csvLine({row.caseId, row.toolchain, row.arch, row.opt, std::string(toString(row.verdict)),
                     std::string(toString(row.blame)), std::string(toString(row.outcome)),
                     std::to_string(row.bytes), std::to_string(row.bad), row.firstBad,
                     std::to_string(row.builds), std::to_string(row.run), row.previous});
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
  case QueryFormat::Csv: return renderCsv(rows);
  case QueryFormat::Json: break;
  }
  return jsonLines(rows.size(), [&](std::size_t i) { return jsonOf(rows[i]); });
}

} // namespace harness
