#include "tests/cli/background.h"
#include "tests/matrix/world.h"
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <csignal>

namespace harness::test {
namespace {

using Json = World::Json;

/// A matrix whose sm_80 is quick and whose sm_90 hangs in ptxas until there is a file `go`. While it hangs,
/// `pid` and `child` name the compiler and a process that it started.
class InterruptTest : public testing::Test {
protected:
  InterruptTest() {
    world_.writeMatrix([](Json& matrix) { matrix["archs"] = {"sm_80", "sm_90"}; });
    world_.writeCase("fill", R"(//ptxas world=$(dirname "$FAKE_LOG")
//ptxas if [ $arch = sm_90 ] && [ ! -e "$world/go" ]; then
//ptxas   [ -e "$world/alone" ] || { sleep 1000 & echo $! >"$world/child"; }
//ptxas   echo $$ >"$world/pid"; exec sleep 1000
//ptxas fi
//ptxas emit right)");
  }

  std::unique_ptr<Background> start() {
    auto program = std::make_unique<Background>(
        world_.command({"run", "--matrix", world_.path("matrix/all.json"), "-j", "2"}), world_.path("log"));
    compiler_ = waitForFile(world_.path("pid"));
    return program;
  }

  void expectValidDatabaseWithTheFirstArch() {
    SQLite::Database database(world_.path("harness.db").string(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
    Json rows = world_.query();
    EXPECT_EQ(rows.size(), 4u);
    for (const Json& row : rows)
      EXPECT_EQ(row["arch"], "sm_80");
  }

  void expectTheNextRunDoesOnlyTheRest() {
    std::size_t frontEnds = world_.started("nvcc"), assemblers = world_.started("ptxas");
    world_.write("go", "");
    ProcessResult result = world_.runMatrix();
    EXPECT_CODE(result, 0);
    EXPECT_HAS(result.out, "8 cells: 4 compilations, 1 starts of nvdisasm, 2 executions");
    EXPECT_EQ(world_.started("nvcc"), frontEnds) << "all PTX was there";
    EXPECT_EQ(world_.started("ptxas"), assemblers + 4);
    EXPECT_EQ(world_.query().size(), 8u);
  }

  World world_;
  std::string compiler_;
};

TEST_F(InterruptTest, CtrlCLeavesAValidDatabaseAndNoChild) {
  auto program = start();
  std::string child = waitForFile(world_.path("child"));
  EXPECT_TRUE(std::filesystem::exists("/proc/" + compiler_.substr(0, compiler_.find('\n'))));
  program->signal(SIGINT);
  EXPECT_EQ(program->wait(), 130);
  EXPECT_FALSE(isRunning(compiler_));
  EXPECT_FALSE(isRunning(child));
  EXPECT_EQ(program->output(), "harness: interrupted; what was recorded is kept\n");
  expectValidDatabaseWithTheFirstArch();
  expectTheNextRunDoesOnlyTheRest();
}

TEST_F(InterruptTest, TerminationIsLikeCtrlC) {
  auto program = start();
  program->signal(SIGTERM);
  EXPECT_EQ(program->wait(), 130);
  EXPECT_FALSE(isRunning(compiler_));
  expectValidDatabaseWithTheFirstArch();
}

TEST_F(InterruptTest, AKillLosesOnlyWhatWasUnderWay) {
  world_.write("alone", "");
  auto program = start();
  program->signal(SIGKILL);
  EXPECT_EQ(program->wait(), 128 + SIGKILL);
  EXPECT_FALSE(isRunning(compiler_));
  expectValidDatabaseWithTheFirstArch();
  expectTheNextRunDoesOnlyTheRest();
}

TEST_F(InterruptTest, AnEndlessKernelIsInterruptedToo) {
  world_.writeCase(
      "fill", "//ptxas : >\"$(dirname \"$FAKE_LOG\")/pid\"; echo now >>\"$(dirname \"$FAKE_LOG\")/pid\"; "
              "emit forever");
  world_.writeMatrix([](Json& matrix) { matrix["archs"] = {"sm_80"}; });
  auto program = start();
  std::this_thread::sleep_for(std::chrono::milliseconds(500)); // into the kernel
  auto begin = std::chrono::steady_clock::now();
  program->signal(SIGINT);
  EXPECT_EQ(program->wait(), 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(InterruptTest, WhatRecordsNothingPromisesNothing) {
  Background check(world_.command({"check", "fill@13.0.88/sm_90/O3"}), world_.path("log"));
  waitForFile(world_.path("pid"));
  check.signal(SIGINT);
  EXPECT_EQ(check.wait(), 130);
  EXPECT_EQ(check.output(), "harness: interrupted\n");
}

/// The files of the cache are many, and looked at without starting anything.
TEST_F(InterruptTest, CoverageIsInterruptedWhileItReads) {
  std::string cubin = readFile(std::string(HARNESS_SOURCE_DIR) + "/tests/matrix/data/right-sm_80.cubin");
  std::filesystem::path folder = world_.path("many");
  std::filesystem::create_directory(folder);
  writeFileAtomically(folder / "first", cubin);
  ProcessSpec spec = world_.command({"coverage"});
  for (int i = 0; i < 20'000; ++i)
    spec.argv.push_back((folder / "first").string());
  Background program(spec, world_.path("log"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_TRUE(program.output().starts_with("harness: interrupted")) << program.output();
}

TEST_F(InterruptTest, NothingIsLeftInTheTemporaryDirectory) {
  std::filesystem::create_directory(world_.path("tmp"));
  ProcessSpec spec = world_.command({"run", "--matrix", world_.path("matrix/all.json")});
  spec.environment.emplace_back("TMPDIR", world_.path("tmp"));
  Background program(spec, world_.path("log"));
  waitForFile(world_.path("pid"));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_TRUE(std::filesystem::is_empty(world_.path("tmp")));
}

} // namespace
} // namespace harness::test
