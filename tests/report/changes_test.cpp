#include "harness/report/changes.h"
#include "harness/report/markdown.h"
#include "harness/report/query_report.h"

#include "sample_rows.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

QueryRow changedRow(Verdict verdict, Outcome outcome, const std::string& previous) {
  QueryRow row = sampleRow("a", "13.0.88", "sm_90", "O3");
  row.verdict = verdict;
  row.outcome = outcome;
  row.previous = previous;
  row.isNew = previous.empty();
  return row;
}

TEST(Changes, AreNamedByWhatTheyMean) {
  auto change = [](Verdict verdict, Outcome outcome, const std::string& previous) {
    return toString(changeOf(changedRow(verdict, outcome, previous)));
  };
  EXPECT_EQ(change(Verdict::Mismatch, Outcome::Regressed, "pass"), "regressed");
  EXPECT_EQ(change(Verdict::Mismatch, Outcome::Regressed, "unsupported"), "regressed");
  EXPECT_EQ(change(Verdict::Mismatch, Outcome::Regressed, ""), "regressed") << "new, and wrong";
  EXPECT_EQ(change(Verdict::Fault, Outcome::Regressed, "mismatch"), "changed") << "wrong before, too";
  EXPECT_EQ(change(Verdict::Mismatch, Outcome::Expected, "pass"), "changed");
  EXPECT_EQ(change(Verdict::Pass, Outcome::Ok, "mismatch"), "fixed");
  EXPECT_EQ(change(Verdict::Pass, Outcome::Fixed, "fault"), "fixed");
  EXPECT_EQ(change(Verdict::Pass, Outcome::Ok, "unsupported"), "changed");
  EXPECT_EQ(change(Verdict::Pass, Outcome::Ok, ""), "new");
  EXPECT_EQ(change(Verdict::Mismatch, Outcome::Expected, ""), "new");
}

/// A night with a bit of everything: `sampleBlock` is new on 13.6.20 but for its first cell, which is wrong.
std::vector<QueryRow> sampleNight() {
  std::vector<QueryRow> rows;
  rows.push_back(changedRow(Verdict::Pass, Outcome::Ok, "mismatch"));
  rows.push_back(changedRow(Verdict::Unsupported, Outcome::Undecided, "pass"));
  for (const char* caseId : {"halfstore-u16", "saxpy"})
    for (QueryRow& row : sampleBlock(caseId, "13.6.20", false)) {
      row.isNew = true;
      rows.push_back(std::move(row));
    }
  makeMismatch(rows[2], Outcome::Regressed);
  return rows;
}

TEST(Changes, TheWorstComesFirstAndWhatIsNewAndRightIsSummedUp) {
  std::vector<QueryRow> rows = sampleNight();
  Changes changes = sortChanges(rows, false);
  EXPECT_EQ(changes.totals, "1 regressed, 1 fixed, 143 new, 1 changed");
  EXPECT_THAT(changes.quiet, ElementsAre("new on 13.6.20: 143 cells of 2 cases, all pass"));
  std::vector<std::string> order;
  for (const Changes::Entry& entry : changes.entries)
    order.emplace_back(std::string(toString(entry.change)) + " " + verdictOf(*entry.group.rows.front()));
  EXPECT_THAT(order,
              ElementsAre("regressed new → mismatch", "fixed mismatch → pass", "changed pass → unsupported"));
  EXPECT_EQ(sortChanges(rows, true).entries.size(), rows.size());
  EXPECT_TRUE(sortChanges(rows, true).quiet.empty());
}

TEST(Changes, WhatIsNewAndNotAllRightIsCounted) {
  std::vector<QueryRow> rows = sampleNight();
  rows[5].verdict = Verdict::Skipped;
  EXPECT_THAT(sortChanges(rows, false).quiet,
              ElementsAre("new on 13.6.20: 143 cells of 2 cases: 1 skipped, 142 pass"));
}

TEST(Changes, InATableForTheMorning) {
  QueryReportOptions options;
  options.changes = true;
  std::string text = renderQuery(sampleNight(), options);
  EXPECT_TRUE(text.starts_with("change     case           toolchain  arch   opt  verdict ")) << text;
  EXPECT_THAT(text,
              HasSubstr("\nregressed  halfstore-u16  13.6.20    sm_75  O0   new → mismatch      regressed "
                        " ptxas  8 of 272 bytes wrong"));
  EXPECT_THAT(text, HasSubstr("\nnew on 13.6.20: 143 cells of 2 cases, all pass\n"
                              "1 regressed, 1 fixed, 143 new, 1 changed\n"));
  EXPECT_THAT(text, Not(HasSubstr("saxpy")));
  EXPECT_EQ(renderQuery({}, options), "nothing changed\n");
  std::vector<QueryRow> quiet = sampleNight();
  quiet.erase(quiet.begin(), quiet.begin() + 3);
  EXPECT_TRUE(renderQuery(quiet, options).starts_with("new on 13.6.20: ")) << "no table without lines";
}

TEST(Changes, ForPrograms) {
  QueryReportOptions options;
  options.changes = true;
  options.format = QueryFormat::Json;
  auto json = nlohmann::ordered_json::parse(renderQuery(sampleNight(), options));
  EXPECT_EQ(json[0]["previous"], "mismatch");
  EXPECT_EQ(json[0]["change"], "fixed");
  EXPECT_EQ(json[2]["previous"], nullptr);
  EXPECT_EQ(json[2]["change"], "regressed");
  EXPECT_EQ(json[3]["change"], "new");
  options.format = QueryFormat::Csv;
  EXPECT_THAT(renderQuery(sampleNight(), options),
              HasSubstr("a,13.0.88,sm_90,O3,pass,none,ok,272,0,,1,1,mismatch,fixed\n"));
}

TEST(Changes, InTheMarkdownOfARun) {
  std::string text = renderRunSummary({}, {}, sampleNight());
  EXPECT_THAT(
      text,
      HasSubstr("## Changed since the run before: 1 regressed, 1 fixed, 143 new, 1 changed\n\n| change | "
                "case |"));
  EXPECT_THAT(text, HasSubstr("\n- new on 13.6.20: 143 cells of 2 cases, all pass\n"));
}

} // namespace
} // namespace harness
