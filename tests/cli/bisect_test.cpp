// `harness bisect` on compilers that are scripts.
#include "tests/matrix/fill_ptx.h"
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
  EXPECT_HAS(world_.run({"query", "--run", "2"}).err, "no run 2") << "nothing was judged";
}

TEST_F(BisectTest, WhatIsKnownOfAnotherSourceIsJudgedAgain) {
  world_.writeCase("bad", kBad13_0);
  bisect("bad", 0);
  world_.writeCase("bad", "//ptxas emit right");
  Json found = bisect("bad", 0);
  EXPECT_EQ(found["cells_known"], 0);
  EXPECT_EQ(found["changes"], Json::array());
}

/// The front end of 13.0 writes other PTX, of which the machine code is wrong with any ptxas.
const std::string kOtherPtx = "//ptxas emit $(grep -q made-by-13[.]0 $in && echo wrong || echo right)\n"
                              "//nvcc trap 'echo //made-by-$build >>$out' EXIT\n";

TEST_F(BisectTest, TheFrontEndsFault) {
  // As the cubin `wrong`: the highest bit of every fourth byte, from the second on.
  world_.writeCase("bad", kOtherPtx +
                              "//nvcc flip='and.b32 %r3, %r0, 3; .reg .pred %p; setp.eq.u32 %p, %r3, 1; "
                              "@%p xor.b32 %r2, %r2, 128;'\n"
                              "//nvcc case $build in 13.0.*) trap 'sed -i \"s|^ *//flip|$flip|\" $out; "
                              "echo //made-by-$build >>$out' EXIT;; esac\n" +
                              fillPtx());
  Json found = bisect("bad", 0);
  ASSERT_EQ(found["changes"].size(), 1u);
  EXPECT_EQ(found["changes"][0]["stage"], "front-end");
  EXPECT_EQ(found["changes"][0]["avoided"], false);
  EXPECT_EQ(found["changes"][0]["swaps"][1]["ptx"], "bad");
}

TEST_F(BisectTest, WhatAnotherFrontEndAvoidsIsTheFaultOfPtxas) {
  world_.writeCase("bad", kOtherPtx + fillPtx());
  Json found = bisect("bad", 0);
  ASSERT_EQ(found["changes"].size(), 1u);
  EXPECT_EQ(found["changes"][0]["stage"], "ptxas");
  EXPECT_EQ(found["changes"][0]["avoided"], true);
  EXPECT_EQ(found["changes"][0]["swaps"][1]["ptx"], "good");
  EXPECT_HAS(
      found["summary"].get<std::string>(),
      "first good 13.1.80 (not repaired); ptxas; 13.1.80 passes only because its front end writes other "
      "PTX; ");
}

TEST_F(BisectTest, PtxThatNobodyExecutesNamesNoFrontEnd) {
  world_.writeCase("bad", kOtherPtx);
  EXPECT_EQ(bisect("bad", 0)["changes"][0]["stage"], "unknown");
}

TEST_F(BisectTest, ArchitecturesThatNobodyExecutesAreLeftOut) {
  for (const char* name : {"13.0.88", "13.1.80", "13.2.51", "13.3.33"}) {
    std::string file = std::string("toolchains/") + name + "/toolchain.json";
    Json record = Json::parse(readFile(world_.path(file)));
    record["ptxas"]["archs"] = {"sm_50", "sm_72", "sm_80", "sm_90"};
    world_.write(file, record.dump());
  }
  world_.writeCase("bad", kBad13_0, [](Json& manifest) {
    manifest["expect"] = Json::array(
        {{{"ptxas", "13.0"}, {"verdict", "mismatch"}, {"blame", "ptxas"}, {"why", "It is made up."}}});
  });
  Json found = bisect("bad", 0);
  EXPECT_EQ(found["arch"], "sm_80");
  EXPECT_EQ(found["chosen"], "expected");
  for (const Json& cell : found["archs"])
    EXPECT_EQ(cell["cell"].get<std::string>().find("/sm_50/"), std::string::npos);
  EXPECT_EQ(found["archs"].size(), 2u);
  ProcessResult old = world_.run({"bisect", "bad", "--arch", "sm_50"});
  EXPECT_CODE(old, 2);
  EXPECT_HAS(old.err, "sm_75 and later");
}

TEST_F(BisectTest, WhyACellSaysNothingIsSaid) {
  world_.writeCase("odd", "//ptxas emit unknown");
  ProcessResult odd = world_.run({"bisect", "odd"});
  EXPECT_CODE(odd, 125);
  EXPECT_HAS(odd.out, "says whether it is right: 13.0.88 is unsupported: ");
  EXPECT_HAS(odd.out, "\n  13.3.33  unsupported  ");
  EXPECT_HAS(odd.out, "FROB.X");
  world_.writeCase(
      "bad", "//ptxas case $build$opt in *O1) emit unknown;; 13.0.*) emit wrong;; *) emit right;; esac");
  ProcessResult level = world_.run({"bisect", "bad"});
  EXPECT_CODE(level, 0);
  EXPECT_HAS(level.out, "undecided: O1");
  EXPECT_HAS(level.out, "\n  O1: ");
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
  ProcessResult cell = world_.run({"bisect", "fill@13.0.88/sm_80/O3"});
  EXPECT_CODE(cell, 2);
  EXPECT_HAS(cell.err, "'fill@13.0.88/sm_80/O3' is a CELL, and a CASE is wanted: 'fill'");
}

} // namespace
} // namespace harness::test
