#include "harness/matrix/trials.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using Names = std::vector<std::string>;

Toolchain toolchain(const std::string& version, const std::string& newestPtx = "9.0") {
  Toolchain one;
  one.name = version;
  one.frontEnd.build = one.ptxas.build = *Version::parse(version);
  one.frontEnd.identity = "front end " + version;
  one.ptxas.sha256 = "ptxas " + version;
  one.ptxas.maxPtx = *Version::parse(newestPtx);
  one.ptxas.archs = {"sm_80"};
  return one;
}

Names namesOf(const std::vector<TrialBuild>& trials) {
  Names names;
  for (const TrialBuild& trial : trials)
    names.push_back(trial.name);
  return names;
}

const OptPoint kO3 = OptPoint::parse("O3");

Names ptxas(const std::string& own, const std::vector<Toolchain>& installed, const char* ptx = "8.0") {
  return namesOf(ptxasTrials(toolchain(own), installed, "sm_80", kO3, Version::parse(ptx)));
}

TEST(Trials, OtherLevels) {
  Toolchain own = toolchain("13.0.88");
  EXPECT_EQ(namesOf(levelTrials(own, OptPoint::parse("O2"))),
            (Names{"13.0.88 at O3", "13.0.88 at O1", "13.0.88 at O0"}));
  EXPECT_EQ(namesOf(levelTrials(own, OptPoint::parse("cicc-O1"))),
            (Names{"13.0.88 at O2", "13.0.88 at O1", "13.0.88 at O0"}))
      << "without a level it is O3";
  EXPECT_EQ(levelTrials(own, OptPoint::parse("G")).size(), 4u);
  EXPECT_EQ(levelTrials(own, kO3).front().opt.ptxas, std::vector<std::string>{"-O2"});
}

TEST(Trials, NewestThenNeighboursThenOldest) {
  std::vector<Toolchain> installed;
  for (const char* version : {"11.8.89", "12.2.140", "12.9.86", "13.0.88", "13.1.80", "13.3.73", "13.5.37"})
    installed.push_back(toolchain(version));
  EXPECT_EQ(ptxas("13.0.88", installed), (Names{"13.5.37", "12.9.86", "13.1.80", "11.8.89"}));
  EXPECT_EQ(ptxas("13.5.37", installed), (Names{"13.3.73", "11.8.89"}));
  EXPECT_EQ(ptxas("11.8.89", installed), (Names{"13.5.37", "12.2.140"}));
}

TEST(Trials, TheFrontEndStaysAndThePtxasIsTheOther) {
  TrialBuild trial =
      ptxasTrials(toolchain("13.0.88"), {toolchain("13.1.80")}, "sm_80", kO3, Version::parse("8.0")).at(0);
  EXPECT_EQ(trial.toolchain.name, "13.0.88+13.1.80");
  EXPECT_EQ(trial.toolchain.frontEnd.build.str(), "13.0.88");
  EXPECT_EQ(trial.toolchain.ptxas.build.str(), "13.1.80");
}

TEST(Trials, NotThoseThatWouldBeGivenOtherPtx) {
  EXPECT_EQ(ptxas("13.0.88", {toolchain("12.9.86", "8.8"), toolchain("13.1.80", "9.1")}, "9.0"),
            (Names{"13.1.80"}));
}

TEST(Trials, NotThoseWithoutTheArchNorTheSameCompilerAgain) {
  Toolchain other = toolchain("13.1.80");
  other.ptxas.archs = {"sm_90"};
  Toolchain twin = toolchain("13.0.88");
  twin.name = "nvrtc-13.0.88";
  EXPECT_EQ(ptxas("13.0.88", {other, twin}), Names{});
  EXPECT_EQ(ptxas("13.2.86", {toolchain("13.0.88"), twin}), Names{"13.0.88"});
}

TEST(Trials, OtherFrontEnds) {
  auto trials = frontEndTrials(
      toolchain("13.0.88"), {toolchain("12.9.86"), toolchain("13.0.88"), toolchain("13.1.80")}, "sm_80", kO3);
  EXPECT_EQ(namesOf(trials), (Names{"13.1.80", "12.9.86"}));
}

} // namespace
} // namespace harness
