#include "harness/explain/explain.h"

#include "tests/explain/hand_made.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::explain::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kGlobal = TraceSpace::Global;
constexpr auto kRead = TraceAccess::Kind::Read;
constexpr auto kWrite = TraceAccess::Kind::Write;
constexpr std::uint64_t kOut = 0x7f0000002000;
constexpr std::uint32_t kTerm = 0x9e818a18, kStep = 0x20000000, kBegin = 0x90000003, kBound = 0x70000005;

/// The sum after some rounds.
std::uint32_t sumAfter(unsigned rounds) {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < rounds; ++i)
    sum = sum * 33 + kTerm;
  return sum;
}

/// for (i = begin; i < bound; i += step) sum = sum * 33 + term, in PTX, with so many rounds.
void ptxLoop(HandMade& ptx, unsigned rounds) {
  ptx.step("line 8", 8, "ld.global.u32 %r2, [%rd1]", {{"%rd1", 0x1000}}, {{"%r2", kBound}})
      .access(kGlobal, kRead, 0x1000, 4);
  ptx.step("line 9", 9, "ld.global.u32 %r3, [%rd1+4]", {{"%rd1", 0x1000}}, {{"%r3", kBegin}})
      .access(kGlobal, kRead, 0x1004, 4);
  ptx.step("line 10", 10, "ld.global.u32 %r1, [%rd1+8]", {{"%rd1", 0x1000}}, {{"%r1", kTerm}})
      .access(kGlobal, kRead, 0x1008, 4);
  ptx.step("line 11", 11, "mov.u32 %r5, 0", {}, {{"%r5", 0}});
  for (unsigned i = 0; i < rounds; ++i) {
    std::uint32_t at = kBegin + i * kStep;
    bool again = i + 1 < rounds;
    ptx.step("line 12", 12, "mad.lo.s32 %r5, %r5, 33, %r1", {{"%r5", sumAfter(i)}, {"%r1", kTerm}},
             {{"%r5", sumAfter(i + 1)}});
    ptx.step("line 13", 13, "add.s32 %r3, %r3, 536870912", {{"%r3", at}}, {{"%r3", at + kStep}});
    ptx.step("line 14", 14, "setp.lt.s32 %p1, %r3, %r2", {{"%r3", at + kStep}, {"%r2", kBound}},
             {{"%p1", again}});
    ptx.step("line 15", 15, "@%p1 bra $L", {}, {}).guard({"%p1", again}, again);
  }
  ptx.step("line 16", 16, "st.global.u32 [%rd2], %r5", {{"%rd2", kOut}, {"%r5", sumAfter(rounds)}}, {})
      .access(kGlobal, kWrite, kOut, 4);
}

/// What an unrolled loop of SASS begins with: the distance that is left, and a branch by it.
void sassBegin(HandMade& sass, bool far) {
  sass.step("0x10", 8, "LDG.E R2, [R10]", {{"R10", 0x1000}}, {{"R2", kBound}})
      .access(kGlobal, kRead, 0x1000, 4);
  sass.step("0x20", 9, "LDG.E R3, [R10+0x4]", {{"R10", 0x1000}}, {{"R3", kBegin}})
      .access(kGlobal, kRead, 0x1004, 4);
  sass.step("0x30", 10, "LDG.E R1, [R10+0x8]", {{"R10", 0x1000}}, {{"R1", kTerm}})
      .access(kGlobal, kRead, 0x1008, 4);
  sass.step("0x40", 11, "IMAD.MOV.U32 R5, RZ, RZ, RZ", {}, {{"R5", 0}});
  sass.step("0x50", 14, "IMAD.IADD R6, R2, 0x1, -R3", {{"R2", kBound}, {"R3", kBegin}},
            {{"R6", kBound - kBegin}});
  sass.step("0x60", 14, "ISETP.GT.AND P1, PT, R6, 0x60000000, PT", {{"R6", kBound - kBegin}}, {{"P1", far}});
  sass.step("0x70", 15, "@!P1 BRA 0xc0", {}, {}).guard({"P1", far}, !far);
}

void sassRound(HandMade& sass, const std::string& place, unsigned round) {
  sass.step(place, 12, "IMAD R5, R5, 0x21, R1", {{"R5", sumAfter(round)}, {"R1", kTerm}},
            {{"R5", sumAfter(round + 1)}});
}

void sassStore(HandMade& sass, std::uint32_t stored) {
  sass.step("0xd0", 16, "STG.E [R8], R5", {{"R8", 0x2000}, {"R5", stored}}, {})
      .access(kGlobal, kWrite, kOut, 4);
}

Explanation explain(HandMade& sass, HandMade& ptx, std::uint32_t got, std::uint32_t right) {
  Launch launch;
  WrongByte byte;
  byte.buffer = "out";
  byte.address = kOut;
  byte.expected = static_cast<std::uint8_t>(right);
  byte.sass = static_cast<std::uint8_t>(got);
  byte.ptx = byte.expected;
  return explainByte(sass, ptx, byte, launch, true);
}

TEST(ExplainRounds, ALoopThatEndsEarly) {
  HandMade sass, ptx;
  ptxLoop(ptx, 7);
  sassBegin(sass, false);
  sassRound(sass, "0xc0", 0);
  sassStore(sass, sumAfter(1));
  Explanation e = explain(sass, ptx, sumAfter(1), sumAfter(7));
  EXPECT_EQ(e.kind, Explanation::Kind::Control);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("IMAD.IADD R6, R2, 0x1, -R3"));
  EXPECT_THAT(e.conclusion, HasSubstr("7 times; the loop of SASS ends after 1."));
  EXPECT_THAT(e.conclusion, HasSubstr("is '@!P1 BRA 0xc0' at 0x70"));
  EXPECT_THAT(e.conclusion, HasSubstr("R2 = 0x70000005 (%r2), R3 = 0x90000003 (%r3)"));
  EXPECT_THAT(e.conclusion, HasSubstr("PTX there takes '@%p1 bra $L' (line 15)"));
}

TEST(ExplainRounds, ALoopThatIsPassed) {
  HandMade sass, ptx;
  ptxLoop(ptx, 2);
  sassBegin(sass, false);
  sassStore(sass, 0);
  Explanation e = explain(sass, ptx, 0, sumAfter(2));
  EXPECT_EQ(e.kind, Explanation::Kind::Control);
  EXPECT_THAT(e.conclusion, HasSubstr("2 times; the loop of SASS ends after 0."));
}

TEST(ExplainRounds, ALoopThatGoesOn) {
  HandMade sass, ptx;
  ptxLoop(ptx, 1);
  sassBegin(sass, true);
  sassRound(sass, "0x80", 0);
  sassRound(sass, "0x90", 1);
  sassRound(sass, "0xa0", 2);
  sassStore(sass, sumAfter(3));
  Explanation e = explain(sass, ptx, sumAfter(3), sumAfter(1));
  EXPECT_EQ(e.kind, Explanation::Kind::Control);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("IMAD.IADD R6, R2, 0x1, -R3"));
  EXPECT_THAT(e.conclusion, HasSubstr("once; the loop of SASS goes on after that."));
  EXPECT_THAT(e.conclusion, HasSubstr("PTX there does not take '@%p1 bra $L' (line 15)"));
}

TEST(ExplainRounds, TheValueOfAnEarlierRoundThoughAllWereRun) {
  // Not the loop is at fault, but what is stored after it.
  HandMade sass, ptx;
  ptxLoop(ptx, 2);
  sassBegin(sass, true);
  sass.step("0x80", 12, "IMAD R4, R5, 0x21, R1", {{"R5", 0}, {"R1", kTerm}}, {{"R4", sumAfter(1)}});
  sass.step("0x90", 12, "IMAD R7, R4, 0x21, R1", {{"R4", sumAfter(1)}, {"R1", kTerm}}, {{"R7", sumAfter(2)}});
  sass.step("0xd0", 16, "STG.E [R8], R4", {{"R8", 0x2000}, {"R4", sumAfter(1)}}, {})
      .access(kGlobal, kWrite, kOut, 4);
  Explanation e = explain(sass, ptx, sumAfter(1), sumAfter(2));
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("STG.E [R8], R4"));
}

TEST(ExplainRounds, NoDecisionThatIsStrange) {
  // A loop that is cut off: it has no branch of its own to accuse.
  HandMade sass, ptx;
  ptxLoop(ptx, 3);
  sass.step("0x30", 10, "LDG.E R1, [R10+0x8]", {{"R10", 0x1000}}, {{"R1", kTerm}})
      .access(kGlobal, kRead, 0x1008, 4);
  sass.step("0x40", 11, "IMAD.MOV.U32 R5, RZ, RZ, RZ", {}, {{"R5", 0}});
  sassRound(sass, "0x50", 0);
  sassRound(sass, "0x60", 1);
  sassStore(sass, sumAfter(2));
  Explanation e = explain(sass, ptx, sumAfter(2), sumAfter(3));
  EXPECT_THAT(e.conclusion, HasSubstr("3 times; the loop of SASS ends after 2."));
  EXPECT_THAT(partings(e.sassSteps), IsEmpty());
}

} // namespace
} // namespace harness::explain::test
