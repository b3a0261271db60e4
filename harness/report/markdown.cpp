#include "harness/report/markdown.h"

#include "harness/base/text.h"
#include "harness/report/changes.h"
#include "harness/report/details.h"
#include "harness/report/groups.h"
#include "harness/report/run_words.h"
#include "harness/report/table.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

namespace harness {

namespace {

std::vector<QueryRow> withOutcome(const std::vector<QueryRow>& rows, Outcome outcome) {
  std::vector<QueryRow> some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
               [&](const QueryRow& r) { return r.outcome == outcome; });
  return some;
}

const std::vector<std::string> kColumns{"case",    "toolchain", "arch",    "opt",
                                        "verdict", "blame",     "finding", "one of them"};

std::vector<std::string> lineOf(const CellGroup& group, const ArchAxis& axis) {
  const QueryRow& row = *group.rows.front();
  return {row.caseId,
          row.toolchain,
          axis.name(group.cells.archs),
          join(group.cells.opts, " "),
          verdictOf(row),
          row.blame == Blame::None ? "" : std::string(toString(row.blame)),
          describeFinding(group.rows),
          cellName(row)};
}

std::string section(const std::string& title, const std::vector<QueryRow>& rows, const ArchAxis& axis) {
  if (rows.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const CellGroup& group : groupCells(rows, false))
    lines.push_back(lineOf(group, axis));
  return "## " + title + "\n\n" + markdownTable(kColumns, lines) + "\n";
}

std::string changedSection(const std::vector<QueryRow>& rows, const ArchAxis& axis) {
  if (rows.empty()) return "";
  Changes changes = sortChanges(rows, false);
  std::vector<std::string> columns = kColumns;
  columns.insert(columns.begin(), "change");
  std::vector<std::vector<std::string>> lines;
  for (const Changes::Entry& entry : changes.entries) {
    lines.push_back(lineOf(entry.group, axis));
    lines.back().insert(lines.back().begin(), std::string(toString(entry.change)));
  }
  std::string text = "## Changed since the run before: " + changes.totals + "\n\n";
  if (!lines.empty()) text += markdownTable(columns, lines) + "\n";
  for (const std::string& line : changes.quiet)
    text += "- " + markdownText(line) + "\n";
  return text + (changes.quiet.empty() ? "" : "\n");
}

/// A line a case, a column a toolchain: "72 mismatch (expected)".
std::string grid(const std::vector<QueryRow>& rows) {
  std::vector<std::string> header{"case"}, cases;
  std::map<std::pair<std::string, std::string>, std::vector<QueryRow>> squares;
  auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const QueryRow& row : rows) {
    note(cases, row.caseId);
    note(header, row.toolchain);
    squares[{row.caseId, row.toolchain}].push_back(row);
  }
  std::vector<std::vector<std::string>> lines;
  for (const std::string& caseId : cases) {
    std::vector<std::string> line{caseId};
    for (std::size_t i = 1; i < header.size(); ++i) {
      auto square = squares.find({caseId, header[i]});
      std::string totals = square == squares.end() ? "" : describeTotals(square->second);
      line.push_back(totals.substr(std::min(totals.size(), totals.find(": ") + 2)));
    }
    lines.push_back(std::move(line));
  }
  return "## By case and toolchain\n\n" + markdownTable(header, lines) + "\n";
}

} // namespace

std::string markdownText(std::string_view text) {
  std::string clean = printable(trim(text)), escaped;
  auto isWord = [&](std::size_t i) {
    return i < clean.size() && std::isalnum(static_cast<unsigned char>(clean[i]));
  };
  for (std::size_t i = 0; i < clean.size(); ++i) {
    char c = clean[i];
    bool insideWord = c == '_' && i > 0 && isWord(i - 1) && isWord(i + 1); // stands for itself there
    bool special = std::string_view("|\\`*_[]~").find(c) != std::string_view::npos;
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if ((special && !insideWord) ||
             (i == 0 && std::string_view(">#+-").find(c) != std::string_view::npos))
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}

std::string markdownTable(const std::vector<std::string>& header,
                          const std::vector<std::vector<std::string>>& rows) {
  auto line = [](const std::vector<std::string>& entries) {
    std::string text = "|";
    for (const std::string& entry : entries)
      text += " " + markdownText(entry) + " |";
    return text + "\n";
  };
  std::string table = line(header) + "|";
  for (std::size_t i = 0; i < header.size(); ++i)
    table += " --- |";
  table += "\n";
  for (const auto& row : rows)
    table += line(row);
  return table;
}

std::string renderRunSummary(const RunRecord& run, const std::vector<QueryRow>& rows,
                             const std::vector<QueryRow>& changed) {
  std::string text = "# " + headlineOf(run, rows) + "\n\n";
  text += describeTotals(rows) + ". " + workDone(run) + "\n\n";
  text += "Started " + markdownText(run.started) + ", " +
          (run.finished.empty() ? "not finished" : "finished " + markdownText(run.finished)) + ", revision " +
          markdownText(run.revision.empty() ? "unknown" : run.revision) + ": " + markdownText(run.arguments) +
          "\n\n";
  ArchAxis axis;
  for (const QueryRow& row : rows)
    axis.add(row.arch);
  text += changedSection(changed, axis);
  text += section("Regressed", withOutcome(rows, Outcome::Regressed), axis);
  text += section("Undecided", withOutcome(rows, Outcome::Undecided), axis);
  text += section("Fixed: known faults that are gone", withOutcome(rows, Outcome::Fixed), axis);
  text += section("Known faults", withOutcome(rows, Outcome::Expected), axis);
  for (const KnownFault& known : knownFaults(rows))
    text += "- " + markdownText(join(known.cases, ", ")) + ": " + markdownText(known.why) + "\n";
  for (const std::string& line : blameDifferences(rows))
    text += "- " + markdownText(line) + "\n";
  if (!knownFaults(rows).empty() || !blameDifferences(rows).empty()) text += "\n";
  if (!rows.empty()) text += grid(rows);
  if (!axis.legend().empty()) text += markdownText(axis.legend()) + "\n";
  return text;
}

} // namespace harness
