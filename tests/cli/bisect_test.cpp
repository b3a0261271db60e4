// `harness bisect` on compilers that are scripts.
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

using Json = World::Json;

const char* const kBad13_0 = "//ptxas case $build in 13.0.*) emit wrong;; *) emit right;; esac";

/// Toolchains 13.0.88, 13.1.80, 13.2.51, 13.3.33.
class BisectTest : public testing::Test {
protected:
  BisectTest() {
    world_.addToolchain("13.2.51");
    world_.addToolchain("13.3.33");
    for (const char* name : {"12.9.86", "13.0.88", "13.0.99", "13.1.80", "nvrtc-13.1.80", "nvdisasm"})
      world_.write(std::string("matrix/toolchains/") + name + ".txt", "");
  }

  Json bisect(const std::string& id, int code, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"bisect", id, "--format", "json"});
    ProcessResult result = world_.run(std::move(arguments));
    EXPECT_CODE(result, code);
    EXPECT_EQ(result.err, "");
    return Json::parse(result.out);
  }

  World world_;
};

TEST_F(BisectTest, FindsAndRecords) {
  world_.writeCase("bad", kBad13_0);
  Json found = bisect("bad", 0);
  ASSERT_EQ(found["changes"].size(), 1u);
  EXPECT_EQ(found["changes"][0]["before"], "13.0.88");
  EXPECT_EQ(found["changes"][0]["after"], "13.1.80");
  EXPECT_EQ(found["changes"][0]["stage"], "ptxas");
  EXPECT_EQ(found["changes"][0]["installable"], Json({"13.0.99"}));
  EXPECT_EQ(found["older"], Json({"12.9.86"}));
  EXPECT_EQ(found["cells_known"], 0);
  Json rows = world_.query();
  EXPECT_EQ(rows.size(), found["cells_judged"].get<std::size_t>());
  for (const Json& row : rows)
    EXPECT_EQ(row["run"], 1) << "one run, whatever it took";
}

TEST_F(BisectTest, NothingIsDoneTwice) {
  world_.writeCase("bad", kBad13_0);
  Json first = bisect("bad", 0);
  std::size_t compiled = world_.started("ptxas");
  Json second = bisect("bad", 0);
  EXPECT_EQ(second["cells_judged"], 0);
  EXPECT_EQ(second["cells_known"], first["cells_judged"]);
  EXPECT_EQ(second["changes"][0]["after"], "13.1.80");
  EXPECT_EQ(world_.started("ptxas"), compiled);
  EXPECT_EQ(Json::parse(world_.run({"query", "--run", "2", "--format", "json"}).out).size(), 0u)
      << "nothing was judged: no run";
}

TEST_F(BisectTest, WhatIsKnownOfAnotherSourceIsJudgedAgain) {
  world_.writeCase("bad", kBad13_0);
  bisect("bad", 0);
  world_.writeCase("bad", "//ptxas emit right");
  Json found = bisect("bad", 0);
  EXPECT_EQ(found["cells_known"], 0);
  EXPECT_EQ(found["changes"], Json::array());
}

TEST_F(BisectTest, TheFrontEndsFault) {
  world_.writeCase("bad", "//ptxas emit $(grep -q made-by-13[.]0 $in && echo wrong || echo right)\n"
                          "//nvcc build=$build; trap 'echo made-by-$build >>$out' EXIT");
  Json found = bisect("bad", 0);
  ASSERT_EQ(found["changes"].size(), 1u);
  EXPECT_EQ(found["changes"][0]["stage"], "front-end");
}

TEST_F(BisectTest, NothingWrong) {
  Json found = bisect("fill", 0);
  EXPECT_EQ(found["chosen"], "default");
  EXPECT_EQ(found["summary"], "nothing is wrong: it passes at sm_80/O3 on all 4 toolchains judged");
}

TEST_F(BisectTest, CannotTell) {
  world_.writeCase("bad", "//ptxas emit wrong");
  EXPECT_EQ(bisect("bad", 125)["changes"], Json::array());
  world_.writeCase("odd", "//ptxas emit unknown");
  EXPECT_EQ(bisect("odd", 125)["levels"], Json::array());
  world_.writeCase("old", kBad13_0);
  Json found = bisect("old", 125, {"--nvcc", "13.0"});
  EXPECT_EQ(found["history"].size(), 1u);
}

TEST_F(BisectTest, ARunBeforeTellsWhereToLook) {
  world_.writeCase("bad", "//ptxas case $build$opt in 13.1.80O2) emit wrong;; *) emit right;; esac");
  EXPECT_EQ(bisect("bad", 0)["changes"], Json::array()) << "at O3 there is nothing";
  world_.runMatrix({"--case", "bad"});
  Json found = bisect("bad", 0);
  EXPECT_EQ(found["chosen"], "known");
  EXPECT_EQ(found["opt"], "O2");
  ASSERT_EQ(found["changes"].size(), 2u);
  EXPECT_EQ(found["changes"][0]["after"], "13.1.80");
  EXPECT_EQ(found["changes"][1]["after"], "13.2.51");
  EXPECT_GT(found["cells_known"], 0);
}

TEST_F(BisectTest, ForPeople) {
  world_.writeCase("bad", kBad13_0);
  ProcessResult result = world_.run({"bisect", "bad", "--arch", "sm_80", "--opt", "O3"});
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out,
             "bad at sm_80/O3\nbad already on 13.0.88, the oldest judged, first good 13.1.80; ptxas; ");
  EXPECT_HAS(result.out, "harness toolchain install 13.0.99\n");
  EXPECT_HAS(result.out, "harness toolchain install 12.9.86\n");
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
}

TEST_F(BisectTest, BadUsage) {
  EXPECT_CODE(world_.run({"bisect"}), 2);
  EXPECT_CODE(world_.run({"bisect", "nothing"}), 2);
  EXPECT_CODE(world_.run({"bisect", "fill", "--arch", "sm_8"}), 2);
  EXPECT_CODE(world_.run({"bisect", "fill", "--opt", "O9"}), 2);
  EXPECT_CODE(world_.run({"bisect", "fill", "--nvcc", "11.0"}), 2);
  EXPECT_CODE(world_.run({"bisect", "fill", "--nvcc", "new"}), 2);
  EXPECT_CODE(world_.run({"bisect", "fill", "--format", "csv"}), 2);
}

} // namespace
} // namespace harness::test
