#include "tests/matrix/fake_ptx.h"
#include "tests/matrix/judge_bench.h"

#include <fstream>

namespace harness::test {
namespace {

using Json = nlohmann::json;

/// Cells whose PTX is executed too. Their PTX is their source, for both toolchains the same text unless a
/// script makes it another.
class JudgePtxTest : public JudgeBench {
protected:
  JudgePtxTest() { judgeOptions_.ptx = std::make_shared<FakePtx>(); }

  static void withoutReference(World::Json& manifest) { manifest.erase("reference"); }
};

const VerdictRecord& of(std::string_view executor, const CellRecord& cell, std::size_t shape = 0) {
  static const VerdictRecord kNone;
  for (const VerdictRecord& verdict : cell.verdicts.front())
    if (verdict.executor == executor && shape-- == 0) return verdict;
  ADD_FAILURE() << "no verdict of " << executor;
  return kNone;
}

const VerdictRecord& sass(const CellRecord& cell) {
  return of("sass", cell);
}
const VerdictRecord& ptx(const CellRecord& cell) {
  return of("ptx", cell);
}

std::string because(const VerdictRecord& verdict) {
  Json details = Json::parse(verdict.details, nullptr, false);
  return details.is_object() && details.contains("blame") ? details["blame"].value("because", "") : "";
}

#define EXPECT_VERDICT(record, expected)                                                                     \
  EXPECT_EQ(toString((record).verdict), toString(Verdict::expected)) << (record).details
#define EXPECT_BLAME(record, expected)                                                                       \
  EXPECT_EQ(toString((record).blame), toString(Blame::expected)) << (record).details

// ---- its own verdict

TEST_F(JudgePtxTest, EveryBuildHasAVerdictOfItsPtx) {
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  ASSERT_EQ(cell.verdicts.front().size(), 2u);
  EXPECT_EQ(cell.verdicts.front()[0].executor, "sass");
  EXPECT_EQ(cell.verdicts.front()[1].executor, "ptx");
  EXPECT_VERDICT(ptx(cell), Pass);
  EXPECT_EQ(ptx(cell).bytes, 32u);
  EXPECT_TRUE(ptx(cell).decides);
  EXPECT_EQ(work_.executed, 2u + 2u) << "a run each poison";
}

TEST_F(JudgePtxTest, OnePtxIsExecutedOnceForAllArchsAndLevels) {
  judgeAll({"fill@13.0.88/sm_80/O2", "fill@13.0.88/sm_80/O3", "fill@13.1.80/sm_80/O3"});
  EXPECT_EQ(work_.executed, 2u + 2u);
  judge("fill@13.0.88/sm_90/O3");
  EXPECT_EQ(work_.executed, 2u) << "machine code alone: the PTX is known";
}

TEST_F(JudgePtxTest, AnotherExecutorKnowsNothingOfTheFirst) {
  judge("fill@13.0.88/sm_80/O3");
  judgeOptions_.ptx = std::make_shared<FakePtx>("changed");
  judge("fill@13.0.88/sm_80/O3");
  EXPECT_EQ(work_.executed, 2u) << "the PTX again";
}

TEST_F(JudgePtxTest, OrdersAreTriedWherePathsDiverge) {
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx unordered");
  EXPECT_VERDICT(ptx(cell), ScheduleDependent);
  EXPECT_BLAME(ptx(cell), Source);
  EXPECT_VERDICT(sass(cell), Pass);
  EXPECT_VERDICT(decisiveVerdict(cell), ScheduleDependent);
}

TEST_F(JudgePtxTest, WhatThePtxExecutorLacksIsNoFaultOfTheCell) {
  for (const char* script : {"//ptx unsupported tcgen05.mma", "//ptx refuse line 3: what is this?",
                             "//ptx timeout more than 2^30"}) {
    CellRecord cell = judgeScript(std::string("//ptxas emit right\n") + script);
    EXPECT_NE(ptx(cell).verdict, Verdict::Pass) << script;
    EXPECT_FALSE(ptx(cell).decides);
    EXPECT_BLAME(ptx(cell), None);
    EXPECT_VERDICT(decisiveVerdict(cell), Pass);
    EXPECT_EQ(decisiveVerdict(cell).outcome, Outcome::Ok);
  }
}

TEST_F(JudgePtxTest, PtxThatIsNotUnderstoodIsNotReadAgain) {
  const char* script = "//ptxas emit right\n//ptx refuse line 3: what is this?";
  EXPECT_VERDICT(ptx(judgeScript(script)), Unsupported);
  CellRecord again = judgeScript(script);
  EXPECT_EQ(work_.executed, 0u);
  EXPECT_EQ(Json::parse(ptx(again).details)["message"], "fill: line 3: what is this?");
}

TEST_F(JudgePtxTest, WrongPtxOfRightMachineCodeIsLoud) {
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx wrong");
  EXPECT_VERDICT(sass(cell), Pass);
  EXPECT_VERDICT(ptx(cell), Mismatch);
  EXPECT_EQ(ptx(cell).firstBad, "out+0x1: 0x03 -> 0x83");
  EXPECT_VERDICT(decisiveVerdict(cell), Mismatch);
  EXPECT_EQ(decisiveVerdict(cell).outcome, Outcome::Regressed);
  EXPECT_BLAME(ptx(cell), Unknown);
  EXPECT_HAS(because(ptx(cell)), "the PTX executor is suspected");
}

TEST_F(JudgePtxTest, WrongPtxThatIsUndefinedIsNoMeasureOfMachineCode) {
  CellRecord cell =
      judgeScript("//ptxas emit right\n//ptx wrong\n//ptx unwritten-use lines 3 and 4: may contract");
  EXPECT_VERDICT(ptx(cell), Mismatch);
  EXPECT_HAS(ptx(cell).details, "may contract");
  EXPECT_FALSE(ptx(cell).decides);
  EXPECT_VERDICT(decisiveVerdict(cell), Pass);
}

TEST_F(JudgePtxTest, AnAnswerThatPtxLeavesOpenIsNoMeasureOfMachineCode) {
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx open");
  EXPECT_VERDICT(ptx(cell), Approximate);
  EXPECT_FALSE(ptx(cell).decides);
  EXPECT_VERDICT(decisiveVerdict(cell), Pass);
  EXPECT_EQ(decisiveVerdict(cell).outcome, Outcome::Ok);
}

TEST_F(JudgePtxTest, AnAnswerThatPtxLeavesOpenConvictsNobody) {
  CellRecord cell = judgeScript("//ptxas [ $opt = O0 ] && emit right || emit wrong\n//ptx open");
  EXPECT_VERDICT(sass(cell), Mismatch);
  EXPECT_BLAME(sass(cell), Unknown);
  EXPECT_HAS(because(sass(cell)), "leaves open");
}

TEST_F(JudgePtxTest, WrongPtxIsNeverTheKnownFaultOfRightMachineCode) {
  auto expectsMismatch = [](World::Json& manifest) { manifest["expect"] = {{{"verdict", "mismatch"}}}; };
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx wrong", expectsMismatch);
  EXPECT_EQ(decisiveVerdict(cell).outcome, Outcome::Regressed);
}

TEST_F(JudgePtxTest, RightPtxIsNotWhatAKnownFaultIsMeasuredBy) {
  auto expectsMismatch = [](World::Json& manifest) { manifest["expect"] = {{{"verdict", "mismatch"}}}; };
  CellRecord cell = judgeScript("//ptxas emit wrong", expectsMismatch);
  EXPECT_EQ(sass(cell).outcome, Outcome::Expected);
  EXPECT_EQ(ptx(cell).outcome, Outcome::Ok);
  EXPECT_EQ(decisiveVerdict(cell).outcome, Outcome::Expected);
}

TEST_F(JudgePtxTest, ThePtxAlone) {
  judgeOptions_.sass = nullptr;
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx wrong");
  ASSERT_EQ(cell.verdicts.front().size(), 1u);
  EXPECT_VERDICT(ptx(cell), Mismatch);
  EXPECT_EQ(work_.compiled, 1u) << "no ptxas";
  EXPECT_BLAME(ptx(cell), Unknown);
  EXPECT_VERDICT(decisiveVerdict(judgeScript("//ptx unsupported x")), Unsupported)
      << "nobody else could tell";
}

// ---- ptxas

TEST_F(JudgePtxTest, AnotherLevelThatIsRightConvictsPtxas) {
  CellRecord cell = judgeScript("//ptxas [ $opt = O0 ] && emit right || emit wrong");
  EXPECT_BLAME(sass(cell), Ptxas);
  EXPECT_EQ(because(sass(cell)), "right from the same PTX with 13.0.88 at O0");
  EXPECT_VERDICT(ptx(cell), Pass);
  EXPECT_BLAME(ptx(cell), None);
  EXPECT_EQ(Json::parse(sass(cell).details)["blame"]["tried"]["13.0.88 at O2"], "as wrong");
}

TEST_F(JudgePtxTest, AnotherPtxasThatIsRightConvictsPtxas) {
  CellRecord cell = judgeScript("//ptxas [ $build = 13.1.80 ] && emit right || emit wrong");
  EXPECT_BLAME(sass(cell), Ptxas);
  EXPECT_EQ(because(sass(cell)), "right from the same PTX with 13.1.80");
}

TEST_F(JudgePtxTest, TheEvidenceIsRemembered) {
  const char* script = "//ptxas [ $build = 13.1.80 ] && emit right || emit wrong";
  VerdictRecord first = sass(judgeScript(script));
  EXPECT_EQ(work_.compiled, 1u + 1u + 3u + 1u) << "the cell, three levels, the other ptxas";
  VerdictRecord second = sass(judgeScript(script));
  EXPECT_EQ(work_.compiled + work_.executed + work_.disassembled, 0u);
  EXPECT_EQ(first.details, second.details);
}

TEST_F(JudgePtxTest, CellsOfTheRunAreTheEvidence) {
  world_.writeCase("it", "//ptxas [ $opt = O2 ] && emit right || emit wrong");
  auto cells =
      judgeAll({"it@13.0.88/sm_80/O1", "it@13.0.88/sm_80/O2", "it@13.0.88/sm_80/O3", "it@13.0.88/sm_80/O0"});
  EXPECT_EQ(work_.compiled, 1u + 4u) << "nothing beside them";
  for (std::size_t i : {0u, 2u, 3u})
    EXPECT_EQ(because(sass(cells[i])), "right from the same PTX with 13.0.88 at O2");
}

TEST_F(JudgePtxTest, WhatIsFoundDoesNotDependOnTheOtherCells) {
  world_.writeCase("it", "//ptxas [ $opt$build = O313.0.88 ] && emit wrong || emit right");
  VerdictRecord alone = sass(judge("it@13.0.88/sm_80/O3"));
  VerdictRecord among =
      sass(judgeAll({"it@13.0.88/sm_80/O3", "it@13.0.88/sm_80/O0", "it@13.1.80/sm_80/O3"})[0]);
  EXPECT_EQ(alone.details, among.details);
}

TEST_F(JudgePtxTest, WhereAllBuildsAgreeNoCompilerIsBlamed) {
  CellRecord cell = judgeScript("//ptxas emit wrong");
  EXPECT_BLAME(sass(cell), Unknown);
  EXPECT_HAS(because(sass(cell)), "in the same way");
  EXPECT_HAS(because(sass(cell)), "our executor or the source is suspected");
}

TEST_F(JudgePtxTest, ABuildThatCannotBeJudgedIsNoEvidence) {
  CellRecord cell = judgeScript("//ptxas [ $build$opt = 13.0.88O3 ] && emit wrong || emit unknown");
  EXPECT_BLAME(sass(cell), Unknown);
  EXPECT_HAS(because(sass(cell)), "no other build of it to compare with");
}

TEST_F(JudgePtxTest, ABuildThatIsRightOnOneShapeOnlyIsNoEvidence) {
  auto shapes = [](World::Json& manifest) {
    manifest["shapes"] = {{{"name", "one"}, {"n", 1}}, {{"name", "all"}, {"n", 32}}};
    manifest["args"] = {"in", "out", {{"i32", "n"}}};
    manifest["buffers"]["out"]["count"] = "n";
    manifest["buffers"]["out"].erase("record");
  };
  // `outside` faults on both, `wrong` is right on the first.
  CellRecord cell = judgeScript("//ptxas [ $build$opt = 13.0.88O3 ] && emit outside || emit wrong", shapes);
  EXPECT_VERDICT(of("sass", cell, 0), Fault);
  EXPECT_BLAME(of("sass", cell, 0), Unknown);
}

TEST_F(JudgePtxTest, OtherFaultsOfPtxas) {
  for (const char* fault : {"outside", "forever", "illegal", "hazard"}) {
    judgeOptions_.maxWarpInstructions = 10'000;
    CellRecord cell = judgeScript("//ptxas [ $opt = O0 ] && emit right || emit " + std::string(fault));
    EXPECT_NE(sass(cell).verdict, Verdict::Pass) << fault;
    EXPECT_BLAME(sass(cell), Ptxas) << fault;
  }
}

TEST_F(JudgePtxTest, PtxasIsNotBlamedWithoutTheOracle) {
  for (const char* script : {"//ptx unsupported x", "//ptx timeout x", "//ptx refuse x"}) {
    CellRecord cell =
        judgeScript(std::string("//ptxas [ $opt = O0 ] && emit right || emit wrong\n") + script);
    EXPECT_VERDICT(sass(cell), Mismatch);
    EXPECT_BLAME(sass(cell), Unknown);
  }
}

// ---- the front end

/// A front end that 13.1.80 is right with: "VERDICT" in the source becomes what is given for 13.0.88, else
/// `right`.
std::string frontEndScript(const std::string& ptx, const std::string& ptxas) {
  return "//nvcc [ $build = 13.0.88 ] && p='" + ptx + "' s='" + ptxas +
         "' || p=right s=right; sed \"s/PTX/$p/; s/SASS/$s/\" \"$in\" >made.cu; in=made.cu\n" +
         "//ptxas emit SASS\n//ptx PTX";
}

TEST_F(JudgePtxTest, AnotherFrontEndThatIsRightConvictsTheFrontEnd) {
  CellRecord cell = judgeScript(frontEndScript("wrong", "wrong"));
  EXPECT_VERDICT(sass(cell), Mismatch);
  EXPECT_VERDICT(ptx(cell), Mismatch);
  for (std::string_view executor : {"sass", "ptx"}) {
    EXPECT_BLAME(of(executor, cell), FrontEnd);
    EXPECT_HAS(because(of(executor, cell)), "right with the front end of 13.1.80");
  }
}

TEST_F(JudgePtxTest, WhereFrontEndsAgreeNoneIsBlamed) {
  CellRecord cell = judgeScript("//ptxas emit wrong\n//ptx wrong");
  EXPECT_BLAME(sass(cell), Unknown);
  EXPECT_HAS(because(sass(cell)), "the source or the reference is suspected");
}

TEST_F(JudgePtxTest, AFrontEndIsNotBlamedWhereTheExecutorsDisagree) {
  CellRecord cell = judgeScript(frontEndScript("otherwise-wrong", "wrong"));
  EXPECT_BLAME(sass(cell), Unknown);
  EXPECT_HAS(because(sass(cell)), "wrong in different ways");
}

TEST_F(JudgePtxTest, AFrontEndIsNotBlamedWhereTheMachineCodeIsRight) {
  CellRecord cell = judgeScript(frontEndScript("wrong", "right"));
  EXPECT_BLAME(ptx(cell), Unknown);
  EXPECT_HAS(because(ptx(cell)), "the PTX executor is suspected");
}

// ---- the source

TEST_F(JudgePtxTest, UndefinedPtxIsTheSourcesFault) {
  CellRecord cell = judgeScript(
      "//ptxas [ $opt = O0 ] && emit right || emit wrong\n//ptx undefined line 9: %r3 was never written");
  EXPECT_BLAME(sass(cell), Source);
  EXPECT_HAS(because(sass(cell)), "line 9: %r3 was never written");
}

TEST_F(JudgePtxTest, WhatNobodyWroteIsLookedForWhereSomethingIsWrong) {
  const char* use = "\n//ptx unwritten-use line 9: stores %r3, which nobody wrote";
  CellRecord wrong = judgeScript(std::string("//ptxas [ $opt = O0 ] && emit right || emit wrong") + use);
  EXPECT_BLAME(sass(wrong), Source);
  EXPECT_HAS(because(sass(wrong)), "line 9: stores %r3");
  CellRecord right = judgeScript(std::string("//ptxas emit right") + use);
  EXPECT_EQ(ptx(right).details, "");
  CellRecord oracle = judgeScript(std::string("//ptxas emit right") + use, withoutReference);
  EXPECT_HAS(ptx(oracle).details, "line 9: stores %r3") << "the judge is asked always";
}

TEST_F(JudgePtxTest, UndefinedPtxThatDoesNoHarmIsReported) {
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx undefined line 9: %r3 was never written");
  EXPECT_VERDICT(ptx(cell), Pass);
  EXPECT_BLAME(ptx(cell), None);
  EXPECT_EQ(Json::parse(ptx(cell).details)["undefined"], Json({"line 9: %r3 was never written"}));
}

TEST_F(JudgePtxTest, AFaultThatThePtxHasTooIsTheSources) {
  CellRecord cell = judgeScript(
      "//ptxas emit outside\n//ptx fault line 3: 1-byte access to 0x7f0000001fff: outside of everything");
  EXPECT_VERDICT(sass(cell), Fault);
  EXPECT_BLAME(sass(cell), Source);
}

// ---- the oracle

TEST_F(JudgePtxTest, WithoutAReferenceThePtxIsTheJudge) {
  CellRecord pass = judgeScript("//ptxas emit right", withoutReference);
  EXPECT_VERDICT(sass(pass), Pass);
  EXPECT_EQ(sass(pass).bytes, 32u);
  EXPECT_EQ(Json::parse(sass(pass).details)["oracle"], "ptx");
  EXPECT_VERDICT(ptx(pass), Pass);
  EXPECT_EQ(ptx(pass).bytes, 0u) << "it is compared with nothing";
  CellRecord wrong = judgeScript("//ptxas [ $opt = O0 ] && emit right || emit wrong", withoutReference);
  EXPECT_VERDICT(sass(wrong), Mismatch);
  EXPECT_EQ(sass(wrong).firstBad, "out+0x1: 0x03 -> 0x83");
  EXPECT_EQ(Json::parse(sass(wrong).details)["oracle"], "ptx");
  EXPECT_BLAME(sass(wrong), Ptxas);
  judgeScript("//ptxas [ $opt = O0 ] && emit right || emit wrong", withoutReference);
  EXPECT_EQ(work_.executed + work_.compiled, 0u);
}

TEST_F(JudgePtxTest, EachPtxJudgesItsOwnMachineCode) {
  // 13.0.88's PTX says something else than 13.1.80's: both are right by themselves.
  world_.writeCase("it", frontEndScript("wrong", "wrong"), withoutReference);
  auto cells = judgeAll({"it@13.0.88/sm_80/O3", "it@13.1.80/sm_80/O3"});
  EXPECT_VERDICT(decisiveVerdict(cells[0]), Pass);
  EXPECT_VERDICT(decisiveVerdict(cells[1]), Pass);
}

TEST_F(JudgePtxTest, AWrongOracleConvictsNobody) {
  CellRecord cell = judgeScript("//ptxas emit right\n//ptx wrong", withoutReference);
  EXPECT_VERDICT(sass(cell), Mismatch);
  EXPECT_BLAME(sass(cell), Unknown);
}

TEST_F(JudgePtxTest, AnUnwrittenByteOfBothIsRight) {
  CellRecord cell = judgeScript("//ptxas emit unwritten\n//ptx unwritten", withoutReference);
  EXPECT_VERDICT(sass(cell), Pass);
}

TEST_F(JudgePtxTest, WithoutAnOracleNothingIsJudged) {
  CellRecord lacking = judgeScript("//ptxas emit right\n//ptx unsupported tcgen05.mma", withoutReference);
  EXPECT_VERDICT(decisiveVerdict(lacking), Unsupported);
  EXPECT_HAS(Json::parse(sass(lacking).details).value("message", ""), "tcgen05.mma");
  EXPECT_EQ(decisiveVerdict(lacking).outcome, Outcome::Undecided);
  judgeOptions_.ptx = nullptr;
  CellRecord none = judgeScript("//ptxas emit right", withoutReference);
  EXPECT_VERDICT(decisiveVerdict(none), InfraError);
  EXPECT_HAS(Json::parse(sass(none).details).value("message", ""), "--executor");
}

TEST_F(JudgePtxTest, ACacheThatLostTheOraclesAnswerHasItAgain) {
  judgeScript("//ptxas emit wrong", withoutReference);
  std::filesystem::remove_all(world_.path("bench-cache"));
  cache_ = ArtifactCache(world_.path("bench-cache"));
  EXPECT_VERDICT(sass(judgeScript("//ptxas emit wrong", withoutReference)), Mismatch);
}

TEST_F(JudgePtxTest, APtxSourceHasNoFrontEnd) {
  world_.writeCase("it", "", [](World::Json& manifest) { manifest["source"] = "fill.ptx"; });
  world_.write("repros/it/fill.ptx", ".version 8.0\n//ptxas emit right\n");
  CellRecord cell = judge("it@13.0.88/sm_80/O3");
  EXPECT_VERDICT(sass(cell), Pass);
  EXPECT_VERDICT(ptx(cell), Pass);
  EXPECT_EQ(cell.builds.front().frontEndCommand, "");
  EXPECT_EQ(work_.compiled, 1u) << "ptxas alone";
  world_.write("repros/it/fill.ptx", "//ptxas emit wrong\n//ptx wrong\n");
  EXPECT_BLAME(sass(judge("it@13.0.88/sm_80/O3")), Unknown);
}

} // namespace
} // namespace harness::test
