#include "harness/report/html.h"
#include "harness/report/page_html.h"

#include "sample_rows.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

RunRecord sampleRun() {
  RunRecord run;
  run.id = 12;
  run.started = "2025-01-02T02:00:00Z";
  run.finished = "2025-01-02T02:01:00Z";
  run.host = "builder";
  run.revision = "abc123";
  run.arguments = "harness run --matrix matrix/smoke.json";
  return run;
}

/// Halfstore wrong on 13.0.88 and right on 13.1.80, its u16 right on both.
std::vector<QueryRow> sampleRows() {
  std::vector<QueryRow> rows;
  for (const char* caseId : {"halfstore", "halfstore-u16"})
    for (const char* toolchain : {"13.0.88", "13.1.80"})
      for (QueryRow& row : sampleBlock(
               caseId, toolchain, caseId == std::string("halfstore") && toolchain == std::string("13.0.88")))
        rows.push_back(std::move(row));
  return rows;
}

CellEvidence sampleEvidence(const QueryRow& row, bool explain) {
  CellEvidence evidence{"The title of " + row.caseId, {"nvcc -ptx a.cu", "ptxas -O3"}, "", "", ""};
  if (explain) evidence.explanation = "They part at " + row.toolchain;
  return evidence;
}

Page pageOf(const std::vector<QueryRow>& rows, const std::vector<QueryRow>& changed = {},
            std::size_t explanations = 10) {
  RunRecord before = sampleRun();
  before.id = 11;
  before.started = "2025-01-01T02:00:00Z";
  return makePage({sampleRun(), before, rows, changed, explanations, ""}, sampleEvidence);
}

std::vector<std::string> partsOf(const Page::Field& field) {
  std::vector<std::string> parts;
  for (const Page::Part& part : field.parts)
    parts.push_back(std::to_string(part.cells) + " " + std::string(toString(part.verdict)) + " " +
                    part.where);
  return parts;
}

TEST(Page, CellsThatAgreeAreOneFinding) {
  Page page = pageOf(sampleRows());
  EXPECT_EQ(page.headline, "Run 12: nothing regressed");
  EXPECT_THAT(page.toolchains, ElementsAre("13.0.88", "13.1.80"));
  ASSERT_EQ(page.lines.size(), 1u);
  EXPECT_THAT(partsOf(page.lines[0].fields[0]), ElementsAre("72 mismatch "));
  EXPECT_THAT(partsOf(page.lines[0].fields[1]), ElementsAre("72 pass "));
  ASSERT_EQ(page.clean.size(), 1u);
  EXPECT_EQ(page.clean[0].caseId, "halfstore-u16");
  EXPECT_EQ(page.clean[0].passed, 144u);
  ASSERT_EQ(page.cases.size(), 1u);
  EXPECT_EQ(page.cases[0].title, "The title of halfstore");
  ASSERT_EQ(page.cases[0].findings.size(), 1u);
  const PageFinding& finding = page.cases[0].findings[0];
  EXPECT_EQ(finding.cells, 72u);
  EXPECT_EQ(finding.where, "all 18 × O0–O3");
  EXPECT_EQ(finding.shown, "halfstore@13.0.88/sm_121a/O3");
  EXPECT_THAT(finding.paste,
              ElementsAre("harness check halfstore@13.0.88/sm_121a/O3",
                          "harness show halfstore@13.0.88/sm_121a/O3",
                          "harness explain halfstore@13.0.88/sm_121a/O3",
                          "harness diff halfstore@13.0.88/sm_121a/O3 halfstore@13.1.80/sm_121a/O3",
                          "harness bisect halfstore",
                          "harness bundle halfstore@13.0.88/sm_121a/O3 -o halfstore.tar"));
  EXPECT_EQ(finding.evidence.explanation, "They part at 13.0.88");
  EXPECT_EQ(page.lines[0].fields[0].parts[0].anchor, finding.anchor);
}

TEST(Page, AFieldSpellsOutWhatDiffers) {
  std::vector<QueryRow> rows = sampleBlock("halfstore", "13.0.88", false);
  for (QueryRow& row : rows)
    if (row.arch == "sm_90" && row.opt != "O0") makeMismatch(row);
  makeMismatch(rows[0], Outcome::Regressed);
  Page page = pageOf(rows);
  EXPECT_THAT(partsOf(page.lines[0].fields[0]),
              ElementsAre("1 mismatch sm_75 × O0", "3 mismatch sm_90 × O1–O3", "68 pass "));
  ASSERT_EQ(page.cases[0].findings.size(), 2u);
  EXPECT_EQ(page.cases[0].findings[0].outcome, Outcome::Regressed);
}

TEST(Page, FindingsAreToldApartByWhatWasFoundButNotByNumbers) {
  std::vector<QueryRow> rows = sampleBlock("a", "13.0.88", false);
  auto fault = [&](std::size_t at, const std::string& message) {
    rows[at].verdict = Verdict::Fault;
    rows[at].outcome = Outcome::Regressed;
    rows[at].executors = {{"sass", "", Verdict::Fault, 0, 0, "", R"({"message":")" + message + R"("})"}};
  };
  fault(0, "misaligned load at 0x130 (lane 3)");
  fault(1, "misaligned load at 0x2f0 (lane 17)");
  fault(2, "illegal instruction at 0x10");
  Page page = pageOf(rows);
  ASSERT_EQ(page.cases[0].findings.size(), 2u);
  EXPECT_EQ(page.cases[0].findings[0].cells, 2u);
  EXPECT_EQ(page.cases[0].findings[0].message, "misaligned load at 0x2f0 (lane 17)");
  EXPECT_THAT(page.cases[0].findings[0].paste, Not(testing::Contains(HasSubstr("explain"))));
}

TEST(Page, TheMostAlarmingCaseStandsFirst) {
  std::vector<QueryRow> rows = sampleBlock("a", "13.0.88", true);
  for (QueryRow& row : sampleBlock("z", "13.0.88", false))
    rows.push_back(std::move(row));
  makeMismatch(rows.back(), Outcome::Regressed);
  Page page = pageOf(rows);
  EXPECT_EQ(page.lines[0].caseId, "z");
  EXPECT_EQ(page.cases[0].caseId, "z");
}

TEST(Page, ExplanationsAreSharedOut) {
  std::vector<QueryRow> rows;
  for (const char* caseId : {"a", "b"})
    for (const char* toolchain : {"13.0.88", "13.1.80"})
      for (QueryRow& row : sampleBlock(caseId, toolchain, true))
        rows.push_back(std::move(row));
  Page page = pageOf(rows, {}, 2);
  std::vector<std::string> explained;
  for (const Page::Case& one : page.cases)
    for (const PageFinding& finding : one.findings)
      explained.push_back(finding.evidence.explanation + finding.evidence.noExplanation);
  EXPECT_THAT(explained, ElementsAre("They part at 13.0.88", "only 2 were made for this page",
                                     "They part at 13.0.88", "only 2 were made for this page"));
}

TEST(Page, ChangesLeadToTheirFindings) {
  std::vector<QueryRow> rows = sampleRows();
  std::vector<QueryRow> changed(rows.begin(), rows.begin() + 72);
  for (QueryRow& row : changed)
    row.previous = "pass";
  Page page = pageOf(rows, changed);
  ASSERT_EQ(page.changed.size(), 1u);
  EXPECT_EQ(page.changed[0].verdict, "pass → mismatch");
  EXPECT_EQ(page.changed[0].where, "all 18 × O0–O3");
  EXPECT_EQ(page.changed[0].anchor, page.cases[0].findings[0].anchor);
}

TEST(Html, EscapesAndDropsWhatHtmlMustNotHold) {
  EXPECT_EQ(htmlText("<b a=\"x\" b='y'>&amp;"), "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;");
  EXPECT_EQ(htmlText("é → \n\t"), "é → \n\t");
  for (const char* bad : {"\x01", "\r", "\x7f", "\xff", "\xc2\x85", "\xe2\x80\xae", "\xef\xbf\xbf",
                          "\xc0\x80", "\xf0\x9f\xbf\xbe", "\xed\xa0\x80"})
    EXPECT_THAT(htmlText(std::string("a") + bad + "b"),
                testing::AllOf(HasSubstr("a\xEF\xBF\xBD"), HasSubstr("b")));
  EXPECT_EQ(htmlText(std::string_view("\0", 1)), "\xEF\xBF\xBD");
}

TEST(PageHtml, TellsAllAndNeedsNothingElse) {
  std::string text = renderHtml(pageOf(sampleRows()));
  EXPECT_TRUE(text.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n")) << text.substr(0, 100);
  for (const char* part :
       {"<h1>Run 12: nothing regressed</h1>", "144", "abc123", "harness run --matrix matrix/smoke.json",
        "builder", "Changed since run 11 (2025-01-01T02:00:00Z)", "nothing changed", "▲", "✓",
        "8 of 272 bytes wrong", "They part at 13.0.88", "$ ptxas -O3",
        "harness bundle halfstore@13.0.88/sm_121a/O3", "got == ref &amp; 0xff00",
        "wrong bytes by offset in the 34-byte record: +0: 8", "prefers-color-scheme: dark",
        "1 case passes on every toolchain"})
    EXPECT_THAT(text, HasSubstr(part));
  for (const char* part : {"<script", "src=", "url(", "@import", "http:", "https:", "<link"})
    EXPECT_THAT(text, Not(HasSubstr(part)));
  EXPECT_EQ(text, renderHtml(pageOf(sampleRows())));
}

TEST(PageHtml, OnlyWhatNobodyExpectedIsOpen) {
  std::vector<QueryRow> rows = sampleBlock("a", "13.0.88", true);
  EXPECT_THAT(renderHtml(pageOf(rows)), Not(HasSubstr("<details class=\"finding\" open>")));
  makeMismatch(rows[7], Outcome::Regressed);
  EXPECT_THAT(renderHtml(pageOf(rows)), HasSubstr("<details class=\"finding\" open>"));
}

TEST(PageHtml, NothingOfACaseIsMarkup) {
  const std::string evil = "<script>alert(1)</script>\"'><img src=x onerror=y>&\x01\xff";
  QueryRow row = sampleRow(evil, evil, evil, evil);
  makeMismatch(row, Outcome::Expected);
  row.firstBad = row.why = row.expectedBlame = row.previous = evil;
  std::string quoted = R"(<script>alert(1)</script>\"'><img src=x onerror=y>)";
  row.executors = {
      {evil, evil, Verdict::Mismatch, 4, 4, evil,
       R"({"message":")" + quoted + R"(","observations":[")" + quoted + R"("],"blame":{"because":")" +
           quoted + R"(","tried":{")" + quoted + R"(":")" + quoted + R"("}},"buffers":[{"name":")" + quoted +
           R"(","pattern":")" + quoted +
           R"(","record":2,"bad":18446744073709551615,"histogram":[18446744073709551615,"x",-1],)"
           R"("first":[{"offset":-1,"expected":99999,"actual":"z"},7]}]})"}};
  RunRecord run = sampleRun();
  run.started = run.finished = run.host = run.revision = run.arguments = evil;
  auto evidence = [&](const QueryRow&, bool) { return CellEvidence{evil, {evil}, evil, evil, evil}; };
  std::vector<QueryRow> rows{row}, changed{row};
  std::string text = renderHtml(makePage({run, run, rows, changed, 1, ""}, evidence));
  for (const char* part : {"<script", "<img", "\x01", "\xff"})
    EXPECT_THAT(text, Not(HasSubstr(part)));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
}

TEST(PageHtml, ARunWithoutCells) {
  std::string text = renderHtml(makePage({sampleRun(), std::nullopt, {}, {}, 1, ""}, sampleEvidence));
  EXPECT_THAT(text, HasSubstr("no cells"));
  EXPECT_THAT(text, HasSubstr("nothing changed"));
}

} // namespace
} // namespace harness
