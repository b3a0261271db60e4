#include "harness/report/markdown.h"

#include "sample_rows.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RunRecord sampleRun() {
  RunRecord run;
  run.id = 12;
  run.started = "2025-01-01T02:00:00Z";
  run.finished = "2025-01-01T02:01:00Z";
  run.revision = "abc123";
  run.arguments = "harness run --matrix matrix/smoke.json";
  return run;
}

TEST(Markdown, TextStandsAsItIs) {
  EXPECT_EQ(markdownText("a|b\nc <i> & `x` *y* [z]"), "a\\|b c &lt;i> &amp; \\`x\\` \\*y\\* \\[z\\]");
  EXPECT_EQ(markdownText("sm_90 _x_"), "sm_90 \\_x\\_");
  EXPECT_EQ(markdownText("# no title"), "\\# no title");
}

TEST(Markdown, AQuietRunSaysSoFirst) {
  std::string text = renderRunSummary(sampleRun(), sampleQuery(), {});
  EXPECT_THAT(text, StartsWith("# Run 12: nothing regressed\n"));
  EXPECT_THAT(text,
              HasSubstr("288 cells: 144 mismatch (expected), 144 pass. Nothing was compiled, disassembled or "
                        "executed: all of it was known."));
  EXPECT_THAT(text, Not(HasSubstr("## Changed")));
  EXPECT_THAT(text, Not(HasSubstr("## Regressed")));
  EXPECT_THAT(text, HasSubstr("## Known faults"));
  EXPECT_THAT(text, HasSubstr("| case | 13.0.88 |\n| --- | --- |\n"));
  EXPECT_THAT(text, HasSubstr("| halfstore | 72 mismatch (expected) |\n"));
  EXPECT_THAT(text, HasSubstr("| halfstore-u16 | 72 pass |\n"));
}

TEST(Markdown, ARunThatHasNotEndedClaimsNothing) {
  RunRecord run = sampleRun();
  run.finished = "";
  std::string text = renderRunSummary(run, sampleQuery(), {});
  EXPECT_THAT(text, StartsWith("# Run 12, not finished: nothing regressed\n"));
  EXPECT_THAT(text, HasSubstr("not counted yet: the run has not ended"));
}

TEST(Markdown, ABadRunToo) {
  RunRecord run = sampleRun();
  run.executed = 5;
  run.finished = "";
  std::vector<QueryRow> rows = sampleBlock("halfstore-u16", "13.0.88", false);
  makeMismatch(rows[0], Outcome::Regressed);
  makeMismatch(rows[1], Outcome::Regressed);
  rows[2].outcome = Outcome::Fixed;
  std::vector<QueryRow> changed{rows[0]};
  changed[0].previous = "pass";
  std::string text = renderRunSummary(run, rows, changed);
  EXPECT_THAT(text, StartsWith("# Run 12, not finished: 2 cells regressed, 1 fixed\n"));
  EXPECT_THAT(text, HasSubstr("executed 5; the rest was known."));
  EXPECT_THAT(text, HasSubstr("## Changed since the run before: 1 regressed\n"));
  EXPECT_THAT(text, HasSubstr("pass → mismatch"));
  EXPECT_THAT(text, HasSubstr("halfstore-u16@13.0.88/sm_75/O0 |"));
  EXPECT_LT(text.find("## Regressed"), text.find("## Fixed"));
}

TEST(Markdown, AnotherBlameThanExpectedIsListed) {
  std::vector<QueryRow> rows = sampleBlock("halfstore", "13.0.88", true);
  rows[0].expectedBlame = "front-end";
  EXPECT_THAT(renderRunSummary(sampleRun(), rows, {}),
              HasSubstr("- blame is ptxas, expected front-end, in 1 cell: halfstore\n\n"));
}

TEST(Markdown, AnUndecidedRunIsNoQuietOne) {
  std::vector<QueryRow> rows = sampleBlock("a", "13.0.88", false);
  rows[0].verdict = Verdict::Unsupported;
  rows[0].outcome = Outcome::Undecided;
  EXPECT_THAT(renderRunSummary(sampleRun(), rows, {}),
              StartsWith("# Run 12: nothing regressed, 1 undecided\n"));
}

TEST(Markdown, ARunWithoutCells) {
  EXPECT_THAT(renderRunSummary(sampleRun(), {}, {}), HasSubstr("0 cells."));
}

} // namespace
} // namespace harness
