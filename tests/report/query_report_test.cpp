#include "harness/report/query_report.h"

#include "sample_rows.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::Not;

QueryReportOptions as(QueryFormat format) {
  QueryReportOptions options;
  options.format = format;
  return options;
}

TEST(QueryReport, CellsThatAgreeShareALine) {
  EXPECT_EQ(
      renderQuery(sampleQuery(), {}),
      "case                   toolchain  arch    opt          verdict   outcome   blame  finding\n"
      "fp8-block-dequant      13.0.88    all 18  O0 O1 O2 O3  mismatch  expected  ptxas  8 of 272 bytes "
      "wrong, first "
      "out+0x22: 0x0e -> 0x00, all at offset 0 of the 34-byte record, got == ref & 0xff00\n"
      "fp8-block-dequant-u16  13.0.88    all 18  O0 O1 O2 O3  pass      ok               272 bytes equal\n"
      "halfstore              13.0.88    all 18  O0 O1 O2 O3  mismatch  expected  ptxas  8 of 272 bytes "
      "wrong, first "
      "out+0x22: 0x0e -> 0x00, all at offset 0 of the 34-byte record, got == ref & 0xff00\n"
      "halfstore-u16          13.0.88    all 18  O0 O1 O2 O3  pass      ok               272 bytes equal\n"
      "\n"
      "all 18 architectures: sm_75 80 86 87 88 89 90 90a 100 100a 103 103a 110 110a 120 120a 121 121a\n"
      "288 cells: 144 mismatch (expected), 144 pass\n"
      "known: fp8-block-dequant, halfstore: ptxas before 13.1 converts the half to an integer instead of "
      "taking its low "
      "byte\n");
}

TEST(QueryReport, AnotherBlameThanExpectedIsListed) {
  std::vector<QueryRow> rows = sampleQuery();
  for (QueryRow& row : rows)
    if (row.outcome == Outcome::Expected) row.expectedBlame = "ptxas";
  EXPECT_THAT(renderQuery(rows, {}), Not(HasSubstr("blame is")));
  rows[0].blame = Blame::FrontEnd;
  rows[1].blame = rows[2].blame = Blame::Unknown;
  rows[3].expectedBlame = "unknown";
  std::string text = renderQuery(rows, {});
  EXPECT_THAT(text, HasSubstr("blame is front-end, expected ptxas, in 1 cell: fp8-block-dequant\n"));
  EXPECT_THAT(text, HasSubstr("blame is unknown, expected ptxas, in 2 cells: fp8-block-dequant\n"));
  EXPECT_THAT(renderQuery(rows, as(QueryFormat::Markdown)),
              HasSubstr("- blame is front-end, expected ptxas"));
}

TEST(QueryReport, WhatRegressedStandsFirstAndCanBePasted) {
  std::vector<QueryRow> rows = sampleBlock("halfstore-u16", "13.2.51", false);
  makeMismatch(rows[30], Outcome::Regressed);
  rows[31].verdict = Verdict::Unsupported;
  rows[31].outcome = Outcome::Undecided;
  std::string text = renderQuery(rows, {});
  std::string name = "halfstore-u16@13.2.51/" + rows[30].arch + "/" + rows[30].opt;
  EXPECT_THAT(text, HasSubstr("1 REGRESSED: harness show " + name + "\n"));
  EXPECT_THAT(text, HasSubstr("1 UNDECIDED: harness show "));
  EXPECT_THAT(text, HasSubstr("72 cells: 1 mismatch (regressed), 1 unsupported (undecided), 70 pass\n"));
  EXPECT_LT(text.find("regressed"), text.find("undecided"));
  EXPECT_LT(text.find("undecided"), text.find("272 bytes equal"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << "no colour unless asked";
  QueryReportOptions colored;
  colored.color = true;
  EXPECT_THAT(renderQuery(rows, colored), HasSubstr("\x1b[1;31mregressed\x1b[0m"));
}

TEST(QueryReport, SkippedCellsAreCountedNotListed) {
  std::vector<QueryRow> rows = sampleBlock("halfstore-u16", "12.4.131", false);
  for (QueryRow& row : rows)
    if (row.arch.starts_with("sm_1")) row.verdict = Verdict::Skipped;
  auto lists = [](const std::string& text) { return text.find(" skipped  ") != std::string::npos; };
  for (QueryFormat format : {QueryFormat::Table, QueryFormat::Markdown}) {
    std::string text = renderQuery(rows, as(format));
    EXPECT_FALSE(lists(text)) << text;
    EXPECT_THAT(text, HasSubstr("72 cells: 40 skipped, 32 pass\n"));
    EXPECT_THAT(text, HasSubstr("Skipped cells are not listed"));
  }
  QueryReportOptions everyCell;
  everyCell.everyCell = true;
  EXPECT_TRUE(lists(renderQuery(rows, everyCell)));
  std::erase_if(rows, [](const QueryRow& row) { return row.verdict != Verdict::Skipped; });
  EXPECT_TRUE(lists(renderQuery(rows, {}))) << "there is nothing else";
}

TEST(QueryReport, EveryCellHasALineWhenAsked) {
  QueryReportOptions options;
  options.everyCell = true;
  std::string text = renderQuery(sampleQuery(), options);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 288 + 1 + 2);
  EXPECT_THAT(text, HasSubstr("halfstore              13.0.88    sm_121a  O3   mismatch"));
}

TEST(QueryReport, ACutIsSaid) {
  QueryReportOptions options;
  options.limit = 288;
  EXPECT_THAT(renderQuery(sampleQuery(), options), HasSubstr("Only the first 288 cells are shown"));
  options.limit = 289;
  EXPECT_THAT(renderQuery(sampleQuery(), options), Not(HasSubstr("Only the first")));
}

TEST(QueryReport, ChangedShowsTheVerdictBefore) {
  QueryRow row = sampleRow("a", "13.0.88", "sm_90", "O3");
  makeMismatch(row, Outcome::Regressed);
  row.previous = "pass";
  EXPECT_THAT(renderQuery({row}, {}), HasSubstr("pass → mismatch"));
}

TEST(QueryReport, NothingIsSaidInWords) {
  EXPECT_EQ(renderQuery({}, {}), "no cells match\n");
}

TEST(QueryReport, JsonHasTheDocumentedShape) {
  QueryRow bad = sampleRow("halfstore", "13.0.88", "sm_90", "O3");
  makeMismatch(bad);
  QueryRow good = sampleRow("x", "13.0.88", "sm_90", "O3");
  good.executors.clear();
  std::string text = renderQuery({bad, good}, as(QueryFormat::Json));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << "a cell a line";
  auto json = nlohmann::ordered_json::parse(text);
  auto keys = [](const nlohmann::ordered_json& object) {
    std::string names;
    for (const auto& [key, value] : object.items())
      names += key + " ";
    return names;
  };
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(keys(json[0]),
            "case toolchain arch opt verdict blame outcome bytes bad first_bad why builds run executors ");
  EXPECT_EQ(keys(json[0]["executors"][0]), "executor shape verdict bytes bad first_bad details ");
  EXPECT_EQ(json[0]["case"], "halfstore");
  EXPECT_EQ(json[0]["verdict"], "mismatch");
  EXPECT_EQ(json[0]["outcome"], "expected");
  EXPECT_EQ(json[0]["bad"], 8);
  EXPECT_EQ(json[0]["first_bad"], "out+0x22: 0x0e -> 0x00");
  EXPECT_EQ(json[0]["why"], bad.why);
  EXPECT_TRUE(json[1]["why"].is_null());
  EXPECT_EQ(json[0]["executors"][0]["details"]["buffers"][0]["pattern"], "got == ref & 0xff00");
  EXPECT_EQ(json[1]["blame"], "none");
  EXPECT_TRUE(json[1]["first_bad"].is_null());
  EXPECT_TRUE(json[1]["executors"].empty());
  EXPECT_FALSE(json[1].contains("previous")) << "it was not asked for";
  EXPECT_EQ(renderQuery({}, as(QueryFormat::Json)), "[]\n");
}

TEST(QueryReport, JsonSurvivesWhatIsNoText) {
  QueryRow row = sampleRow("a\xff\"\n", "13.0.88", "sm_90", "O3");
  row.executors[0].details = std::string(100'000, '[');
  auto json = nlohmann::json::parse(renderQuery({row}, as(QueryFormat::Json)));
  EXPECT_EQ(json[0]["case"], "a\xEF\xBF\xBD\"\n");
  EXPECT_TRUE(json[0]["executors"][0]["details"].is_null());
}

TEST(QueryReport, Csv) {
  QueryRow row = sampleRow("a,b \"c\"", "13.0.88", "sm_90", "O3");
  EXPECT_EQ(renderQuery({row}, as(QueryFormat::Csv)),
            "case,toolchain,arch,opt,verdict,blame,outcome,bytes,bad,first_bad,builds,run,previous,change\n"
            "\"a,b \"\"c\"\"\",13.0.88,sm_90,O3,pass,none,ok,272,0,,1,1,,\n");
}

TEST(QueryReport, Markdown) {
  std::string text = renderQuery(sampleQuery(), as(QueryFormat::Markdown));
  EXPECT_THAT(
      text,
      HasSubstr("| halfstore-u16 | 13.0.88 | all 18 | O0 O1 O2 O3 | pass | ok |  | 272 bytes equal |\n"));
  EXPECT_THAT(text, HasSubstr("- 288 cells: 144 mismatch (expected), 144 pass\n"));
}

TEST(QueryReport, FormatsByName) {
  EXPECT_EQ(parseQueryFormat("table"), QueryFormat::Table);
  EXPECT_EQ(parseQueryFormat("json"), QueryFormat::Json);
  EXPECT_EQ(parseQueryFormat("csv"), QueryFormat::Csv);
  EXPECT_EQ(parseQueryFormat("md"), QueryFormat::Markdown);
  EXPECT_EQ(parseQueryFormat("xml"), std::nullopt);
}

} // namespace
} // namespace harness
