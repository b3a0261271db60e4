#include "harness/sass/observer.h"
#include "harness/sass/shared_races.h"

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

// ---- races

/// Each thread stores its number to shared memory and loads another thread's; `between` is what stands
/// between, `load` how the other is found (R2 is the thread, R4 to be the address).
std::vector<std::string> races(unsigned threads, const std::string& between, const std::string& load) {
  Assembly a(80);
  a.cubin.smVersion = 80;
  a.kernel.staticShared = 1024;
  a.lines("S2R R2, SR_TID.X\nSHF.L.U32 R3, R2, 0x2, RZ\nSTS [R3], R2");
  if (!between.empty()) a.lines(between);
  a.lines(load);
  a.lines("LDS R5, [R4]\nEXIT");
  SharedRaces observer;
  a.observer = &observer;
  ExecutionResult result = a.run(threads);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  return observer.reports();
}

constexpr const char* kNextWarp = "IADD3 R4, R3, 0x80, RZ\nLOP3.LUT R4, R4, 0xff, RZ, 0xc0, !PT";
constexpr const char* kSameWarp = "LOP3.LUT R4, R3, 0x4, RZ, 0x3c, !PT";

TEST(SassRaces, AMissingBarrier) {
  // Each warp reads what the other writes, and one of them comes first.
  auto between = [](const char* first, const char* second) {
    return AllOf(HasSubstr("shared memory race"), HasSubstr(first), HasSubstr(second));
  };
  EXPECT_THAT(races(64, "", kNextWarp),
              ElementsAre(between("'STS [R3], R2' of warp 1 overwrites", "'LDS R5, [R4]' of warp 0"),
                          between("'LDS R5, [R4]' of warp 1 reads", "'STS [R3], R2' of warp 0")));
}

TEST(SassRaces, ABarrierPutsThemInOrder) {
  EXPECT_THAT(races(64, "BAR.SYNC 0x0", kNextWarp), IsEmpty());
}

TEST(SassRaces, LanesOfAWarpAreInOrder) {
  EXPECT_THAT(races(64, "", kSameWarp), IsEmpty());
}

/// Warp 0 reads everybody's word, warp 1 then stores R5 into its own: `value` is what.
std::vector<std::string> writesAfterReads(const std::string& value) {
  return races(64, "BAR.SYNC 0x0\nISETP.GE.U32.AND P0, PT, R2, 0x20, PT\n" + value,
               std::string(kNextWarp) + "\n@!P0 LDS R5, [R4]\n@P0 STS [R3], R5\nMOV R4, R3");
}

TEST(SassRaces, AWriteAfterARead) {
  EXPECT_THAT(writesAfterReads("IADD3 R5, R2, 0x1, RZ"),
              ElementsAre(AllOf(HasSubstr("STS [R3], R5"), HasSubstr("overwrites what is read by"))));
}

TEST(SassRaces, WritingWhatIsThereIsNoRace) {
  EXPECT_THAT(writesAfterReads("MOV R5, R2"), IsEmpty());
}

/// A warp's atomic publishes what it has stored; a load of the same word, or another atomic, takes it in.
std::vector<std::string> publishes(const std::string& take) {
  return races(64, "MOV R6, 0x1\nATOMS.ADD R7, [0x200], R6\n" + take,
               "ISETP.GE.U32.AND P0, PT, R2, 0x20, PT\nIADD3 R4, R3, -0x80, RZ\n@!P0 MOV R4, R3");
}

TEST(SassRaces, AtomicsOnOneAddressPutWarpsInOrder) {
  EXPECT_THAT(publishes("NOP"), IsEmpty()) << "warp 1 comes later, and has made its own";
}

TEST(SassRaces, ALoadOfWhatAtomicsWorkOnTakesIn) {
  auto ofWarp1 = [](const std::string& take) {
    return races(
        64, "MOV R6, 0x1\nISETP.GE.U32.AND P0, PT, R2, 0x20, PT\n@!P0 ATOMS.ADD R7, [0x200], R6\n" + take,
        "IADD3 R4, R3, -0x80, RZ\n@!P0 MOV R4, R3");
  };
  EXPECT_THAT(ofWarp1("NOP"), ElementsAre(HasSubstr("LDS R5, [R4]")));
  EXPECT_THAT(ofWarp1("LDS R7, [0x200]"), IsEmpty());
  EXPECT_THAT(ofWarp1("LDS R7, [0x210]"), ElementsAre(HasSubstr("LDS R5, [R4]")));
}

TEST(SassRaces, APartOfAWarpAtABarrier) {
  Assembly a(80);
  a.lines("S2R R2, SR_TID.X\nISETP.LT.U32.AND P0, PT, R2, 0x10, PT\n@P0 BRA {other}\nBAR.SYNC 0x0\nEXIT");
  a.label("other").lines("BAR.SYNC 0x0\nEXIT");
  SharedRaces observer;
  a.observer = &observer;
  a.run(32);
  EXPECT_THAT(observer.reports(),
              ElementsAre(AllOf(HasSubstr("BAR.SYNC 0x0"), HasSubstr("0xffff0000 of the 0xffffffff")),
                          HasSubstr("0x0000ffff of the 0xffffffff")));
}

// ---- what nobody has written

TEST(SassUnwritten, ARegisterThatIsStored) {
  Assembly a;
  a.buffer("out", {});
  a.pointer(2, "out").add("STG.E " + a.at(2) + ", R9").add("EXIT");
  EXPECT_THAT(a.findUnwritten(1),
              Optional(AllOf(HasSubstr("STG.E"), HasSubstr("stores a value"), HasSubstr("lane 0 of warp 0"),
                             HasSubstr("0xaaaaaaaa"), HasSubstr("0x55555555"))));
}

TEST(SassUnwritten, OnlyTheStoredPartCounts) {
  Assembly a;
  a.buffer("out", {});
  a.lines("PRMT R9, R9, 0x4440, RZ\nLOP3.LUT R9, R9, 0xff00, R9, 0xc0, !PT");
  a.pointer(2, "out").add("STG.E.U8 " + a.at(2) + ", R9").add("EXIT");
  EXPECT_EQ(a.findUnwritten(1), std::nullopt);
}

TEST(SassUnwritten, APredicateThatBranches) {
  Assembly a;
  a.buffer("out", {});
  a.lines("@P3 BRA {end}\nNOP").label("end").add("EXIT");
  EXPECT_THAT(a.findUnwritten(32), Optional(AllOf(HasSubstr("@P3 BRA"), HasSubstr("branches"))));
}

TEST(SassUnwritten, SharedMemoryAsAnAddress) {
  Assembly a(80);
  a.kernel.staticShared = 64;
  a.lines("LDS R4, [RZ]\nLOP3.LUT R4, R4, 0xc, RZ, 0xc0, !PT\nLDS R5, [R4]\nEXIT");
  EXPECT_THAT(a.findUnwritten(1),
              Optional(AllOf(HasSubstr("LDS R5, [R4]"), HasSubstr("accesses an address"))));
}

TEST(SassUnwritten, AnOutputThatIsRead) {
  Assembly a;
  a.buffer("out", {});
  a.pointer(2, "out").lines("LDG.E R4, " + a.at(2)).lines("STG.E " + a.at(2, 8) + ", R4\nEXIT");
  EXPECT_THAT(a.findUnwritten(1), Optional(HasSubstr("stores a value")));
}

TEST(SassUnwritten, NothingWhereAllIsWritten) {
  Assembly a(80);
  a.buffer("in", std::vector<std::uint32_t>(32, 7)).buffer("out", {});
  a.kernel.staticShared = 128;
  a.lines("S2R R1, SR_TID.X\nSHF.L.U32 R8, R1, 0x2, RZ\nSTS [R8], R1\nLDS R9, [R8]");
  a.pointer(2, "in").pointer(4, "out");
  a.lines("IMAD.WIDE.U32 R2, R1, 0x4, R2\nIMAD.WIDE.U32 R4, R1, 0x4, R4\nLDG.E R6, " + a.at(2));
  a.lines("IADD3 R6, R6, R9, RZ\nSTG.E " + a.at(4) + ", R6\nEXIT");
  EXPECT_EQ(a.findUnwritten(32), std::nullopt);
}

TEST(SassObserver, SeesWithoutChangingAnything) {
  Assembly a(80);
  a.buffer("out", std::vector<std::uint32_t>(32));
  a.pointer(2, "out").lines("S2R R1, SR_TID.X\nIMAD.WIDE.U32 R2, R1, 0x4, R2\nSTG.E " + a.at(2) +
                            ", R1\nEXIT");
  ExecutionResult plain = a.run(32);
  auto words = a.words("out");
  SharedRaces observer;
  a.observer = &observer;
  ExecutionResult watched = a.run(32);
  EXPECT_EQ(a.words("out"), words);
  EXPECT_EQ(watched.threadInstructions, plain.threadInstructions);
}

} // namespace
} // namespace harness::sass::test
