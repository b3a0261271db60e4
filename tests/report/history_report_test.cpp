#include "harness/report/history_report.h"

#include "sample_rows.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::Not;

class HistoryReportTest : public testing::Test {
protected:
  void stand(const std::string& caseId, const std::string& toolchain, Verdict verdict,
             const std::string& arch = "sm_90") {
    for (const std::string& opt : kSampleOpts)
      standings.push_back({caseId, toolchain, arch, opt, verdict, Blame::None});
  }
  void ran(const std::string& caseId, const std::string& toolchain, Verdict verdict, RowId first, RowId last,
           const std::string& arch = "sm_90") {
    for (const std::string& opt : kSampleOpts)
      history.push_back({caseId, toolchain, arch, opt, verdict,
                         verdict == Verdict::Pass ? Blame::None : Blame::Ptxas, first, last,
                         "2025-01-0" + std::to_string(first) + "T02:00:00Z",
                         "2025-01-0" + std::to_string(last) + "T02:00:00Z"});
  }
  std::string text() { return renderHistory(history, standings, {}); }

  std::vector<HistoryRow> history;
  std::vector<StandingRow> standings;
};

TEST_F(HistoryReportTest, SaysWhereAFaultBeganAndEnded) {
  stand("halfstore", "12.0.76", Verdict::Pass);
  stand("halfstore", "12.9.86", Verdict::Mismatch);
  stand("halfstore", "13.0.88", Verdict::Mismatch);
  stand("halfstore", "13.1.80", Verdict::Pass);
  stand("halfstore", "13.5.37", Verdict::Pass);
  ran("halfstore", "13.0.88", Verdict::Unsupported, 1, 1);
  ran("halfstore", "13.0.88", Verdict::Mismatch, 2, 7);
  EXPECT_EQ(
      text(),
      "halfstore\n"
      "  by toolchain, as last judged\n"
      "    pass      12.0.76            sm_90  O0 O1 O2 O3\n"
      "    mismatch  12.9.86 … 13.0.88  sm_90  O0 O1 O2 O3  first bad: 12.9.86\n"
      "    pass      13.1.80 … 13.5.37  sm_90  O0 O1 O2 O3  first good: 13.1.80\n"
      "  by run\n"
      "    13.0.88  unsupported (ptxas)  run 1 (2025-01-01)                       sm_90  O0 O1 O2 O3\n"
      "    13.0.88  mismatch (ptxas)     run 2 (2025-01-02) … run 7 (2025-01-07)  sm_90  O0 O1 O2 O3\n");
}

TEST_F(HistoryReportTest, NeighboursThatRunsSawAlikeShareALine) {
  for (const char* toolchain : {"12.8.61", "12.8.93", "12.9.41"})
    stand("a", toolchain, Verdict::Mismatch);
  stand("a", "12.9.86", Verdict::Pass);
  stand("a", "13.0.48", Verdict::Mismatch);
  ran("a", "12.8.61", Verdict::Mismatch, 1, 1);
  ran("a", "12.8.93", Verdict::Mismatch, 1, 3);
  ran("a", "12.9.41", Verdict::Mismatch, 1, 3);
  ran("a", "13.0.48", Verdict::Mismatch, 1, 3); // 12.9.86 lies between
  EXPECT_THAT(text(), HasSubstr("  by run\n"
                                "    12.8.61            mismatch (ptxas)  run 1 (2025-01-01)                 "
                                "      sm_90  O0 O1 O2 O3\n"
                                "    12.8.93 … 12.9.41  mismatch (ptxas)  run 1 (2025-01-01) … run 3 "
                                "(2025-01-03)  sm_90  O0 O1 O2 O3\n"
                                "    13.0.48            mismatch (ptxas)  run 1 (2025-01-01) … run 3 "
                                "(2025-01-03)  sm_90  O0 O1 O2 O3\n"));
}

TEST_F(HistoryReportTest, SaysThatItCameBack) {
  stand("a", "13.0.88", Verdict::Mismatch);
  stand("a", "13.1.80", Verdict::Pass);
  stand("a", "13.2.51", Verdict::Unsupported);
  stand("a", "13.3.33", Verdict::Mismatch);
  std::string report = text();
  EXPECT_THAT(report, HasSubstr("bad already on the oldest judged"));
  EXPECT_THAT(report, HasSubstr("first good: 13.1.80"));
  EXPECT_THAT(report, HasSubstr("not decided"));
  EXPECT_THAT(report, HasSubstr("came back: 13.3.33"));
}

TEST_F(HistoryReportTest, AnArchitectureThatAToolchainLacksIsNoEvent) {
  stand("a", "11.8.89", Verdict::Skipped, "sm_120");
  stand("a", "12.9.86", Verdict::Mismatch, "sm_120");
  EXPECT_THAT(text(), HasSubstr("mismatch  12.9.86  sm_120  O0 O1 O2 O3  bad wherever judged"));
  EXPECT_THAT(text(), Not(HasSubstr("11.8.89")));
}

TEST_F(HistoryReportTest, NvrtcAndSwappedPairsAreOtherAxes) {
  stand("a", "13.0.88", Verdict::Mismatch);
  stand("a", "nvrtc-13.0.88", Verdict::Mismatch);
  stand("a", "13.0.88+13.1.80", Verdict::Pass);
  stand("a", "13.1.80", Verdict::Pass);
  std::string report = text();
  EXPECT_THAT(report, HasSubstr("first good: 13.1.80"));
  EXPECT_THAT(report, HasSubstr("mismatch  nvrtc-13.0.88    sm_90  O0 O1 O2 O3  bad wherever judged"));
  EXPECT_THAT(report, HasSubstr("pass      13.0.88+13.1.80  sm_90  O0 O1 O2 O3\n"));
}

TEST_F(HistoryReportTest, WhatAlwaysPassedTakesOneLine) {
  stand("good", "13.0.88", Verdict::Pass);
  stand("good", "13.1.80", Verdict::Pass);
  ran("good", "13.0.88", Verdict::Pass, 1, 2);
  EXPECT_EQ(text(), "good: passed in all cells and runs on 13.0.88, 13.1.80\n");
}

TEST_F(HistoryReportTest, NothingAndTheCut) {
  EXPECT_EQ(text(), "no cells match\n");
  ran("a", "13.0.88", Verdict::Mismatch, 1, 2);
  QueryReportOptions options;
  options.limit = 4;
  EXPECT_THAT(renderHistory(history, standings, options), HasSubstr("Only the first 4 stretches are shown"));
}

TEST_F(HistoryReportTest, MachineFormats) {
  ran("a", "13.0.88", Verdict::Mismatch, 1, 2);
  history.resize(1);
  QueryReportOptions options;
  options.format = QueryFormat::Json;
  EXPECT_EQ(renderHistory(history, {}, options),
            "[\n{\"case\":\"a\",\"toolchain\":\"13.0.88\",\"arch\":\"sm_90\",\"opt\":\"O0\",\"verdict\":"
            "\"mismatch\","
            "\"blame\":\"ptxas\",\"first_run\":1,\"first_seen\":\"2025-01-01T02:00:00Z\",\"last_run\":2,"
            "\"last_seen\":\"2025-01-02T02:00:00Z\"}\n]\n");
  options.format = QueryFormat::Csv;
  EXPECT_EQ(renderHistory(history, {}, options),
            "case,toolchain,arch,opt,verdict,blame,first_run,first_seen,last_run,last_seen\n"
            "a,13.0.88,sm_90,O0,mismatch,ptxas,1,2025-01-01T02:00:00Z,2,2025-01-02T02:00:00Z\n");
  options.format = QueryFormat::Markdown;
  EXPECT_THAT(renderHistory(history, {}, options), testing::StartsWith("```text\na\n"));
}

} // namespace
} // namespace harness
