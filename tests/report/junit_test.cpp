#include "harness/base/subprocess.h"
#include "harness/report/junit.h"

#include "sample_rows.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace harness {
namespace {

/// What a real XML parser makes of `xml`: [tag, attributes, text, [children]].
nlohmann::json parsed(const std::string& xml) {
  ProcessSpec spec;
  spec.argv = {"python3", "-c",
               "import json, sys, xml.etree.ElementTree as t\n"
               "def tree(e): return [e.tag, dict(e.attrib), e.text or '', [tree(c) for c in e]]\n"
               "print(json.dumps(tree(t.fromstring(sys.stdin.buffer.read()))))"};
  spec.input = xml;
  ProcessResult result = runProcess(spec);
  EXPECT_TRUE(result.ok()) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

RunRecord finishedRun() {
  RunRecord run;
  run.id = 7;
  run.started = "2026-01-02T03:04:05Z";
  run.finished = "2026-01-02T03:14:05Z";
  return run;
}

TEST(Junit, ASuiteACaseAndATestACell) {
  QueryRow ok = sampleRow("a", "13.0.88", "sm_90", "O3");
  QueryRow known = sampleRow("b", "13.0.88", "sm_90", "O0");
  makeMismatch(known);
  QueryRow regressed = sampleRow("b", "13.0.88", "sm_90", "O3");
  makeMismatch(regressed, Outcome::Regressed);
  QueryRow undecided = sampleRow("b", "13.1.80", "sm_90", "O3");
  undecided.verdict = Verdict::Unsupported;
  undecided.outcome = Outcome::Undecided;
  undecided.executors = {
      {"sass", "", Verdict::Unsupported, 0, 0, "", R"({"message":"no opcode <X> & \"Y\""})"}};

  auto root = parsed(renderJunit(finishedRun(), {ok, known, regressed, undecided}));
  EXPECT_EQ(root[0], "testsuites");
  EXPECT_EQ(root[1]["tests"], "4");
  EXPECT_EQ(root[1]["failures"], "1");
  EXPECT_EQ(root[1]["skipped"], "1");
  ASSERT_EQ(root[3].size(), 2u);
  EXPECT_EQ(root[3][0][1]["name"], "a");
  auto suite = root[3][1];
  EXPECT_EQ(suite[1]["name"], "b");
  EXPECT_EQ(suite[1]["tests"], "3");
  EXPECT_EQ(suite[1]["failures"], "1");
  auto cells = suite[3];
  EXPECT_EQ(cells[0][1]["classname"], "b");
  EXPECT_EQ(cells[0][1]["name"], "13.0.88/sm_90/O0");
  EXPECT_EQ(cells[0][3][0][0], "system-out");
  auto failure = cells[1][3][0];
  EXPECT_EQ(failure[0], "failure");
  EXPECT_EQ(failure[1]["type"], "mismatch");
  EXPECT_EQ(failure[1]["message"],
            "mismatch, blame ptxas: 8 of 272 bytes wrong, first out+0x22: 0x0e -> 0x00, all at "
            "offset 0 of the 34-byte record, got == ref & 0xff00");
  EXPECT_NE(failure[2].get<std::string>().find("harness show b@13.0.88/sm_90/O3\n"), std::string::npos);
  EXPECT_EQ(cells[2][3][0][0], "skipped");
  EXPECT_EQ(cells[2][3][0][1]["message"], "unsupported: no opcode <X> & \"Y\"");
}

TEST(Junit, ARunThatIsNotFinishedIsAnError) {
  RunRecord run = finishedRun();
  run.finished.clear();
  auto root = parsed(renderJunit(run, {sampleRow("a", "13.0.88", "sm_90", "O3")}));
  EXPECT_EQ(root[1]["tests"], "2");
  EXPECT_EQ(root[1]["errors"], "1");
  EXPECT_EQ(root[3][0][3][0][3][0][0], "error");
  EXPECT_EQ(root[3][1][1]["errors"], "0");
}

TEST(Junit, HoldsWhateverANameHolds) {
  std::string name = "a<b>&\"'\n\x01\x1b\xff\xEF\xBF\xBFé]]>";
  QueryRow row = sampleRow(name, "13.0.88", "sm_90", "O3");
  auto root = parsed(renderJunit(finishedRun(), {row}));
  EXPECT_EQ(root[3][0][1]["name"], "a<b>&\"'\n\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDé]]>");
}

TEST(Junit, AnotherBlameThanExpectedIsSaid) {
  QueryRow row = sampleRow("a", "13.0.88", "sm_90", "O3");
  makeMismatch(row);
  row.expectedBlame = "ptxas";
  EXPECT_EQ(renderJunit(finishedRun(), {row}).find("expected blame"), std::string::npos);
  row.expectedBlame = "front-end";
  EXPECT_NE(renderJunit(finishedRun(), {row}).find("blame ptxas"), std::string::npos);
  EXPECT_NE(renderJunit(finishedRun(), {row}).find("expected blame front-end"), std::string::npos);
}

TEST(Junit, NoCellsIsADocumentToo) {
  EXPECT_EQ(parsed(renderJunit(finishedRun(), {}))[1]["tests"], "0");
}

} // namespace
} // namespace harness
