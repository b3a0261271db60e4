#include "harness/matrix/bisect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Toolchains 1.0 … 1.9 of a made up world, whose verdicts are a function of the cell; all PTX is right by
/// itself unless `ptx` says otherwise.
class World : public CellSource {
public:
  explicit World(std::function<Verdict(const CellName&)> truth) : truth_(std::move(truth)) {
    for (unsigned i = 0; i < 10; ++i)
      axis.installed.push_back({"1." + std::to_string(i), Version{{1, i}}, {"sm_80", "sm_90", "sm_100"}});
    manifest.id = "c";
    manifest.source.file = "c.cu";
  }

  std::optional<CellFinding> known(const CellName& cell) override {
    auto found = knownCells.find(cell.str());
    if (found == knownCells.end()) return std::nullopt;
    return CellFinding{found->second, Standing::Undecided, ""};
  }

  std::vector<CellFinding> judge(const std::vector<CellName>& cells) override {
    std::vector<CellFinding> findings;
    for (const CellName& cell : cells) {
      EXPECT_FALSE(knownCells.contains(cell.str())) << cell.str() << " is known";
      EXPECT_TRUE(asked.insert(cell.str()).second) << cell.str() << " was asked twice";
      Verdict verdict = truth_(cell);
      bool told = standingOf(verdict) != Standing::Undecided;
      findings.push_back({verdict, ptx(cell), told ? "" : "not on " + cell.toolchain});
    }
    return findings;
  }

  void know(const std::string& toolchain) {
    CellName cell{"c", toolchain, "sm_90", "O3"};
    knownCells[cell.str()] = truth_(cell);
  }

  Bisection bisect(bool everywhere = false) {
    return harness::bisect(manifest, axis, {"sm_90", "O3", Place::Origin::Given}, everywhere, *this);
  }

  CaseManifest manifest;
  Axis axis;
  std::map<std::string, Verdict> knownCells;
  std::set<std::string> asked;
  std::function<Standing(const CellName&)> ptx = [](const CellName&) { return Standing::Good; };

private:
  std::function<Verdict(const CellName&)> truth_;
};

/// The number after the point of one half of the toolchain's name.
int frontEndOf(const CellName& cell) {
  return cell.toolchain[2] - '0';
}
int ptxasOf(const CellName& cell) {
  return cell.toolchain.back() - '0';
}

Verdict badIf(bool bad) {
  return bad ? Verdict::Mismatch : Verdict::Pass;
}

/// "1.5-" … a step each: where it goes good (+) or bad (-).
std::vector<std::string> steps(const Bisection& bisection) {
  std::vector<std::string> steps;
  for (const Change& change : bisection.changes)
    steps.push_back(change.before.cell.toolchain + (change.turnsBad() ? " - " : " + ") +
                    change.after.cell.toolchain);
  return steps;
}

std::vector<std::string> badOf(const std::vector<JudgedCell>& cells, std::string CellName::* part) {
  std::vector<std::string> names;
  for (const JudgedCell& cell : cells)
    if (cell.standing() == Standing::Bad) names.push_back(cell.cell.*part);
  return names;
}

TEST(Bisect, AFaultThatWasMended) {
  World world(
      [](const CellName& cell) { return badIf(ptxasOf(cell) < 7 && cell.opt != "O0" && cell.opt != "G"); });
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.6 + 1.7"));
  EXPECT_TRUE(found.monotone());
  EXPECT_EQ(found.changes[0].stage, Stage::Ptxas);
  EXPECT_EQ(found.changes[0].swaps[0].cell.str(), "c@1.7+1.6/sm_90/O3");
  EXPECT_EQ(found.changes[0].swaps[1].cell.str(), "c@1.6+1.7/sm_90/O3");
  EXPECT_EQ(found.levels.front().cell.toolchain, "1.0");
  EXPECT_THAT(badOf(found.levels, &CellName::opt), ElementsAre("O1", "O2", "O3", "cicc-O1"));
  EXPECT_EQ(found.archs.front().cell.toolchain, "1.6");
  EXPECT_THAT(badOf(found.archs, &CellName::arch), ElementsAre("sm_80", "sm_90", "sm_100"));
  std::size_t alongTheLine = 0;
  for (const HistoryPoint& point : found.history)
    alongTheLine += point.cell.has_value();
  EXPECT_LE(alongTheLine, 6u) << "the two ends and the halvings of eight";
  EXPECT_EQ(found.judged, world.asked.size());
  EXPECT_EQ(found.known, 0u);
}

TEST(Bisect, AFaultThatCame) {
  World world([](const CellName& cell) { return badIf(ptxasOf(cell) >= 2); });
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.1 - 1.2"));
  EXPECT_EQ(found.levels.front().cell.toolchain, "1.2");
  EXPECT_EQ(found.archs.front().cell.toolchain, "1.9");
}

/// What comes with 1.5, where the PTX of 1.5 and later is `ptx`, that of the others right.
Change changeAt5(Standing ptx, std::function<bool(int frontEnd, int ptxas)> bad) {
  World world([=](const CellName& cell) { return badIf(bad(frontEndOf(cell), ptxasOf(cell))); });
  world.ptx = [=](const CellName& cell) { return frontEndOf(cell) >= 5 ? ptx : Standing::Good; };
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.4 - 1.5"));
  return found.changes.at(0);
}

bool newPtxas(int, int ptxas) {
  return ptxas >= 5;
}
bool newFrontEnd(int frontEnd, int) {
  return frontEnd >= 5;
}
bool oneIsNew(int frontEnd, int ptxas) {
  return frontEnd >= 5 || ptxas >= 5;
}
bool bothAreNew(int frontEnd, int ptxas) {
  return frontEnd >= 5 && ptxas >= 5;
}

TEST(Bisect, TheStageOfWrongPtxIsToldByThePairs) {
  EXPECT_EQ(changeAt5(Standing::Bad, newPtxas).stage, Stage::Ptxas);
  EXPECT_EQ(changeAt5(Standing::Bad, newFrontEnd).stage, Stage::FrontEnd);
  EXPECT_EQ(changeAt5(Standing::Bad, oneIsNew).stage, Stage::Either);
  EXPECT_EQ(changeAt5(Standing::Bad, bothAreNew).stage, Stage::Together);
  EXPECT_FALSE(changeAt5(Standing::Bad, newFrontEnd).avoided);
}

TEST(Bisect, NoFrontEndIsNamedWhosePtxIsRight) {
  for (auto bad : {newPtxas, newFrontEnd, oneIsNew, bothAreNew})
    EXPECT_EQ(changeAt5(Standing::Good, bad).stage, Stage::Ptxas);
  EXPECT_FALSE(changeAt5(Standing::Good, newPtxas).avoided);
  EXPECT_FALSE(changeAt5(Standing::Good, bothAreNew).avoided) << "the good ptxas is right with that PTX";
  EXPECT_TRUE(changeAt5(Standing::Good, newFrontEnd).avoided) << "the good ptxas is wrong with that PTX";
  EXPECT_TRUE(changeAt5(Standing::Good, oneIsNew).avoided);
}

TEST(Bisect, NoFrontEndIsNamedWhosePtxCannotBeExecuted) {
  EXPECT_EQ(changeAt5(Standing::Undecided, newPtxas).stage, Stage::Ptxas);
  EXPECT_EQ(changeAt5(Standing::Undecided, bothAreNew).stage, Stage::Ptxas);
  EXPECT_EQ(changeAt5(Standing::Undecided, newFrontEnd).stage, Stage::Unknown);
  EXPECT_EQ(changeAt5(Standing::Undecided, oneIsNew).stage, Stage::Unknown);
  EXPECT_FALSE(changeAt5(Standing::Undecided, oneIsNew).avoided);
}

/// halfstore-pair: ptxas is wrong on the PTX of front ends before 1.5, with any ptxas.
TEST(Bisect, WhatOnlyAnotherFrontEndAvoidsIsNotRepaired) {
  World world([](const CellName& cell) { return badIf(frontEndOf(cell) < 5); });
  for (const char* toolchain : {"1.4", "1.5"})
    world.know(toolchain); // without what its PTX gives: the pair of the same PTX tells
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.4 + 1.5"));
  EXPECT_EQ(found.changes[0].stage, Stage::Ptxas);
  EXPECT_TRUE(found.changes[0].avoided);
}

TEST(Bisect, UndecidedPairsTellNoStage) {
  World world([](const CellName& cell) {
    return frontEndOf(cell) != ptxasOf(cell) ? Verdict::CompileError : badIf(ptxasOf(cell) >= 5);
  });
  EXPECT_EQ(world.bisect().changes.at(0).stage, Stage::Unknown);
  World half([](const CellName& cell) {
    return frontEndOf(cell) > ptxasOf(cell) ? Verdict::CompileError : badIf(ptxasOf(cell) >= 5);
  });
  EXPECT_EQ(half.bisect().changes.at(0).stage, Stage::Ptxas)
      << "the good PTX is wrong with the bad ptxas: that is enough";
}

TEST(Bisect, PtxHasOneStage) {
  World world([](const CellName& cell) {
    EXPECT_EQ(cell.toolchain.find('+'), std::string::npos);
    return badIf(ptxasOf(cell) >= 5);
  });
  world.manifest.source.file = "c.ptx";
  Bisection found = world.bisect();
  EXPECT_EQ(found.changes.at(0).stage, Stage::Ptxas);
  EXPECT_THAT(found.changes[0].swaps, IsEmpty());
}

TEST(Bisect, BackAndForthIsSeenWhereSomethingIsKnownOfIt) {
  World world([](const CellName& cell) { return badIf(ptxasOf(cell) < 2 || ptxasOf(cell) == 6); });
  for (const char* toolchain : {"1.6", "1.4"})
    world.know(toolchain);
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.1 + 1.2", "1.5 - 1.6", "1.6 + 1.7"));
  EXPECT_FALSE(found.monotone());
  EXPECT_EQ(found.levels.front().cell.toolchain, "1.6") << "the last time it went bad";
  EXPECT_EQ(found.known, 2u);
}

TEST(Bisect, BackAndForthIsSeenWhenAllAreJudged) {
  World world([](const CellName& cell) { return badIf(ptxasOf(cell) % 2); });
  EXPECT_EQ(world.bisect(/*everywhere=*/true).changes.size(), 9u);
}

TEST(Bisect, WhereTheEndsAgreeAllAreJudged) {
  World world([](const CellName& cell) { return badIf(ptxasOf(cell) == 5); });
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.4 - 1.5", "1.5 + 1.6"));
  EXPECT_TRUE(found.monotone()) << "it came and went: once";
}

TEST(Bisect, GoodEverywhere) {
  World world([](const CellName&) { return Verdict::Pass; });
  Bisection found = world.bisect();
  EXPECT_TRUE(found.anyGood());
  EXPECT_FALSE(found.anyBad());
  EXPECT_THAT(found.changes, IsEmpty());
  EXPECT_THAT(found.levels, IsEmpty());
  EXPECT_EQ(found.judged, 10u) << "that it is good everywhere is said after looking everywhere";
}

TEST(Bisect, BadEverywhere) {
  World world([](const CellName&) { return Verdict::Hazard; });
  world.axis.installable = {"0.9", "1.0", "1.5.1"};
  Bisection found = world.bisect();
  EXPECT_FALSE(found.anyGood());
  EXPECT_THAT(found.changes, IsEmpty());
  EXPECT_EQ(found.levels.front().cell.toolchain, "1.0");
  EXPECT_EQ(found.archs.front().cell.toolchain, "1.9");
  EXPECT_THAT(found.older, ElementsAre("0.9"));
}

TEST(Bisect, NothingDecided) {
  World world([](const CellName&) { return Verdict::Unsupported; });
  Bisection found = world.bisect();
  EXPECT_FALSE(found.anyGood() || found.anyBad());
  EXPECT_EQ(found.judged, 10u);
  EXPECT_THAT(found.levels, IsEmpty());
}

TEST(Bisect, OneToolchain) {
  World world([](const CellName&) { return Verdict::Mismatch; });
  world.axis.installed.resize(1);
  Bisection found = world.bisect();
  EXPECT_TRUE(found.anyBad());
  EXPECT_THAT(found.changes, IsEmpty());
}

TEST(Bisect, WhatSaysNothingIsSteppedOverAndNamed) {
  World world([](const CellName& cell) {
    int ptxas = ptxasOf(cell);
    if (ptxas == 0 || ptxas == 5 || ptxas == 6) return Verdict::Unsupported;
    return badIf(ptxas < 6);
  });
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.4 + 1.7"));
  EXPECT_THAT(found.changes[0].undecided, ElementsAre("1.5", "1.6"));
  EXPECT_EQ(found.history[5].cell->reason, "not on 1.5");
  EXPECT_EQ(found.levels.front().cell.toolchain, "1.1");
}

TEST(Bisect, AnArchitectureThatAToolchainLacksIsNotAskedFor) {
  World world([](const CellName& cell) {
    EXPECT_FALSE(ptxasOf(cell) < 3 && cell.arch == "sm_90") << cell.str();
    return badIf(ptxasOf(cell) < 6);
  });
  for (std::size_t i = 0; i < 3; ++i)
    world.axis.installed[i].archs = {"sm_80"};
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.5 + 1.6"));
  EXPECT_EQ(found.history[0].cell->verdict, Verdict::Skipped);
  EXPECT_EQ(found.history[0].cell->reason, "its ptxas does not know sm_90");
  EXPECT_EQ(found.levels.front().cell.toolchain, "1.3");
}

TEST(Bisect, WhatIsNotInstalledBetweenIsNamed) {
  World world([](const CellName& cell) { return badIf(ptxasOf(cell) < 6); });
  world.axis.installable = {"0.9.1", "1.4.2", "1.5", "1.5.1", "1.5.2", "1.6.1"};
  Bisection found = world.bisect();
  EXPECT_THAT(found.changes.at(0).installable, ElementsAre("1.5.1", "1.5.2"));
  EXPECT_THAT(found.older, ElementsAre("0.9.1"));
}

TEST(Bisect, WhatIsKnownIsNotJudged) {
  World world([](const CellName& cell) { return badIf(ptxasOf(cell) < 6); });
  for (unsigned i = 0; i < 10; ++i)
    world.know("1." + std::to_string(i));
  Bisection found = world.bisect();
  EXPECT_THAT(steps(found), ElementsAre("1.5 + 1.6"));
  EXPECT_EQ(found.known, 10u);
  for (const HistoryPoint& point : found.history)
    EXPECT_TRUE(point.cell->known);
  EXPECT_EQ(found.judged, 2u + 5u + 2u) << "two pairs, the other levels, the other architectures";
}

TEST(ExecutableArch, FromTuringOn) {
  for (const char* arch : {"sm_75", "sm_80", "sm_90a", "sm_100f", "sm_121"})
    EXPECT_TRUE(isExecutableArch(arch)) << arch;
  for (const char* arch : {"sm_50", "sm_72", "sm_", "compute_80", "", "80"})
    EXPECT_FALSE(isExecutableArch(arch)) << arch;
}

class PlaceTest : public testing::Test {
protected:
  PlaceTest() {
    axis_.installed = {{"1.0", Version{{1, 0}}, {"sm_80", "sm_90"}},
                       {"1.1", Version{{1, 1}}, {"sm_80", "sm_90", "sm_100"}}};
  }

  std::string choose(const std::string& arch = "", const std::string& opt = "") {
    Place place = choosePlace(manifest_, axis_, standings_, arch, opt);
    origin_ = place.origin;
    return place.arch + "/" + place.opt;
  }

  CaseManifest manifest_;
  Axis axis_;
  std::vector<StandingRow> standings_;
  Place::Origin origin_ = Place::Origin::Default;
};

TEST_F(PlaceTest, WhatTheUserSays) {
  EXPECT_EQ(choose("sm_90", "O1"), "sm_90/O1");
  EXPECT_EQ(origin_, Place::Origin::Given);
  EXPECT_EQ(choose("", "O1"), "sm_80/O1");
  EXPECT_EQ(origin_, Place::Origin::Default);
}

TEST_F(PlaceTest, WhereAFaultIsKnown) {
  standings_ = {{"c", "1.1", "sm_100", "O3", Verdict::Mismatch, Blame::Unknown},
                {"c", "1.1", "sm_80", "O3", Verdict::Pass, Blame::None},
                {"c", "2.0", "sm_80", "O3", Verdict::Mismatch, Blame::Unknown}}; // not on the axis
  EXPECT_EQ(choose(), "sm_100/O3");
  EXPECT_EQ(origin_, Place::Origin::Known);
  standings_.push_back({"c", "1.1", "sm_90", "O1", Verdict::Mismatch, Blame::Unknown});
  EXPECT_EQ(choose(), "sm_90/O1") << "known to more toolchains";
  standings_.push_back({"c", "1.1", "sm_90", "O3", Verdict::Mismatch, Blame::Unknown});
  EXPECT_EQ(choose(), "sm_90/O3") << "rather than O1";
  EXPECT_EQ(choose("sm_100"), "sm_100/O3");
}

TEST_F(PlaceTest, WhereAFaultIsExpected) {
  Expectation expectation;
  expectation.ptxas = VersionRange::parse("1.1");
  expectation.arch = {"sm_1*"};
  expectation.opt = {"O0", "O1"};
  expectation.verdict = "mismatch";
  manifest_.expect = {expectation};
  EXPECT_EQ(choose(), "sm_100/O1");
  EXPECT_EQ(origin_, Place::Origin::Expected);
}

} // namespace
} // namespace harness
