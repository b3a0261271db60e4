#include "harness/base/text.h"

#include "tests/matrix/fill_ptx.h"
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

#include <ostream>

namespace harness::test {
namespace {

struct Example {
  const char* script;
  int exitCode;
  const char* says;
};

/// How a test is called.
void PrintTo(const Example& example, std::ostream* out) {
  *out << example.says;
}

class CheckTest : public testing::TestWithParam<Example> {};

TEST_P(CheckTest, ExitCodeAndOneLine) {
  World world;
  world.writeCase("it", GetParam().script);
  ProcessResult result = world.run({"check", "it@13.0.88/sm_80/O3"});
  EXPECT_CODE(result, GetParam().exitCode);
  EXPECT_HAS(result.out, "it@13.0.88/sm_80/O3: ");
  EXPECT_HAS(result.out, GetParam().says);
  EXPECT_FALSE(std::filesystem::exists(world.path("harness.db"))) << "check keeps no database";
}

INSTANTIATE_TEST_SUITE_P(
    , CheckTest,
    testing::Values(Example{"//ptxas emit right", 0, "pass (32 bytes compared)"},
                    Example{"//ptxas emit wrong", 1, "8 of 32 bytes wrong, first out+0x1"},
                    Example{"//ptxas emit outside", 1, "fault"}, Example{"//ptxas kill -SEGV $$", 1, "ice"},
                    Example{"//ptxas emit padding", 1, "illegal-encoding"},
                    Example{"//ptxas emit hazard", 1, "hazard"},
                    Example{"//ptxas emit hazard", 1, "is touched by 'IADD3 R7, R2, 0x1, RZ'"},
                    Example{"//ptxas emit unknown", 125, "FROB.X"},
                    Example{"//nvcc exit 1", 125, "compile-error"},
                    Example{"//ptxas echo no >\"$out\"", 125, "infra-error"}));

TEST(Check, TakesACaseAndOptionsOrAPath) {
  World world;
  world.writeCase("it", "//ptxas case $build in 13.1.80) emit wrong;; *) emit right;; esac");
  EXPECT_CODE(world.run({"check", "it"}), 1) << "the newest";
  EXPECT_CODE(world.run({"check", "it", "--nvcc", "13.0.88"}), 0);
  EXPECT_CODE(world.run({"check", world.path("repros/it/case.json"), "--nvcc", "13.0.88"}), 0);
  EXPECT_CODE(
      world.run({"check", world.path("repros/it"), "--nvcc", "13.0.88", "--arch", "sm_90", "--opt", "O2"}),
      0);
}

TEST(Check, AFolderThatHasTheNameOfACaseByChance) {
  World world;
  std::filesystem::create_directory(world.path("fill"));
  EXPECT_CODE(world.run({"check", "fill"}), 0);
  EXPECT_CODE(world.run({"check", "./fill"}), 125);
  std::filesystem::copy_file(world.path("repros/fill/case.json"), world.path("fill/case.json"));
  EXPECT_CODE(world.run({"check", "fill"}), 125) << "now it is the path of a case, which lacks its source";
}

TEST(Check, SaysThatThePtxWasTheJudge) {
  World world;
  world.writeCase("noref", "//ptxas emit right\n" + fillPtx(),
                  [](World::Json& manifest) { manifest.erase("reference"); });
  EXPECT_HAS(world.run({"check", "noref@13.0.88/sm_80/O3"}).out,
             ": pass (32 bytes compared, judged by its PTX)\n");
  EXPECT_CODE(world.runMatrix({"--executor", "sass,ptx"}), 0);
  EXPECT_HAS(world.run({"show", "noref@13.0.88/sm_80/O3"}).out, "\nreference  its PTX\n");
}

TEST(Check, AFaultOfBothIsSaidOnceALine) {
  World world;
  world.writeCase("out", "//ptxas emit outside\n" + fillPtx(1 << 20));
  std::string text = world.run({"check", "out@13.0.88/sm_80/O3"}).out;
  EXPECT_HAS(text, "fault (0 bytes compared), blame: source\n");
  std::vector<std::string> lines = split(text, '\n');
  ASSERT_GE(lines.size(), 3u);
  EXPECT_HAS(lines[1], "  sass: ");
  EXPECT_HAS(lines[1], ", the PTX does it too: ");
  EXPECT_HAS(lines[2], "  ptx: ");
  EXPECT_TRUE(lines[2].ends_with(", the machine code does it too")) << lines[2];
}

TEST(Check, AManifestThatDoesNotFitItsKernel) {
  World world;
  world.writeCase("it", "//ptxas emit right",
                  [](World::Json& manifest) { manifest["args"][2] = {{"u16", 32}}; });
  ProcessResult result = world.run({"check", "it@13.0.88/sm_80/O3"});
  EXPECT_CODE(result, 125);
  EXPECT_HAS(result.out, "infra-error");
  EXPECT_HAS(result.out, "argument 2 of kernel 'fill' has 4 bytes");
  EXPECT_HAS(result.out, "correct the case.json of 'it', which 'harness case validate it' checks");
}

TEST(Check, TakesALabelThatOneInstalledBuildHas) {
  World world;
  world.writeCase("it", "//ptxas case $build in 13.1.80) emit wrong;; *) emit right;; esac");
  for (std::vector<std::string> words :
       {std::vector<std::string>{"check", "it", "--nvcc", "13.0"}, {"check", "it@13.0/sm_80/O3"}}) {
    ProcessResult result = world.run(words);
    EXPECT_CODE(result, 0);
    EXPECT_HAS(result.out, "it@13.0.88/sm_80/O3: ");
  }
  ProcessResult several = world.run({"check", "it", "--nvcc", "13"});
  EXPECT_CODE(several, 125);
  EXPECT_HAS(several.err, "several toolchains are '13': 13.0.88, 13.1.80; name one");
  ProcessResult none = world.run({"check", "it", "--nvcc", "13.7"});
  EXPECT_CODE(none, 125);
  EXPECT_HAS(none.err, "there is no toolchain '13.7'");
}

TEST(Check, CompilesAgainIfAsked) {
  World world;
  world.writeCase("odd", "//nvcc otherwise wrong\n//ptxas emit right");
  EXPECT_CODE(world.run({"check", "odd@13.0.88/sm_80/O3"}), 0);
  ProcessResult result = world.run({"check", "odd@13.0.88/sm_80/O3", "--recompile", "3"});
  EXPECT_CODE(result, 1);
  EXPECT_HAS(result.out,
             "mismatch (32 bytes compared), blame: unknown, nondeterministic: 2 different builds\n");
  EXPECT_HAS(result.out, "  build 2: sass: 8 of 32 bytes wrong");
}

TEST(Check, OtherCasesDoNotMatter) {
  World world;
  world.write("repros/broken/case.json", "{");
  EXPECT_CODE(world.run({"check", "fill"}), 0);
  EXPECT_CODE(world.run({"check", "broken"}), 125);
  world.write("cu/fill/case.json", "{");
  ProcessResult twins = world.run({"check", "fill"});
  EXPECT_CODE(twins, 125);
  EXPECT_HAS(twins.err, "two cases are named 'fill'");
}

TEST(Check, WhatKeepsItFromJudgingIsNoVerdict) {
  World world;
  world.write("matrix/toolchains/13.5.37.txt", "");
  ProcessResult noCase = world.run({"check", "fil@13.0.88/sm_80/O3"});
  EXPECT_CODE(noCase, 125);
  EXPECT_HAS(noCase.err, "did you mean 'fill'?");
  ProcessResult noToolchain = world.run({"check", "fill@13.5.37/sm_80/O3"});
  EXPECT_CODE(noToolchain, 125);
  EXPECT_HAS(noToolchain.err, "harness toolchain install 13.5.37");
  ProcessResult otherArch = world.run({"check", "fill@13.0.88/sm_120a/O3"});
  EXPECT_CODE(otherArch, 125);
  EXPECT_HAS(otherArch.out, "fill@13.0.88/sm_120a/O3: skipped");
  ProcessSpec toFullDisk = world.command({"check", "fill"});
  toFullDisk.argv = {"sh", "-c", shellCommand(toFullDisk.argv) + " >/dev/full"};
  ProcessResult full = runProcess(toFullDisk);
  EXPECT_CODE(full, 125);
  EXPECT_HAS(full.err, "cannot write to standard output");
  world.write("repros/fill/case.json", "{");
  EXPECT_CODE(world.run({"check", "fill"}), 125);
}

/// `git bisect run` takes 1 to 124 for "bad": a slip of the fingers must not accuse a commit.
TEST(Check, MistypedItTellsNothing) {
  World world;
  struct Mistake {
    std::vector<std::string> words;
    const char* says;
  };
  for (const Mistake& mistake : {Mistake{{"check", "fill@13.0.88/O3"}, "halfstore@13.0.88/sm_120a/O3"},
                                 {{"check", "fill", "--opt", "O9"}, "known are O0, O1, O2, O3, G, cicc-O1"},
                                 {{"check", "fill@13.0.88/sm_80/o3"}, "known are O0, O1, O2, O3, G, cicc-O1"},
                                 {{"check", "fill", "--ncc", "13.0.88"}, "'--ncc'"},
                                 {{"check", "fill", "more"}, "'more'"},
                                 {{"check", "fill", "--recompile", "x"}, "--recompile"},
                                 {{"check", "fill", "--executor", "cuda"}, "sass, ptx, gpu"},
                                 {{"check"}, "case is required"},
                                 {{"chekc", "fill"}, "'chekc'"}}) {
    ProcessResult result = world.run(mistake.words);
    EXPECT_CODE(result, 125);
    EXPECT_TRUE(result.err.starts_with("harness: ")) << result.err;
    EXPECT_HAS(result.err, mistake.says);
  }
}

} // namespace
} // namespace harness::test
