#include "harness/report/junit.h"

#include "harness/report/details.h"
#include "harness/report/groups.h"
#include "harness/report/markup.h"

#include <algorithm>

namespace harness {

namespace {

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(const QueryRow& row) {
    ++tests;
    failures += row.outcome == Outcome::Regressed;
    skipped += row.outcome == Outcome::Undecided;
  }
  std::string attributes() const {
    return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
           "\" errors=\"" + std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) + "\"";
  }
};

/// Outside XML 1.0's Char production. Carriage returns too, which a reader would change.
bool isForbidden(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0xFFFE || c == 0xFFFF;
}

std::string testCase(const QueryRow& row, const std::string& databaseArgument) {
  const QueryRow* one = &row;
  std::string finding = describeFinding({&one, 1});
  std::string headline =
      verdictOf(row) + (row.blame == Blame::None ? "" : ", blame " + std::string(toString(row.blame)));
  std::string text = "    <testcase classname=\"" + xmlText(row.caseId) + "\" name=\"" +
                     xmlText(row.toolchain + "/" + row.arch + "/" + row.opt) + "\"";
  std::string story = headline + ": " + finding + "\nharness show " + cellName(row) + databaseArgument + "\n";
  if (isBlameDifferent(row)) story += "expected blame " + row.expectedBlame + "\n";
  switch (row.outcome) {
  case Outcome::Ok: return text + "/>\n";
  case Outcome::Regressed:
    text += "><failure type=\"" + xmlText(toString(row.verdict)) + "\" message=\"" +
            xmlText(headline + ": " + finding) + "\">" + xmlText(story) + "</failure>";
    break;
  case Outcome::Undecided:
    text += "><skipped message=\"" + xmlText(headline + ": " + finding) + "\"/>";
    break;
  case Outcome::Expected:
  case Outcome::Fixed:
    text += "><system-out>" + xmlText(std::string(toString(row.outcome)) + " " + story + row.why) +
            "</system-out>";
    break;
  }
  return text + "</testcase>\n";
}

std::string unfinishedRun(const RunRecord& run) {
  return "    <testcase classname=\"run\" name=\"" + std::to_string(run.id) +
         "\"><error message=\"the run is not finished: it runs still, or was ended, so cells are missing\"/>"
         "</testcase>\n";
}

} // namespace

std::string xmlText(std::string_view text) {
  return markupText(text, {isForbidden, '\n', "&#10;"});
}

std::string renderJunit(const RunRecord& run, const std::vector<QueryRow>& rows,
                        const std::string& databaseArgument) {
  Counts all;
  std::string suites;
  if (run.finished.empty()) {
    Counts counts{1, 0, 1, 0};
    all = counts;
    suites +=
        "  <testsuite name=\"run\"" + counts.attributes() + ">\n" + unfinishedRun(run) + "  </testsuite>\n";
  }
  for (auto from = rows.begin(); from != rows.end();) {
    auto to = std::find_if(from, rows.end(), [&](const QueryRow& row) { return row.caseId != from->caseId; });
    Counts counts;
    std::string cells;
    for (auto row = from; row != to; ++row) {
      counts.add(*row);
      all.add(*row);
      cells += testCase(*row, databaseArgument);
    }
    suites += "  <testsuite name=\"" + xmlText(from->caseId) + "\"" + counts.attributes() + ">\n" + cells +
              "  </testsuite>\n";
    from = to;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"harness\"" + all.attributes() +
         ">\n" + suites + "</testsuites>\n";
}

} // namespace harness
