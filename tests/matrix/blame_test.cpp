#include "harness/matrix/blame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::Not;
using Evidence = Suspicion::Evidence;

void expectUnknown(const Suspicion& suspicion, const char* because) {
  EXPECT_EQ(suspicion.needed, Evidence::None);
  EXPECT_EQ(toString(suspicion.blame), toString(Blame::Unknown));
  EXPECT_THAT(suspicion.because, HasSubstr(because));
}

BlameFacts facts(Verdict machineCode, Verdict ptx, bool sameAnswer = false) {
  BlameFacts facts;
  facts.machineCode = machineCode;
  facts.ptx = ptx;
  facts.sameAnswer = sameAnswer;
  return facts;
}

TEST(Blame, RightPtxAndWrongMachineCodeSuspectPtxas) {
  for (Verdict wrong : {Verdict::Mismatch, Verdict::Fault, Verdict::Timeout, Verdict::Hazard}) {
    Suspicion suspicion = suspect(facts(wrong, Verdict::Pass));
    EXPECT_EQ(suspicion.needed, Evidence::OtherAssembly) << toString(wrong);
    EXPECT_EQ(suspicion.blame, Blame::Ptxas);
  }
}

TEST(Blame, OneWrongAnswerOfBothSuspectsTheFrontEnd) {
  Suspicion suspicion = suspect(facts(Verdict::Mismatch, Verdict::Mismatch, true));
  EXPECT_EQ(suspicion.needed, Evidence::OtherFrontEnd);
  EXPECT_EQ(suspicion.blame, Blame::FrontEnd);
}

TEST(Blame, APtxSourceHasNoFrontEnd) {
  BlameFacts both = facts(Verdict::Mismatch, Verdict::Mismatch, true);
  both.hasFrontEnd = false;
  expectUnknown(suspect(both), "the source or the reference is suspected");
}

TEST(Blame, WrongInTwoWaysIsNoCompilersFault) {
  expectUnknown(suspect(facts(Verdict::Mismatch, Verdict::Mismatch, false)), "wrong in different ways");
  expectUnknown(suspect(facts(Verdict::Fault, Verdict::Mismatch)), "wrong in different ways");
}

TEST(Blame, WrongPtxOfRightMachineCodeSuspectsOurExecutor) {
  for (Verdict right : {Verdict::Pass, Verdict::Hazard, Verdict::IllegalEncoding})
    expectUnknown(suspect(facts(right, Verdict::Mismatch)), "the PTX executor is suspected");
}

TEST(Blame, WrongPtxAloneSaysNothing) {
  for (Verdict verdict : {Verdict::Unsupported, Verdict::InfraError, Verdict::Skipped})
    expectUnknown(suspect(facts(verdict, Verdict::Mismatch)), "cannot be executed to confirm");
}

TEST(Blame, WhatPtxLeavesUndefinedIsTheSourcesFault) {
  for (Verdict ptx : {Verdict::Pass, Verdict::Mismatch, Verdict::Fault}) {
    BlameFacts undefined = facts(Verdict::Mismatch, ptx);
    undefined.undefined = {"line 12: %r5 is read before it is written", "another"};
    Suspicion suspicion = suspect(undefined);
    EXPECT_EQ(suspicion.needed, Evidence::None);
    EXPECT_EQ(suspicion.blame, Blame::Source);
    EXPECT_THAT(suspicion.because, HasSubstr("line 12: %r5"));
  }
}

const std::string kOpen = "lines 3 and 5: " + std::string(kMayFuse);

TEST(Blame, WhatMayBeFusedIsTriedWithoutFusing) {
  BlameFacts open = facts(Verdict::Mismatch, Verdict::Pass);
  open.mayFuse = kOpen;
  Suspicion suspicion = suspect(open);
  EXPECT_EQ(suspicion.needed, Evidence::OtherAssembly);
  EXPECT_EQ(suspicion.mayFuse, kOpen);
  Suspicion legal = settle(suspicion, {{"13.0.88 and -fmad=false", Trial::Result::Right}});
  EXPECT_EQ(legal.blame, Blame::Source);
  EXPECT_THAT(legal.because, HasSubstr("lines 3 and 5"));
  Suspicion fault = settle(
      suspicion, {{"13.0.88 and -fmad=false", Trial::Result::AsWrong}, {"13.5.37", Trial::Result::Right}});
  EXPECT_EQ(fault.blame, Blame::Ptxas) << "that something may be fused elsewhere excuses nothing";
}

TEST(Blame, PtxThatMayBeFusedMeasuresNothingWhereItIsWrong) {
  BlameFacts open = facts(Verdict::Pass, Verdict::Mismatch);
  open.mayFuse = kOpen;
  EXPECT_EQ(suspect(open).blame, Blame::Source);
  open.machineCode = Verdict::Mismatch;
  expectUnknown(suspect(open), "lines 3 and 5");
  open.sameAnswer = true;
  EXPECT_EQ(suspect(open).needed, Evidence::OtherFrontEnd) << "nothing was fused";
}

TEST(Blame, AFaultOfBothIsTheSources) {
  BlameFacts both = facts(Verdict::Fault, Verdict::Fault);
  both.machineCodeMessage =
      "4-byte access to 0x7f: 4 bytes past the end of 'out' (272 bytes) at 0x40 'STG.E [R2]'";
  both.ptxMessage =
      "an access to 0x7f: 4 bytes past the end of 'out' (272 bytes) in line 7 'st.global.u32 [%rd1], %r1'";
  EXPECT_EQ(suspect(both).blame, Blame::Source);
  EXPECT_THAT(suspect(both).because, HasSubstr("line 7"));
  EXPECT_EQ(suspect(both).ptxBecause, "the machine code does it too");
}

TEST(Blame, AFaultOfThePtxThatStandsForTheReferenceIsTheSources) {
  BlameFacts both = facts(Verdict::Fault, Verdict::Fault);
  both.ptxMessage = "line 9 'call f;': the stack is full";
  both.machineCodeMessage =
      "the case has no reference, and its PTX gives none: line 9 'call f;': the stack is full";
  EXPECT_EQ(suspect(both).blame, Blame::Source);
  EXPECT_THAT(suspect(both).because, Not(HasSubstr("the stack is full"))) << "the message says it already";
}

TEST(Blame, AnotherFaultIsNot) {
  BlameFacts both = facts(Verdict::Fault, Verdict::Fault);
  both.machineCodeMessage = "4-byte access to 0x7f: 4 bytes past the end of 'out' (272 bytes)";
  both.ptxMessage = "4-byte access to 0x7f: 4 bytes past the end of 'in' (272 bytes)";
  expectUnknown(suspect(both), "another fault");
  both.ptxMessage = "misaligned 4-byte access to 0x7f";
  expectUnknown(suspect(both), "another fault");
}

TEST(Blame, AFaultOfThePtxAlone) {
  BlameFacts alone = facts(Verdict::Pass, Verdict::Fault);
  alone.ptxMessage = "trap";
  expectUnknown(suspect(alone), "the PTX executor is suspected, or the source");
  alone.machineCode = Verdict::Mismatch;
  expectUnknown(suspect(alone), "another fault: trap");
}

TEST(Blame, IsSameFault) {
  EXPECT_TRUE(isSameFault("4-byte access to shared 0x9: outside 0x0…0x4",
                          "4 bytes at 0x9 of shared memory, which has 4"));
  EXPECT_TRUE(isSameFault("trap at 0x40 'BPT.TRAP'", "line 3 'trap': trap"));
  EXPECT_TRUE(isSameFault("misaligned 4-byte access to 0x7f", "misaligned 4-byte access to shared 0x3"));
  EXPECT_FALSE(isSameFault("illegal instruction", "illegal instruction")) << "PTX has none";
  EXPECT_FALSE(isSameFault("", ""));
  EXPECT_FALSE(isSameFault("4-byte access to shared 0x9: outside", "4-byte access to 0x7f: in no buffer"));
}

TEST(Blame, OrdersThatThePtxDependsOnAreTheSourcesFault) {
  BlameFacts both = facts(Verdict::ScheduleDependent, Verdict::ScheduleDependent);
  both.ptxMessage = "right in the order ft, wrong in tf";
  EXPECT_EQ(suspect(both).blame, Blame::Source);
  EXPECT_EQ(suspect(facts(Verdict::Mismatch, Verdict::ScheduleDependent)).blame, Blame::Source);
}

TEST(Blame, OrdersThatOnlyTheMachineCodeDependsOnAreNobodys) {
  expectUnknown(suspect(facts(Verdict::ScheduleDependent, Verdict::Pass)),
                "a race of the source may not show");
}

TEST(Blame, WithoutPtxNobody) {
  BlameFacts none = facts(Verdict::Mismatch, Verdict::Pass);
  none.ptxExecuted = false;
  expectUnknown(suspect(none), "was not executed");
  for (Verdict verdict : {Verdict::Unsupported, Verdict::InfraError})
    expectUnknown(suspect(facts(Verdict::Mismatch, verdict)), "its PTX cannot be executed");
  expectUnknown(suspect(facts(Verdict::Mismatch, Verdict::Timeout)), "the PTX does not end");
}

TEST(Blame, ApproximateResultsAreNobodys) {
  expectUnknown(suspect(facts(Verdict::Approximate, Verdict::Pass)), "an ulp");
  expectUnknown(suspect(facts(Verdict::Mismatch, Verdict::Approximate)), "an ulp");
}

// ---- evidence

const Suspicion kPtxas{Evidence::OtherAssembly, Blame::Ptxas, "the PTX is right"};
const Suspicion kFrontEnd{Evidence::OtherFrontEnd, Blame::FrontEnd,
                          "the machine code does what its PTX says"};
using Result = Trial::Result;

TEST(Settle, ARightBuildOfTheSamePtxIsTheEvidence) {
  Suspicion found = settle(kPtxas, {{"13.0.88 at O0", Result::AsWrong}, {"13.1.80 at O3", Result::Right}});
  EXPECT_EQ(found.blame, Blame::Ptxas);
  EXPECT_EQ(found.because, "right from the same PTX with 13.1.80 at O3");
}

TEST(Settle, ARightFrontEndIsTheEvidence) {
  Suspicion found = settle(kFrontEnd, {{"12.9.86", Result::Right}});
  EXPECT_EQ(found.blame, Blame::FrontEnd);
  EXPECT_THAT(found.because, HasSubstr("right with the front end of 12.9.86"));
}

TEST(Settle, WhereAllAreAsWrongOurselvesAreSuspected) {
  Suspicion found = settle(kPtxas, {{"13.0.88 at O0", Result::AsWrong}, {"13.1.80 at O3", Result::AsWrong}});
  expectUnknown(found, "our executor or the source is suspected");
  EXPECT_THAT(found.because, HasSubstr("in the same way (13.0.88 at O0, 13.1.80 at O3)"));
  expectUnknown(settle(kFrontEnd, {{"12.9.86", Result::AsWrong}}),
                "the source or the reference is suspected");
}

TEST(Settle, WrongInAnotherWayIsNoEvidence) {
  Suspicion found = settle(kPtxas, {{"a", Result::AsWrong}, {"b", Result::Wrong}, {"c", Result::NotJudged}});
  expectUnknown(found, "every other build of it that was tried is wrong too (a, b)");
}

TEST(Settle, NothingToCompareWithIsNoEvidence) {
  expectUnknown(settle(kPtxas, {}), "no other build of it to compare with");
  expectUnknown(settle(kFrontEnd, {{"a", Result::NotJudged}}), "no other front end to compare with");
}

TEST(Settle, ARightBuildThatRacesIsNoEvidence) {
  expectUnknown(settle(kPtxas, {{"a", Result::AsWrong}, {"b", Result::Races}}), "both race");
  EXPECT_EQ(settle(kPtxas, {{"b", Result::Races}, {"c", Result::Right}}).blame, Blame::Ptxas);
}

} // namespace
} // namespace harness
