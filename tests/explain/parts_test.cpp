#include "harness/explain/bytes.h"
#include "harness/explain/explain.h"

#include "tests/explain/hand_made.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace harness::explain::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto kGlobal = TraceSpace::Global;
constexpr auto kWrite = TraceAccess::Kind::Write;
constexpr std::uint64_t kOut = 0x7f0000002000;

Explanation explain(HandMade& sass, HandMade& ptx, std::uint64_t offset, std::uint8_t got,
                    std::uint8_t right) {
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  return explainByte(sass, ptx, {"out", offset, kOut + offset, right, got, right}, launch, true);
}

void store(HandMade& side, std::uint32_t line, const std::string& text, const Held& value,
           std::uint32_t bytes = 4) {
  side.step("store", line, text, {value}, {}).access(kGlobal, kWrite, kOut, bytes);
}

// ---- what an instruction takes of a register

TEST(Bytes, OfAPermutation) {
  EXPECT_EQ(bytesRead("PRMT R7, R6, 0x5410, R9", "R6", kLowHalf), kLowHalf);
  EXPECT_EQ(bytesRead("PRMT R7, R6, 0x5410, R9", "R9", kLowHalf), kNoBytes);
  EXPECT_EQ(bytesRead("@!P0 PRMT R7, R6.reuse, 0x5410, R9", "R9", kHighHalf), kLowHalf);
  EXPECT_EQ(bytesRead("PRMT R7, R7, 0x7604, R6", "R7", 1), kNoBytes);
  EXPECT_EQ(bytesRead("PRMT R7, R7, R1, R6", "R6", 1), kWholeWord) << "nobody knows the selector";
}

TEST(Bytes, OfLogicSumsAndShifts) {
  constexpr auto kChosen = "LOP3.LUT R8, R9, 0xff00, R8, 0xe2, !PT";
  EXPECT_EQ(bytesRead(kChosen, "R8", 1), 1);
  EXPECT_EQ(bytesRead(kChosen, "R9", 1), kNoBytes);
  EXPECT_EQ(bytesRead(kChosen, "R9", 2), 2);
  EXPECT_EQ(bytesRead("IADD3 R1, R2, R3, RZ", "R2", 2), 3) << "a carry comes from below";
  EXPECT_EQ(bytesRead("SHF.L.U32 R9, R9, 0x8, RZ", "R9", 1), kNoBytes);
  EXPECT_EQ(bytesRead("SHF.R.U32.HI R11, RZ, 0x10, R0", "R0", 1), 4);
  EXPECT_EQ(bytesRead("SHF.R.S32.HI R11, RZ, 0x1f, R0", "R0", 1), 8);
}

TEST(Bytes, OfHalves) {
  EXPECT_EQ(bytesRead("F2I.U8.F16.TRUNC.NTZ R7, R0.H1", "R0", kWholeWord), kHighHalf);
  EXPECT_EQ(bytesRead("F2I.U8.F16.TRUNC.NTZ R7, R0", "R0", kWholeWord), kLowHalf);
  EXPECT_EQ(bytesRead("F2FP.F16.F32.PACK_AB R0, R7, R1", "R7", kLowHalf), kNoBytes);
  EXPECT_EQ(bytesRead("F2FP.F16.F32.PACK_AB R0, R7, R1", "R1", kLowHalf), kWholeWord);
  EXPECT_EQ(bytesRead("VIMNMX.S16x2 R0, R1, R2, !PT", "R1", 4), kHighHalf);
  EXPECT_EQ(bytesRead("HADD2.F32 R0, -RZ, R1.H0_H0", "R1", kWholeWord), kLowHalf);
}

TEST(Bytes, CopiesAndExtensions) {
  EXPECT_EQ(copiedBy("IMAD.MOV.U32 R1, RZ, RZ, R2")->name, "R2");
  EXPECT_EQ(copiedBy("LOP3.LUT R10, R10, 0xffff, RZ, 0xc0, !PT")->bytes, kLowHalf);
  EXPECT_EQ(copiedBy("PRMT R5, R4, 0x7710, RZ")->bytes, kLowHalf);
  EXPECT_EQ(copiedBy("PRMT R5, R4, 0x9910, RZ")->bytes, kLowHalf);
  EXPECT_FALSE(copiedBy("PRMT R5, R4, 0x5410, R6"));
  EXPECT_FALSE(copiedBy("PRMT R5, R4, 0x7732, RZ")) << "moved to another place";
  EXPECT_FALSE(copiedBy("LOP3.LUT R10, R10, 0xfff, RZ, 0xc0, !PT"));
  EXPECT_FALSE(copiedBy("MOV R13, 0x2"));
  EXPECT_FALSE(copiedBy("MOV R13, -R2"));
}

// ---- a value of 16 bits in a register of 32

/// |a| < |b| for two of -32768: equal, if both are extended in the same way.
Explanation compared(const std::string& extension, std::uint32_t extended, const std::string& comparison) {
  HandMade sass, ptx;
  ptx.step("line 3", 3, "abs.s16 %rs1, %rs8", {{"%rs8", 0x8000}}, {{"%rs1", 0x8000}});
  ptx.step("line 4", 4, "abs.s16 %rs2, %rs9", {{"%rs9", 0x8000}}, {{"%rs2", 0x8000}});
  ptx.step("line 5", 5, "setp.lt.u16 %p1, %rs1, %rs2", {{"%rs1", 0x8000}, {"%rs2", 0x8000}}, {{"%p1", 0}});
  ptx.step("line 7", 7, "selp.b32 %r3, %r1, %r2, %p1", {{"%r1", 0x71234}, {"%r2", 0x85678}, {"%p1", 0}},
           {{"%r3", 0x85678}});
  store(ptx, 8, "st.global.u32 [%rd1], %r3", {"%r3", 0x85678});
  sass.step("0x10", 3, "IABS R1, R8", {{"R8", 0xffff8000}}, {{"R1", 0x8000}});
  sass.step("0x20", 4, "IABS R2, R9", {{"R9", 0xffff8000}}, {{"R2", 0x8000}});
  sass.step("0x30", 6, "LOP3.LUT R3, R1, 0xffff, RZ, 0xc0, !PT", {{"R1", 0x8000}}, {{"R3", 0x8000}});
  sass.step("0x40", 5, extension, {{"R2", 0x8000}}, {{"R4", extended}});
  sass.step("0x50", 6, comparison, {{"R3", 0x8000}, {"R4", extended}, {"P1", 1}}, {{"P0", 0}});
  sass.step("0x60", 7, "SEL R5, R7, R6, P0", {{"R7", 0x85678}, {"R6", 0x71234}, {"P0", 0}},
            {{"R5", 0x71234}});
  store(sass, 8, "STG.E [R10], R5", {"R5", 0x71234});
  return explain(sass, ptx, 0, 0x34, 0x78);
}

TEST(ExplainParts, AnOperandThatIsExtendedInAnotherWay) {
  Explanation e = compared("PRMT R4, R2, 0x9910, RZ", 0xffff8000, "ISETP.GE.U32.AND P0, PT, R3, R4, P1");
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("PRMT R4, R2, 0x9910, RZ"));
  EXPECT_THAT(e.conclusion, HasSubstr("it makes R4 = 0xffff8000"));
}

TEST(ExplainParts, AComparisonOfWhatIsExtendedWell) {
  constexpr auto kWrong = "ISETP.GE.U32.AND P0, PT, R3, R4, PT";
  Explanation e = compared("PRMT R4, R2, 0x7710, RZ", 0x8000, kWrong);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre(kWrong));
}

/// Two halves, packed in one register, of which the low bytes are stored.
Explanation pairStored(std::uint64_t offset) {
  HandMade sass, ptx;
  ptx.step("line 5", 5, "cvt.rn.f16.f32 %rs1, %f1", {{"%f1", 0xc36f409b}}, {{"%rs1", 0xdb7a}});
  ptx.step("line 6", 6, "cvt.rn.f16.f32 %rs2, %f2", {{"%f2", 0x41d5dbba}}, {{"%rs2", 0x4eaf}});
  store(ptx, 9, "st.global.v2.u8 [%rd1], {%rs1, %rs2}",
        {offset ? "%rs2" : "%rs1", offset ? 0x4eafu : 0xdb7au}, 2);
  sass.step("0xa0", 1, "F2FP.F16.F32.PACK_AB R0, R7, R0", {{"R7", 0x41d5dbba}, {"R0", 0xc36f409b}},
            {{"R0", 0x4eafdb7a}});
  sass.step("0xb0", 9, "F2I.U8.F16.TRUNC.NTZ R6, R0", {{"R0", 0x4eafdb7a}}, {{"R6", 0}});
  sass.step("0xc0", 9, "F2I.U8.F16.TRUNC.NTZ R7, R0.H1", {{"R0", 0x4eafdb7a}}, {{"R7", 0x1a}});
  sass.step("0xd0", 9, "PRMT R7, R7, 0x7604, R6", {{"R7", 0x1a}, {"R6", 0}}, {{"R7", 0x1a00}});
  store(sass, 9, "STG.E.U16 [R4], R7", {"R7", 0x1a00}, 2);
  return offset ? explain(sass, ptx, offset, 0x1a, 0xaf) : explain(sass, ptx, 0, 0x00, 0x7a);
}

TEST(ExplainParts, PackedHalvesAndTheByteThatIsWrong) {
  Explanation low = pairStored(0), high = pairStored(1);
  EXPECT_THAT(partings(low.sassSteps), ElementsAre("F2I.U8.F16.TRUNC.NTZ R6, R0"));
  EXPECT_THAT(partings(high.sassSteps), ElementsAre("F2I.U8.F16.TRUNC.NTZ R7, R0.H1"));
  EXPECT_THAT(toText(low), HasSubstr("{%rs1, %rs2}"));
}

TEST(ExplainParts, AHalfThatIsRightHidesNotTheOther) {
  HandMade sass, ptx;
  ptx.step("line 3", 3, "max.s16x2 %r1, %r2, %r3", {{"%r2", 0}, {"%r3", 0x80000001}}, {{"%r1", 1}});
  ptx.step("line 4", 4, "mov.b32 %r4, {%rs3, %rs2}", {{"%rs3", 0x677a}, {"%rs2", 1}}, {{"%r4", 0x1677a}});
  store(ptx, 5, "st.global.u32 [%rd1], %r4", {"%r4", 0x1677a});
  sass.step("0x10", 3, "VIMNMX.S16x2 R0, R1, R2, !PT", {{"R1", 0}, {"R2", 0x80000001}}, {{"R0", 0}});
  sass.step("0x20", 4, "PRMT R5, R7, 0x5410, R0", {{"R7", 0x504e677a}, {"R0", 0}}, {{"R5", 0x677a}});
  store(sass, 5, "STG.E [R4], R5", {"R5", 0x677a});
  Explanation e = explain(sass, ptx, 2, 0x00, 0x01);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("VIMNMX.S16x2 R0, R1, R2, !PT"));
}

TEST(ExplainParts, ASmallHalfThatPtxReadsThereIsNoMatch) {
  HandMade sass, ptx;
  ptx.step("line 4", 4, "mov.b32 %r7, {%rs3, %rs6}", {{"%rs3", 1}, {"%rs6", 0}}, {{"%r7", 1}});
  store(ptx, 5, "st.global.u32 [%rd1], %r7", {"%r7", 1});
  sass.step("0x10", 4, "PRMT R7, R6, 0x5410, R9", {{"R6", 1}, {"R9", 1}}, {{"R7", 0x10001}});
  store(sass, 5, "STG.E [R4], R7", {"R7", 0x10001});
  Explanation e = explain(sass, ptx, 2, 0x01, 0x00);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("PRMT R7, R6, 0x5410, R9"));
}

TEST(ExplainParts, AConstantInPlaceOfWhatIsComputed) {
  HandMade sass, ptx;
  ptx.step("line 3", 3, "selp.b32 %r1, 1, 2, %p1", {{"%p1", 1}}, {{"%r1", 1}});
  store(ptx, 4, "st.global.u32 [%rd1], %r1", {"%r1", 1});
  sass.step("0x10", 2, "MOV R13, 0x2", {}, {{"R13", 2}});
  store(sass, 4, "STG.E [R4], R13", {"R13", 2});
  Explanation e = explain(sass, ptx, 0, 0x02, 0x01);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("MOV R13, 0x2"));
  EXPECT_THAT(partings(e.ptxSteps), ElementsAre("selp.b32 %r1, 1, 2, %p1"));
  EXPECT_THAT(e.conclusion, HasSubstr("'MOV R13, 0x2' at 0x10: it makes R13 = 0x2"));
}

// ---- words

Explanation anotherRegisterStored() {
  HandMade sass, ptx;
  ptx.step("line 3", 3, "mul.lo.s32 %r1, %r8, %r9", {{"%r8", 0x11111}, {"%r9", 0x22222}}, {{"%r1", 0x71234}});
  ptx.step("line 4", 4, "add.s32 %r2, %r8, %r9", {{"%r8", 0x11111}, {"%r9", 0x22222}}, {{"%r2", 0x85678}});
  store(ptx, 5, "st.global.u32 [%rd1], %r2", {"%r2", 0x85678});
  sass.step("0x10", 3, "IMAD R1, R8, R9, RZ", {{"R8", 0x11111}, {"R9", 0x22222}}, {{"R1", 0x71234}});
  store(sass, 5, "STG.E [R4], R1", {"R1", 0x71234});
  return explain(sass, ptx, 0, 0x34, 0x78);
}

TEST(ExplainParts, AStoreIsSaidToStore) {
  Explanation e = anotherRegisterStored();
  EXPECT_THAT(e.conclusion, HasSubstr("from R1 = 0x71234 (%r1) it stores 0x00071234 to global"));
  EXPECT_THAT(e.conclusion, Not(HasSubstr("makes a store")));
}

TEST(ExplainParts, LinesAreCutForTerminalsOnly) {
  Explanation e = anotherRegisterStored();
  e.sassSteps.front().reads.front().same = std::string(200, 'x') + " the end";
  EXPECT_THAT(toText(e), HasSubstr("the end"));
  EXPECT_THAT(toText(e), Not(HasSubstr("…")));
  std::string cut = toText(e, 80);
  EXPECT_THAT(cut, Not(HasSubstr("the end")));
  EXPECT_THAT(cut, HasSubstr("…"));
}

} // namespace
} // namespace harness::explain::test
