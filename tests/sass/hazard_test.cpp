// Hand-made control words: a missing wait must be found, on whatever path, and a wait must be understood.
#include "harness/sass/hazard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr unsigned kNone = 7;

struct Control {
  unsigned wait = 0; ///< mask
  unsigned write = kNone, read = kNone;
  unsigned stall = 2;
};

class Code {
public:
  Code& add(std::string text, Control control = {}) {
    ListedInstruction instruction;
    instruction.high = std::uint64_t{control.wait} << 52 | std::uint64_t{control.read} << 49 |
                       std::uint64_t{control.write} << 46 | std::uint64_t{control.stall} << 41;
    instruction.text = std::move(text);
    listing_.instructions.push_back(std::move(instruction));
    return *this;
  }
  std::vector<Hazard> hazards() const { return findHazards(".text.k", listing_); }
  /// "first second registers" of each.
  std::vector<std::string> found() const {
    std::vector<std::string> result;
    for (const Hazard& hazard : hazards())
      result.push_back(std::to_string(hazard.first / 16) + ' ' + std::to_string(hazard.second / 16) + ' ' +
                       hazard.registers);
    return result;
  }

private:
  Listing listing_;
};

TEST(SassHazard, ResultReadTooEarly) {
  auto code = [](unsigned wait) {
    return Code().add("LDG.E R4, [R2.64]", {.write = 0}).add("FADD R5, R4, R4", {.wait = wait}).add("EXIT");
  };
  EXPECT_THAT(code(0b000001).found(), IsEmpty());
  EXPECT_THAT(code(0).found(), ElementsAre("0 1 R4"));
  EXPECT_THAT(code(0b000010).found(), ElementsAre("0 1 R4")) << "another scoreboard";
}

TEST(SassHazard, ResultOverwrittenTooEarly) {
  EXPECT_THAT(Code().add("MUFU.RCP R4, R2", {.write = 3}).add("MOV R4, RZ").found(), ElementsAre("0 1 R4"));
  EXPECT_THAT(Code().add("MUFU.RCP R4, R2", {.write = 3}).add("MOV R4, RZ", {.wait = 8}).found(), IsEmpty());
}

TEST(SassHazard, WaitingForTheLastS2urIsWaitingForThoseBefore) {
  auto code = [](unsigned wait, const char* last = "S2UR UR5, SR_CTAID.Y") {
    return Code()
        .add("S2UR UR4, SR_CTAID.X")
        .add(last, {.write = 1})
        .add("UIADD3 UR6, UR5, 0x1, URZ", {.wait = 0b10})
        .add("UIADD3 UR7, UR4, 0x1, URZ", {.wait = wait})
        .add("EXIT");
  };
  EXPECT_THAT(code(0).found(), IsEmpty());
  EXPECT_THAT(code(0, "LDCU UR5, c[0x0][0x358]").found(), ElementsAre("0 3 UR4")) << "of another unit";
  EXPECT_THAT(Code()
                  .add("S2UR UR5, SR_CTAID.Y", {.write = 1})
                  .add("S2UR UR4, SR_CTAID.X")
                  .add("UIADD3 UR7, UR4, 0x1, URZ", {.wait = 0b10})
                  .found(),
              ElementsAre("1 2 UR4"))
      << "one after it";
}

TEST(SassHazard, AllOfAGroup) {
  EXPECT_THAT(Code().add("LDG.E.128 R4, [R2.64]", {.write = 0}).add("MOV R0, R7").found(),
              ElementsAre("0 1 R7"));
  EXPECT_THAT(Code().add("LDG.E.64 R4, [R2.64]", {.write = 0}).add("DADD R8, R4, R10").found(),
              ElementsAre("0 1 R4-R5"));
  EXPECT_THAT(Code().add("LDG.E.64 R4, [R2.64]", {.write = 0}).add("MOV R0, R6").found(), IsEmpty());
}

TEST(SassHazard, PredicatesAndUniformRegisters) {
  EXPECT_THAT(Code().add("DSETP.GT.AND P0, PT, R2, R4, PT", {.write = 0}).add("@P0 EXIT").found(),
              ElementsAre("0 1 P0"));
  EXPECT_THAT(
      Code().add("DSETP.GT.AND P0, PT, R2, R4, PT", {.write = 0}).add("@P0 EXIT", {.wait = 1}).found(),
      IsEmpty());
  EXPECT_THAT(Code().add("S2UR UR4, SR_CTAID.X", {.write = 1}).add("IADD3 R0, R0, UR4, RZ").found(),
              ElementsAre("0 1 UR4"));
  EXPECT_THAT(Code()
                  .add("LDCU.64 UR4, c[0x0][0x358]", {.write = 1})
                  .add("LDG.E R0, desc[UR4][R2.64]", {.write = 0})
                  .found(),
              ElementsAre("0 1 UR4-UR5"));
}

TEST(SassHazard, SourceOverwrittenTooEarly) {
  auto code = [](unsigned wait) {
    return Code().add("STG.E [R2.64], R4", {.read = 2}).add("MOV R4, RZ", {.wait = wait});
  };
  EXPECT_THAT(code(0).found(), ElementsAre("0 1 R4"));
  EXPECT_THAT(code(0b000100).found(), IsEmpty());
  EXPECT_THAT(Code().add("STG.E [R2.64], R4", {.read = 2}).add("MOV R0, R4").found(), IsEmpty())
      << "only read";
  EXPECT_THAT(Code().add("STG.E [R2.64], R4").add("MOV R4, RZ").found(), IsEmpty()) << "nothing is announced";
}

TEST(SassHazard, WhatHasWrittenHasRead) {
  EXPECT_THAT(Code()
                  .add("LDG.E R4, [R2.64]", {.write = 0, .read = 1})
                  .add("MOV R5, R4", {.wait = 0b01})
                  .add("MOV R2, RZ")
                  .found(),
              IsEmpty());
}

TEST(SassHazard, TheMemoryUnitKeepsItsOrder) {
  EXPECT_THAT(Code().add("STG.E [R2.64], R4", {.read = 0}).add("LDS R4, [R6]", {.write = 1}).found(),
              IsEmpty());
  EXPECT_THAT(Code().add("LDS R4, [R6]", {.write = 1}).add("STG.E [R2.64], R4", {.read = 0}).found(),
              ElementsAre("0 1 R4"))
      << "results come in any order";
}

TEST(SassHazard, OneScoreboardForSeveral) {
  EXPECT_THAT(Code()
                  .add("LDG.E R4, [R2.64]", {.write = 0})
                  .add("LDG.E R5, [R2.64+0x4]", {.write = 0})
                  .add("FADD R6, R4, R5", {.wait = 1})
                  .found(),
              IsEmpty());
  EXPECT_THAT(Code()
                  .add("LDG.E R4, [R2.64]", {.write = 0})
                  .add("MOV R6, R4", {.wait = 1})
                  .add("LDG.E R5, [R2.64+0x4]", {.write = 0})
                  .add("FADD R6, R4, R5")
                  .found(),
              ElementsAre("2 3 R5"))
      << "the scoreboard is used again";
}

TEST(SassHazard, CountedWait) {
  auto code = [](const char* depbar) {
    return Code()
        .add("LDG.E R4, [R2.64]", {.write = 0})
        .add("LDG.E R5, [R2.64+0x4]", {.write = 0})
        .add(depbar)
        .add("MOV R6, R4")
        .add("MOV R7, R5");
  };
  EXPECT_THAT(code("DEPBAR.LE SB0, 0x0").found(), IsEmpty());
  EXPECT_THAT(code("DEPBAR.LE SB0, 0x1").found(), ElementsAre("1 4 R5"));
  EXPECT_THAT(code("DEPBAR.LE SB0, 0x2").found(), ElementsAre("0 3 R4", "1 4 R5"));
  EXPECT_THAT(code("DEPBAR.LE SB1, 0x0").found(), ElementsAre("0 3 R4", "1 4 R5"));
  EXPECT_THAT(code("DEPBAR.LE SB1, 0x0, {0}").found(), IsEmpty());
}

TEST(SassHazard, EveryPathCounts) {
  auto code = [](unsigned waitOnFallThrough, unsigned waitAtEnd) {
    return Code()
        .add("LDG.E R4, [R2.64]", {.write = 0})
        .add("@P0 BRA 0x30")
        .add("NOP", {.wait = waitOnFallThrough})
        .add("MOV R5, R4", {.wait = waitAtEnd})
        .add("EXIT");
  };
  EXPECT_THAT(code(1, 0).found(), ElementsAre("0 3 R4")) << "the taken path does not wait";
  EXPECT_THAT(code(0, 1).found(), IsEmpty());
}

TEST(SassHazard, RoundALoop) {
  auto code = [](unsigned wait) {
    return Code()
        .add("MOV R5, R4", {.wait = wait})
        .add("LDG.E R4, [R2.64]", {.write = 0})
        .add("@P0 BRA 0x0")
        .add("EXIT");
  };
  EXPECT_THAT(code(0).found(), ElementsAre("1 0 R4", "1 1 R4")) << "by the next round's load too";
  EXPECT_THAT(code(1).found(), IsEmpty());
}

TEST(SassHazard, ABranchThatIsAlwaysTaken) {
  EXPECT_THAT(Code()
                  .add("LDG.E R4, [R2.64]", {.write = 0})
                  .add("BRA 0x30")
                  .add("MOV R5, R4")
                  .add("EXIT", {.wait = 1})
                  .found(),
              IsEmpty());
}

TEST(SassHazard, LanesThatExcludeEachOther) {
  EXPECT_THAT(Code().add("@P0 LDG.E R4, [R2.64]", {.write = 0}).add("@!P0 MOV R4, RZ").found(), IsEmpty());
  EXPECT_THAT(Code().add("@P0 LDG.E R4, [R2.64]", {.write = 0}).add("@!P1 MOV R4, RZ").found(),
              ElementsAre("0 1 R4"));
  EXPECT_THAT(Code().add("LDG.E R4, [R2.64]", {.write = 0}).add("@!PT MOV R4, RZ").found(), IsEmpty());
}

TEST(SassHazard, ResultThatNothingAnnounces) {
  EXPECT_THAT(Code().add("LDG.E R4, [R2.64]").add("MOV R5, R4", {.wait = 0x3f}).found(),
              ElementsAre("0 1 R4"));
  EXPECT_THAT(Code().add("LDG.E R4, [R2.64]", {.stall = 0}).add("MOV R5, R4").found(), IsEmpty())
      << "code of -G: every instruction waits for the one before";
  EXPECT_THAT(Code().add("FADD R4, R2, R3").add("MOV R5, R4").found(), IsEmpty()) << "known latency";
}

TEST(SassHazard, WhatIsNotKnownIsPassedOver) {
  EXPECT_THAT(Code().add("FROB R4, R2", {.write = 0}).add("MOV R5, R4").found(), IsEmpty());
  EXPECT_THAT(
      Code().add("LDG.E R4, [R2.64]", {.write = 0}).add("CALL.REL.NOINC 0x40").add("MOV R5, R4").found(),
      IsEmpty())
      << "the function may have waited";
  EXPECT_THAT(Code().add("LDG.E R4, [R2.64]", {.write = 0}).add("BRA 0x7fffffffffffff0").found(), IsEmpty());
  EXPECT_THAT(findHazards(".text.k", {}), IsEmpty());
}

TEST(SassHazard, NamesBothInstructions) {
  std::vector<Hazard> hazards =
      Code().add("NOP").add("LDG.E R4, [R2.64]", {.write = 5}).add("FADD R5, R4, R4").hazards();
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, Hazard::Kind::Result);
  EXPECT_EQ(hazards[0].scoreboard, 5u);
  EXPECT_EQ(hazards[0].describe(),
            "R4 of 'LDG.E R4, [R2.64]' (.text.k 0010) is touched by 'FADD R5, R4, R4' (0020) "
            "before scoreboard 5 was waited for");
}

} // namespace
} // namespace harness::sass
