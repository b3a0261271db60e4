#include "tests/matrix/world.h"
#include <gtest/gtest.h>

#include <set>

namespace harness::test {
namespace {

using Json = World::Json;

const char* const kDone = "nothing to compile, nothing to execute";

void expectMismatch(Json& manifest) {
  manifest["expect"] = {{{"verdict", "mismatch"}, {"blame", "ptxas"}, {"why", "a known one"}}};
}

TEST(Run, AllRightIsZero) {
  World world;
  ProcessResult result = world.runMatrix();
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "4 cells: 6 compilations, 1 starts of nvdisasm, 2 executions");
  EXPECT_EQ(result.err, "");
  Json rows = world.query();
  ASSERT_EQ(rows.size(), 4u);
  for (const Json& row : rows)
    EXPECT_EQ(row["verdict"], "pass");
}

TEST(Run, ARegressionIsOneAndNamed) {
  World world;
  world.writeCase("bad", "//ptxas case $build in 13.0.88) emit wrong;; *) emit right;; esac");
  ProcessResult result = world.runMatrix();
  EXPECT_CODE(result, 1);
  EXPECT_HAS(result.out, "REGRESSED (2):\n  bad@13.0.88/sm_80/O2\n  bad@13.0.88/sm_80/O3\n");
}

TEST(Run, ACaseThatFailsIsExpanded) {
  World world;
  world.writeMatrix([](Json& matrix) { matrix["expand"] = {{"archs", {"sm_80", "sm_90"}}}; });
  EXPECT_CODE(world.runMatrix(), 0);
  EXPECT_EQ(world.query().size(), 4u) << "nothing fails";
  world.writeCase("bad", "//ptxas case $build-$arch in 13.0.88-sm_80) emit wrong;; *) emit right;; esac");
  world.writeCase("refused", "//nvcc exit 1");
  EXPECT_CODE(world.runMatrix({"--shard", "1/1"}), 1);
  EXPECT_EQ(world.query({"--case", "bad"}).size(), 8u);
  EXPECT_EQ(world.query({"--case", "bad", "--arch", "sm_90"}).size(), 4u);
  EXPECT_EQ(world.query({"--arch", "sm_90"}).size(), 4u) << "what is right or refused is not expanded";
  EXPECT_HAS(world.runMatrix().out, kDone);
}

TEST(Run, WhatTheCaseSaysIsItsSourcesDoingIsNotExpanded) {
  World world;
  world.writeMatrix([](Json& matrix) { matrix["expand"] = {{"archs", {"sm_80", "sm_90"}}}; });
  for (const char* blame : {"source", "ptxas"})
    world.writeCase(
        std::string("declared-") + blame, "//ptxas case $arch in sm_80) emit wrong;; *) emit right;; esac",
        [blame](Json& manifest) {
          manifest["expect"] = {
              {{"arch", "sm_80"}, {"verdict", "mismatch"}, {"blame", blame}, {"why", "measured"}}};
        });
  EXPECT_CODE(world.runMatrix(), 0);
  EXPECT_EQ(world.query({"--case", "declared-source", "--arch", "sm_90"}).size(), 0u);
  EXPECT_EQ(world.query({"--case", "declared-ptxas", "--arch", "sm_90"}).size(), 4u);
}

TEST(Run, EveryBuildOfACellIsJudged) {
  World world;
  world.writeCase("odd", "//nvcc otherwise wrong\n//ptxas emit right");
  EXPECT_CODE(world.runMatrix({"--case", "odd"}), 0);
  ProcessResult again = world.runMatrix({"--case", "odd", "--recompile", "2"});
  EXPECT_CODE(again, 1);
  EXPECT_HAS(again.out, "nondeterministic: 2 different builds");
  Json rows = world.query({"--case", "odd"});
  ASSERT_EQ(rows.size(), 4u);
  for (const Json& row : rows) {
    EXPECT_EQ(row["verdict"], "mismatch") << "the worst of its builds";
    EXPECT_EQ(row["builds"], 2);
  }
  EXPECT_HAS(world.runMatrix({"--case", "odd", "--recompile", "2"}).out, kDone);
}

TEST(Run, AKnownFaultIsZero) {
  World world;
  world.writeCase("fill", "//ptxas emit wrong", expectMismatch);
  ProcessResult result = world.runMatrix();
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "expected");
  EXPECT_HAS(result.out, "a known one");
}

TEST(Run, AMendedFaultIsZeroAndLoud) {
  World world;
  world.writeCase("fill", "//ptxas emit right", expectMismatch);
  ProcessResult result = world.runMatrix();
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "FIXED: expected to fail, and passes (4):\n  fill@13.0.88/sm_80/O2\n");
}

TEST(Run, AnUndecidedCellIsFour) {
  World world;
  world.writeCase("odd", "//ptxas emit unknown");
  ProcessResult result = world.runMatrix();
  EXPECT_CODE(result, 4);
  EXPECT_HAS(result.out, "UNDECIDED (4):");
  EXPECT_HAS(result.out, "FROB.X R2, R3");
}

TEST(Run, WhatPtxasDoesNotKnowIsSkippedAndNoFault) {
  World world;
  world.writeMatrix([](Json& matrix) { matrix["archs"] = {"sm_75", "sm_80"}; });
  EXPECT_CODE(world.runMatrix(), 0);
  EXPECT_EQ(world.query({"--verdict", "skipped"}).size(), 4u);
}

TEST(Run, UnchangedItDoesNothingAndSaysSo) {
  World world;
  world.writeCase("bad", "//ptxas emit wrong");
  EXPECT_CODE(world.runMatrix(), 1);
  std::vector<std::size_t> before;
  for (const char* program : {"nvcc", "ptxas", "nvdisasm", "c++"})
    before.push_back(world.started(program));
  EXPECT_EQ(before, (std::vector<std::size_t>{4, 8, 1, 1}));
  ProcessResult second = world.runMatrix();
  EXPECT_CODE(second, 1);
  EXPECT_HAS(second.out, std::string(kDone) + ": 8 cells unchanged");
  std::vector<std::size_t> after;
  for (const char* program : {"nvcc", "ptxas", "nvdisasm", "c++"})
    after.push_back(world.started(program));
  EXPECT_EQ(after, before);
}

TEST(Run, OnlyWhatChangedIsDoneAgain) {
  World world;
  world.writeCase("bad", "//ptxas emit wrong");
  world.runMatrix();
  world.writeCase("bad", "//ptxas emit right; : at last");
  ProcessResult second = world.runMatrix();
  EXPECT_CODE(second, 0);
  EXPECT_HAS(second.out, "8 cells: 6 compilations, 0 starts of nvdisasm, 0 executions");
  Json changed = world.query({"--changed"});
  EXPECT_EQ(changed.size(), 4u);
  for (const Json& row : changed)
    EXPECT_EQ(row["previous"], "mismatch") << row;
}

TEST(Run, ShardsTogetherAreTheMatrix) {
  World world;
  for (const char* id : {"a", "b", "c"})
    world.writeCase(id, "//ptxas emit right");
  world.writeMatrix([](Json& matrix) { matrix["archs"] = {"sm_75", "sm_80", "sm_90"}; });
  std::set<std::string> seen;
  std::size_t cells = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    std::string database = world.path(std::string("shard") + shard[0] + ".db");
    EXPECT_CODE(world.runMatrix({"--shard", shard, "--db", database}), 0);
    Json rows = world.query({"--db", database});
    cells += rows.size();
    for (const Json& row : rows)
      seen.insert(row["case"].get<std::string>() + row["toolchain"].get<std::string>() +
                  row["arch"].get<std::string>() + row["opt"].get<std::string>());
  }
  EXPECT_EQ(cells, 4u * 2 * 3 * 2);
  EXPECT_EQ(seen.size(), cells) << "no cell is in two shards";
}

TEST(Run, SelectsCells) {
  World world;
  world.writeCase("other", "//ptxas emit right");
  EXPECT_CODE(world.runMatrix({"--case", "f*", "--nvcc", ">=13.1", "--opt", "O3", "--arch", "sm_80"}), 0);
  Json rows = world.query();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["case"], "fill");
  EXPECT_EQ(rows[0]["toolchain"], "13.1.80");
  EXPECT_EQ(rows[0]["opt"], "O3");
}

TEST(Run, ManyThreadsForFewCells) {
  World world;
  EXPECT_CODE(world.runMatrix({"-j", "1024"}), 0);
  EXPECT_CODE(world.runMatrix({"-j", "0"}), 2);
  EXPECT_CODE(world.runMatrix({"-j", "many"}), 2);
}

TEST(Run, TheSameWhateverTheNumberOfThreads) {
  World world;
  for (const char* what : {"wrong", "unwritten", "outside", "unknown"})
    world.writeCase(what, std::string("//ptxas emit ") + what);
  auto rows = [&](const char* jobs) {
    std::string name = std::string("j") + jobs;
    world.runMatrix({"-j", jobs, "--db", world.path(name + ".db"), "--cache-dir", world.path(name)});
    return world.query({"--db", world.path(name + ".db")});
  };
  EXPECT_EQ(rows("1").dump(1), rows("8").dump(1));
}

} // namespace
} // namespace harness::test
