#include "harness/matrix/run.h"

#include "tests/matrix/judge_bench.h"

#include <csignal>

namespace harness::test {
namespace {

using RunTest = JudgeBench;

TEST(RunSummary, ExitCodes) {
  RunSummary summary;
  EXPECT_EQ(summary.exitCode(), ExitCode::Ok);
  summary.fixed = {"a"};
  EXPECT_EQ(summary.exitCode(), ExitCode::Ok) << "fixed is as good as it gets";
  summary.undecided = {"b"};
  EXPECT_EQ(summary.exitCode(), ExitCode::Undecided);
  summary.regressed = {"c"};
  EXPECT_EQ(summary.exitCode(), ExitCode::Regressed) << "a regression outweighs what is undecided";
}

TEST_F(RunTest, CountsOutcomesAndRecordsEveryCell) {
  world_.writeCase("bad", "//ptxas emit wrong");
  world_.writeCase("odd", "//ptxas emit unknown");
  world_.writeCase("known", "//ptxas emit wrong",
                   [](World::Json& manifest) { manifest["expect"] = {{{"verdict", "mismatch"}}}; });
  world_.writeCase("mended", "//ptxas emit right",
                   [](World::Json& manifest) { manifest["expect"] = {{{"verdict", "mismatch"}}}; });
  RunSummary summary = run({"fill@13.0.88/sm_80/O3", "fill@13.0.88/sm_90/O3", "bad@13.0.88/sm_80/O3",
                            "odd@13.0.88/sm_80/O3", "known@13.0.88/sm_80/O3", "mended@13.0.88/sm_80/O3"});
  EXPECT_EQ(summary.outcomes[Outcome::Ok], 2u);
  EXPECT_EQ(summary.regressed, std::vector<std::string>{"bad@13.0.88/sm_80/O3"});
  EXPECT_EQ(summary.undecided, std::vector<std::string>{"odd@13.0.88/sm_80/O3"});
  EXPECT_EQ(summary.fixed, std::vector<std::string>{"mended@13.0.88/sm_80/O3"});
  EXPECT_EQ(summary.outcomes[Outcome::Expected], 1u);
  EXPECT_EQ(summary.run.cells, 6u);
  EXPECT_FALSE(summary.run.finished.empty());
  EXPECT_EQ(store_.query({}).size(), 6u);
  RunRecord run = store_.runs(1).front();
  EXPECT_EQ(run.id, summary.run.id);
  EXPECT_EQ(run.cells, 6u);
  EXPECT_EQ(run.compiled, summary.run.compiled);
}

TEST_F(RunTest, TheSecondRunDoesNothingAndSaysSo) {
  std::vector<std::string> cells = {"fill@13.0.88/sm_80/O3", "fill@13.1.80/sm_80/O3",
                                    "fill@13.0.88/sm_90/O3"};
  RunSummary first = run(cells);
  EXPECT_EQ(first.describeWork(), "3 cells: 6 compilations, 2 starts of nvdisasm, 4 executions");
  std::uint64_t executions = store_.countExecutions();
  auto processes = [] {
    std::uint64_t all = 0;
    for (const char* name :
         {"nvcc", "ptxas", "cicc", "nvdisasm", "gcc", "c++", "harness-nvrtc", "harness-reference"})
      all += processesStarted(name);
    return all;
  };
  std::uint64_t before = processes();
  EXPECT_GT(before, 0u);
  RunSummary second = run(cells);
  EXPECT_EQ(processes(), before);
  EXPECT_EQ(store_.countExecutions(), executions);
  EXPECT_EQ(second.run.compiled + second.run.disassembled + second.run.executed, 0u);
  EXPECT_EQ(second.describeWork(), "nothing to compile, nothing to execute: 3 cells unchanged");
}

TEST_F(RunTest, AMemoryThatFailsEndsTheRunAndKeepsWhatIsRecorded) {
  run({"fill@13.0.88/sm_80/O3"});
  std::filesystem::remove_all(world_.path("bench-cache"));
  world_.write("bench-cache", "a file where a folder should be");
  world_.writeCase("more", "//ptxas emit right");
  EXPECT_THROW(run({"more@13.0.88/sm_80/O3"}), Error);
  std::vector<RunRecord> runs = store_.runs(10);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[0].finished.empty()) << "it did not finish";
  EXPECT_EQ(store_.query({}).size(), 1u);
}

} // namespace
} // namespace harness::test
