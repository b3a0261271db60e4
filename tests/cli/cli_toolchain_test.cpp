// Whole runs with installed compilers: matrix/smoke.json must be judged in minutes, unchanged in a moment.
#include "harness/base/text.h"
#include "harness/cli/workspace.h"
#include "harness/matrix/matrix_file.h"
#include "harness/matrix/plan.h"
#include "harness/matrix/run.h"

#include "tests/compile/toolchains.h"
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

using Json = World::Json;

/// The checkout and the installed toolchains, with a cache and a database of the test's own.
class InstalledTest : public testing::Test {
protected:
  ProcessResult run(const std::vector<std::string>& arguments) {
    ProcessSpec spec = programCall(HARNESS_PROGRAM, HARNESS_SOURCE_DIR, directory_.path(), arguments);
    spec.limits.wall = std::chrono::minutes(14);
    return runProcess(spec);
  }

  ProcessResult runSmoke(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(),
                     {"run", "--matrix", std::string(HARNESS_SOURCE_DIR) + "/matrix/smoke.json"});
    return run(std::move(arguments));
  }

  TempDir directory_{"harness-installed"};
};

std::uint64_t processes() {
  std::uint64_t all = 0;
  for (const char* name :
       {"nvcc", "ptxas", "cicc", "nvdisasm", "gcc", "c++", "harness-nvrtc", "harness-reference"})
    all += processesStarted(name);
  return all;
}

TEST_F(InstalledTest, AnUnchangedRunStartsNoCompilerAndExecutesNothing) {
  cli::Workspace workspace(
      {HARNESS_SOURCE_DIR, directory_.path() / "cache", installedToolchains().directory()});
  std::vector<CaseManifest> cases = workspace.cases();
  std::vector<std::string> ids;
  for (const CaseManifest& manifest : cases)
    ids.push_back(manifest.id);
  PlanFilter filter;
  filter.cases = {"halfstore", "fp8-block-dequant"};
  filter.archs = {"sm_80", "sm_120a"};
  filter.opts = {"O1", "O3"};
  MatrixFile matrix = MatrixFile::load(workspace.root() / "matrix/smoke.json");
  cli::CellResolver resolver(workspace, cases);
  std::vector<PlannedCell> cells = resolver.resolve(planCells(matrix, ids, filter, {}));
  ASSERT_EQ(cells.size(), 24u);
  Store store(directory_.path() / "harness.db", Store::Mode::ReadWrite);
  StoreMemory memory(store);
  Judge::Options options;
  options.jobs = 2;
  ProcessLimits limits;
  limits.memoryBytes = 0;
  auto run = [&] {
    cli::Workshop workshop(workspace, memory, options, limits);
    RecordedRun recorded(workshop.judge, store, {});
    recorded.judge(cells);
    return recorded.finish();
  };

  RunSummary cold = run();
  // To find out who is to blame, each case and arch is assembled at two more levels, and each of its wrong
  // levels by the newest ptxas.
  EXPECT_EQ(cold.run.compiled, 12u + 24u + 8u + 8u);
  EXPECT_GT(cold.run.executed, 0u);
  EXPECT_EQ(cold.outcomes[Outcome::Expected], 8u);
  EXPECT_EQ(cold.outcomes[Outcome::Ok], 16u);
  std::uint64_t started = processes(), executions = store.countExecutions();
  EXPECT_GE(started, cold.run.compiled + cold.run.disassembled);

  RunSummary unchanged = run();
  EXPECT_EQ(processes(), started);
  EXPECT_EQ(store.countExecutions(), executions);
  EXPECT_EQ(unchanged.run.compiled, 0u);
  EXPECT_EQ(unchanged.run.disassembled, 0u);
  EXPECT_EQ(unchanged.run.executed, 0u);
  EXPECT_EQ(unchanged.describeWork(), "nothing to compile, nothing to execute: 24 cells unchanged");
  EXPECT_EQ(unchanged.outcomes, cold.outcomes);
  QueryFilter wrong;
  wrong.verdict = Verdict::Mismatch;
  for (const QueryRow& row : store.query(wrong)) {
    EXPECT_EQ(toString(row.blame), "ptxas") << row.executors.at(0).details;
    EXPECT_HAS(row.executors.at(0).details, "right from the same PTX with ");
  }
}

TEST_F(InstalledTest, ABundleCompiles) {
  EXPECT_CODE(runSmoke({"--case", "halfstore", "--arch", "sm_120a", "--opt", "O3"}), 0);
  EXPECT_CODE(run({"bundle", "halfstore@13.0.88/sm_120a/O3", "-o", "bundle/"}), 0);
  for (const Toolchain& toolchain : oldestAndNewestNvcc()) {
    ProcessSpec spec;
    spec.argv = {toolchain.frontEnd.program,
                 "-std=c++17",
                 "-arch=sm_120a",
                 "-Werror",
                 "all-warnings",
                 "-c",
                 "-o",
                 "repro.o",
                 "repro.cu"};
    spec.directory = directory_.path() / "bundle";
    ProcessResult result = runProcess(spec);
    EXPECT_TRUE(result.ok()) << toolchain.name << ": " << result.describe() << "\n" << result.err;
  }
}

using SmokeTiming = InstalledTest;

/// On two cores a cold run may take 5 minutes, an unchanged one 3 seconds.
TEST_F(SmokeTiming, ColdAndUnchanged) {
  ProcessResult cold = runSmoke({"-j", "2"});
  EXPECT_CODE(cold, 0);
  EXPECT_HAS(cold.out, "864 cells: 144 mismatch (expected), 720 pass");
  ProcessResult unchanged = runSmoke({"-j", "2"});
  EXPECT_CODE(unchanged, 0);
  EXPECT_HAS(unchanged.out, "nothing to compile, nothing to execute: 864 cells unchanged");
  std::printf("matrix/smoke.json: cold %.1f s, unchanged %.2f s\n", cold.seconds, unchanged.seconds);
  EXPECT_LE(cold.seconds, 300);
  EXPECT_LE(unchanged.seconds, 3);
}

} // namespace
} // namespace harness::test
