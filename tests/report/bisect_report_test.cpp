#include "harness/report/bisect_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::Not;

JudgedCell cell(const std::string& toolchain, Verdict verdict, const std::string& arch = "sm_90",
                const std::string& opt = "O3") {
  JudgedCell judged;
  judged.cell = {"c", toolchain, arch, opt};
  judged.verdict = verdict;
  return judged;
}

/// Bad on 12.0, good from 13.1 on; 12.4 was not judged.
Bisection sample() {
  Bisection found;
  found.caseId = "c";
  found.place = {"sm_90", "O3", Place::Origin::Expected};
  found.history = {{"12.0.76", cell("12.0.76", Verdict::Mismatch)},
                   {"12.4.131", std::nullopt},
                   {"13.0.88", cell("13.0.88", Verdict::Mismatch)},
                   {"13.1.80", cell("13.1.80", Verdict::Pass)}};
  found.changes = {{cell("13.0.88", Verdict::Mismatch),
                    cell("13.1.80", Verdict::Pass),
                    Stage::Ptxas,
                    false,
                    {cell("13.1.80+13.0.88", Verdict::Mismatch), cell("13.0.88+13.1.80", Verdict::Pass)},
                    {},
                    {"13.0.99"}}};
  for (const char* level : {"O0", "G"})
    found.levels.push_back(cell("12.0.76", Verdict::Pass, "sm_90", level));
  for (const char* level : {"O1", "O2", "O3"})
    found.levels.push_back(cell("12.0.76", Verdict::Mismatch, "sm_90", level));
  found.levels.push_back(cell("12.0.76", Verdict::Skipped, "sm_90", "cicc-O1"));
  for (const char* arch : {"sm_80", "sm_89"})
    found.archs.push_back(cell("13.0.88", Verdict::Pass, arch));
  for (const char* arch : {"sm_90", "sm_100"})
    found.archs.push_back(cell("13.0.88", Verdict::Mismatch, arch));
  found.older = {"11.8.89"};
  found.known = 3;
  found.judged = 12;
  return found;
}

TEST(BisectReport, InOneLine) {
  EXPECT_EQ(summarise(sample()),
            "bad already on 12.0.76, the oldest judged, first good 13.1.80; ptxas; O1–O3, "
            "not O0 G; sm_90 and newer");
}

TEST(BisectReport, WholePage) {
  EXPECT_EQ(
      renderBisection(sample(), {}),
      "c at sm_90/O3, where its manifest expects a fault\n"
      "bad already on 12.0.76, the oldest judged, first good 13.1.80; ptxas; O1–O3, not O0 G; sm_90 and "
      "newer\n"
      "\n"
      "  12.0.76          mismatch\n"
      "  12.4.131         not judged  1 between two that agree\n"
      "  13.0.88          mismatch    last bad\n"
      "  13.1.80          pass        first good\n"
      "  13.1.80+13.0.88  mismatch    front end of 13.1.80, ptxas of 13.0.88\n"
      "  13.0.88+13.1.80  pass        front end of 13.0.88, ptxas of 13.1.80\n"
      "\n"
      "levels on 12.0.76, sm_90  bad: O1–O3; good: O0 G; undecided: cicc-O1\n"
      "architectures on 13.0.88, O3  bad: sm_90 100; good: sm_80 89\n"
      "between 13.0.88 and 13.1.80 are more: harness toolchain install 13.0.99\n"
      "there are older ones: harness toolchain install 11.8.89\n"
      "3 cells were known, 12 were judged\n");
}

TEST(BisectReport, WhatCameBackIsSaid) {
  Bisection found = sample();
  found.history.push_back({"13.3.33", cell("13.3.33", Verdict::Fault)});
  found.changes.push_back({cell("13.1.80", Verdict::Pass),
                           cell("13.3.33", Verdict::Fault),
                           Stage::FrontEnd,
                           false,
                           {},
                           {"13.2.51"},
                           {}});
  EXPECT_THAT(
      summarise(found),
      HasSubstr("bad already on 12.0.76, the oldest judged; first good 13.1.80; bad again 13.3.33 (or "
                "13.2.51, undecided); still bad on 13.3.33; ptxas at 13.1.80, front end at 13.3.33; "));
  EXPECT_THAT(renderBisection(found, {}), HasSubstr("\nit came back: "));
  EXPECT_THAT(renderBisection(sample(), {}), Not(HasSubstr("it came back")));
}

TEST(BisectReport, WhatIsOnlyAvoidedIsNotRepaired) {
  Bisection found = sample();
  Change& change = found.changes[0];
  change.avoided = true;
  change.swaps[1].verdict = Verdict::Mismatch;
  change.swaps[1].ptx = Standing::Good;
  EXPECT_THAT(summarise(found),
              HasSubstr("first good 13.1.80 (not repaired); ptxas; 13.1.80 passes only because "
                        "its front end writes other PTX; O1–O3"));
  std::string page = renderBisection(found, {});
  EXPECT_THAT(page, HasSubstr("  13.1.80          pass        first good, by other PTX\n"));
  EXPECT_THAT(page, HasSubstr("front end of 13.0.88 (its PTX is right), ptxas of 13.1.80\n"));
}

TEST(BisectReport, WhyOneIsUndecidedIsSaid) {
  Bisection found = sample();
  found.levels.back().reason = "NVRTC 12.0.76 has no -Xcicc\nso no cicc-O1";
  found.changes[0].swaps[0] = cell("13.1.80+13.0.88", Verdict::CompileError);
  found.changes[0].swaps[0].reason = std::string(300, 'x');
  std::string page = renderBisection(found, {});
  EXPECT_THAT(page, HasSubstr("undecided: cicc-O1\n  cicc-O1: NVRTC 12.0.76 has no -Xcicc so no cicc-O1\n"));
  EXPECT_THAT(page, HasSubstr("ptxas of 13.0.88: " + std::string(160, 'x') + " …\n"));
}

TEST(BisectReport, NothingIsWrong) {
  Bisection found;
  found.caseId = "c";
  found.place = {"sm_80", "O3", Place::Origin::Default};
  found.history = {{"13.0.88", cell("13.0.88", Verdict::Pass)}};
  EXPECT_EQ(summarise(found),
            "nothing is wrong: it passes at sm_80/O3 on 13.0.88, the only toolchain judged");
  found.history.push_back({"13.1.80", cell("13.1.80", Verdict::Pass)});
  EXPECT_EQ(summarise(found), "nothing is wrong: it passes at sm_80/O3 on all 2 toolchains judged");
}

TEST(BisectReport, BadEverywhere) {
  Bisection found = sample();
  found.changes.clear();
  found.history = {{"13.0.88", cell("13.0.88", Verdict::Mismatch)}};
  EXPECT_THAT(summarise(found),
              HasSubstr("bad at sm_90/O3 on 13.0.88, the only toolchain judged, so neither"));
  EXPECT_THAT(renderBisection(found, {}), HasSubstr("there are older ones: "));
}

TEST(BisectReport, NothingDecided) {
  Bisection found;
  found.place = {"sm_80", "O3", Place::Origin::Default};
  found.history = {{"13.0.88", cell("13.0.88", Verdict::Unsupported)}};
  found.history[0].cell->reason = "no semantics for FROB.X";
  EXPECT_THAT(summarise(found),
              HasSubstr("says whether it is right: 13.0.88 is unsupported: no semantics for FROB.X"));
  EXPECT_THAT(renderBisection(found, {}), HasSubstr("unsupported"));
}

TEST(BisectReport, ArchitecturesThatMakeNoRange) {
  Bisection found = sample();
  found.archs = {cell("13.0.88", Verdict::Mismatch, "sm_80"), cell("13.0.88", Verdict::Pass, "sm_89"),
                 cell("13.0.88", Verdict::Mismatch, "sm_90")};
  EXPECT_THAT(summarise(found), HasSubstr("; sm_80 90"));
  found.archs.pop_back();
  EXPECT_THAT(summarise(found), HasSubstr("; sm_80 and older"));
  found.archs.pop_back();
  EXPECT_THAT(summarise(found), HasSubstr("; sm_80"));
}

TEST(BisectReport, Json) {
  nlohmann::ordered_json json = bisectionJson(sample());
  EXPECT_EQ(json["case"], "c");
  EXPECT_EQ(json["chosen"], "expected");
  EXPECT_EQ(json["monotone"], true);
  EXPECT_EQ(json["history"][1].dump(),
            R"({"toolchain":"12.4.131","verdict":null,"standing":null,"known":false,"reason":""})");
  EXPECT_EQ(json["history"][3]["standing"], "good");
  EXPECT_EQ(json["changes"][0]["before"], "13.0.88");
  EXPECT_EQ(json["changes"][0]["turns"], "good");
  EXPECT_EQ(json["changes"][0]["stage"], "ptxas");
  EXPECT_EQ(json["changes"][0]["avoided"], false);
  EXPECT_EQ(json["changes"][0]["swaps"][0]["ptx"], "undecided");
  EXPECT_EQ(json["changes"][0]["swaps"][0]["cell"], "c@13.1.80+13.0.88/sm_90/O3");
  EXPECT_EQ(json["levels"].size(), 6u);
  EXPECT_EQ(json["archs"][3]["verdict"], "mismatch");
  EXPECT_EQ(json["cells_known"], 3);
  EXPECT_EQ(json["cells_judged"], 12);
}

} // namespace
} // namespace harness
