#include "harness/sass/register_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass {
namespace {

using testing::UnorderedElementsAre;

std::vector<std::string> names(const std::vector<RegisterRange>& ranges) {
  std::vector<std::string> result;
  for (const RegisterRange& range : ranges)
    result.push_back(range.str());
  return result;
}

std::vector<std::string> readsOf(std::string_view text) {
  return names(accessOf(*parseInstruction(text)).reads);
}
std::vector<std::string> writesOf(std::string_view text) {
  return names(accessOf(*parseInstruction(text)).writes);
}

TEST(SassAccess, ResultsAndSources) {
  EXPECT_THAT(writesOf("IADD3 R4, P0, PT, R5, -R6.reuse, RZ"), UnorderedElementsAre("R4"));
  EXPECT_THAT(readsOf("@!P1 IADD3.X R4, R5, c[0x0][0x160], RZ, P0, !PT"),
              UnorderedElementsAre("P1", "R5", "P0"));
  EXPECT_THAT(writesOf("ISETP.NE.AND P0, PT, R4, UR5, PT"), UnorderedElementsAre("P0"));
  EXPECT_THAT(readsOf("ISETP.NE.AND P0, PT, R4, UR5, P2"), UnorderedElementsAre("R4", "UR5", "P2"));
  EXPECT_THAT(writesOf("VOTE.ANY P0, P1"), UnorderedElementsAre("P0"));
  EXPECT_THAT(readsOf("VOTE.ANY P0, P1"), UnorderedElementsAre("P1"));
  EXPECT_THAT(writesOf("SHFL.BFLY P0, R14, R15, R16, 0x1f"), UnorderedElementsAre("P0", "R14"));
  EXPECT_THAT(writesOf("R2UR UR4, R10"), UnorderedElementsAre("UR4"));
}

TEST(SassAccess, Addresses) {
  EXPECT_THAT(readsOf("LDG.E R5, desc[UR4][R6.64+0x8]"), UnorderedElementsAre("UR4-UR5", "R6-R7"));
  EXPECT_THAT(readsOf("LDG.E.U8.SYS R5, [R6.U32+UR4]"), UnorderedElementsAre("UR4", "R6"));
  EXPECT_THAT(readsOf("LDC.64 R6, c[0x3][R0+0x10]"), UnorderedElementsAre("R0"));
  EXPECT_THAT(readsOf("STS.64 [R3+UR6], R8"), UnorderedElementsAre("R3", "UR6", "R8-R9"));
}

TEST(SassAccess, Groups) {
  EXPECT_THAT(writesOf("LDG.E.128.SYS R8, [R2]"), UnorderedElementsAre("R8-R11"));
  EXPECT_THAT(writesOf("LDSM.16.M88.4 R4, [R0]"), UnorderedElementsAre("R4-R7"));
  EXPECT_THAT(writesOf("STG.E.64 [R4.64], R8"), UnorderedElementsAre());
  EXPECT_THAT(readsOf("RED.E.ADD.F64.RN.STRONG.GPU [R8.64], R16"), UnorderedElementsAre("R8-R9", "R16-R17"));
  EXPECT_THAT(writesOf("DFMA R18, R16, -R20, 0.0625"), UnorderedElementsAre("R18-R19"));
  EXPECT_THAT(readsOf("DFMA R18, R16, -R20, 0.0625"), UnorderedElementsAre("R16-R17", "R20-R21"));
  EXPECT_THAT(readsOf("DSETP.GT.AND P0, PT, |R4|, R6, PT"), UnorderedElementsAre("R4-R5", "R6-R7"));
  EXPECT_THAT(writesOf("IMAD.WIDE.U32 R4, R6, R7, R8"), UnorderedElementsAre("R4-R5"));
  EXPECT_THAT(readsOf("IMAD.WIDE.U32 R4, R6, R7, R8"), UnorderedElementsAre("R6", "R7", "R8-R9"));
  EXPECT_THAT(readsOf("IMAD.WIDE R4, R6, R7, c[0x0][0x168]"), UnorderedElementsAre("R6", "R7"));
  EXPECT_THAT(writesOf("CS2R R4, SRZ"), UnorderedElementsAre("R4-R5"));
  EXPECT_THAT(writesOf("CS2R.32 R4, SR_CLOCKLO"), UnorderedElementsAre("R4"));
  EXPECT_THAT(readsOf("IADD.64 R4, R6, UR8"), UnorderedElementsAre("R6-R7", "UR8-UR9"));
}

TEST(SassAccess, Matrices) {
  EXPECT_THAT(writesOf("HMMA.16816.F32 R4, R8, R12, R16"), UnorderedElementsAre("R4-R7"));
  EXPECT_THAT(readsOf("HMMA.16816.F32 R4, R8, R12, R16"),
              UnorderedElementsAre("R8-R11", "R12-R13", "R16-R19"));
  EXPECT_THAT(writesOf("HMMA.1688.F16 R4, R8, R12, RZ"), UnorderedElementsAre("R4-R5"));
  EXPECT_THAT(readsOf("HMMA.1688.F16 R4, R8, R12, RZ"), UnorderedElementsAre("R8-R9", "R12"));
  EXPECT_THAT(readsOf("HMMA.884.F32.F16.STEP2 R8, R2.ROW, R4.COL, R10"),
              UnorderedElementsAre("R2-R3", "R4-R5", "R10-R11"));
  EXPECT_THAT(readsOf("IMMA.8816.S8.S8 R4, R0.ROW, R11.COL, R6"), UnorderedElementsAre("R0", "R11", "R6-R7"));
  EXPECT_THAT(writesOf("DMMA.16x8x16 R8, R16, R32, R8"), UnorderedElementsAre("R8-R15"));
  EXPECT_THAT(readsOf("DMMA.16x8x16 R8, R16, R32, R8"), UnorderedElementsAre("R16-R31", "R32-R39", "R8-R15"));
  EXPECT_THAT(readsOf("BMMA.168256.AND.POPC R4, R4.ROW, R8.COL, R12"),
              UnorderedElementsAre("R4-R7", "R8-R9", "R12-R15"));
  EXPECT_THAT(readsOf("OMMA.SF.16864.F32.E2M1.E2M1.E8 R4, R4, R8, R12, R0, R1, UR6"),
              UnorderedElementsAre("R4-R7", "R8-R9", "R12-R15", "R0", "R1", "UR6"));
  EXPECT_THAT(readsOf("HMMA.SP.16832.F32 R4, R8, R12, R16, R20, 0x0"),
              UnorderedElementsAre("R8", "R12", "R16", "R20")); // how many is not known
}

TEST(SassAccess, Conversions) {
  EXPECT_THAT(writesOf("F2F.F64.F32 R4, R6"), UnorderedElementsAre("R4-R5"));
  EXPECT_THAT(readsOf("F2F.F32.F64 R4, R6"), UnorderedElementsAre("R6-R7"));
  EXPECT_THAT(readsOf("F2I.F64.TRUNC R4, R6"), UnorderedElementsAre("R6-R7"));
  EXPECT_THAT(writesOf("F2I.S64.TRUNC R4, R6"), UnorderedElementsAre("R4-R5"));
  EXPECT_THAT(writesOf("I2F.F64 R4, R6"), UnorderedElementsAre("R4-R5"));
  EXPECT_THAT(readsOf("I2F.F64 R4, R6"), UnorderedElementsAre("R6"));
  EXPECT_THAT(readsOf("I2F.U64 R4, R6"), UnorderedElementsAre("R6-R7"));
  EXPECT_THAT(writesOf("FRND.F64.FLOOR R4, R6"), UnorderedElementsAre("R4-R5"));
}

TEST(SassAccess, ZeroesAndWhatIsNotKnown) {
  RegisterAccess none = accessOf(*parseInstruction("ATOMS.ADD RZ, [RZ], RZ"));
  EXPECT_TRUE(none.known);
  EXPECT_THAT(none.reads, testing::IsEmpty());
  EXPECT_THAT(none.writes, testing::IsEmpty());
  RegisterAccess unknown = accessOf(*parseInstruction("FROB.X R4, R5"));
  EXPECT_FALSE(unknown.known);
  EXPECT_THAT(unknown.reads, testing::IsEmpty());
  EXPECT_THAT(unknown.writes, testing::IsEmpty());
}

} // namespace
} // namespace harness::sass
