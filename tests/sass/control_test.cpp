// Divergence, convergence, calls and barriers.

#include "tests/sass/paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using u32 = std::uint32_t;

// ---- branches

constexpr const char* kIfElse = R"(
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    BSSY B0, {join}
    @P0 BRA {else}
    {seq 20}
    BRA {join}
  else:
    {seq 20}
  join:
    BSYNC B0
    {seq 21}
    {end})";

TEST(SassControl, FallThroughRunsFirst) {
  Paths paths(kIfElse);
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 16 ? 0u : 1u; }));
  EXPECT_THAT(paths.words(1), Each(2)) << "all together after BSYNC";
}

TEST(SassControl, TakenRunsFirst) {
  Paths paths(kIfElse);
  paths.run(Schedule::TakenFirst);
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 16 ? 1u : 0u; }));
  EXPECT_THAT(paths.words(1), Each(2));
}

TEST(SassControl, UniformBranchesDoNotDiverge) {
  Paths taken("ISETP.GE.AND P0, PT, R0, RZ, PT\n@P0 BRA {over}\n{seq 20}\nover:\n{seq 21}\n{end}");
  taken.run();
  EXPECT_THAT(taken.words(1), Each(0));
  Paths through("ISETP.LT.AND P0, PT, R0, RZ, PT\n@P0 BRA {over}\n{seq 20}\nover:\n{seq 21}\n{end}");
  through.run();
  EXPECT_THAT(through.words(1), Each(1));
}

constexpr const char* kTree = R"(
    LOP3.LUT P0, RZ, R0, 0x2, RZ, 0xc0, !PT
    LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT
    @P0 BRA {high}
    @P1 BRA {one}
    {seq 20}
    {end}
  one:
    {seq 20}
    {end}
  high:
    @P1 BRA {three}
    {seq 20}
    {end}
  three:
    {seq 20}
    {end})";

TEST(SassControl, DepthFirst) {
  Paths paths(kTree, 4);
  paths.run();
  EXPECT_EQ(paths.words(0), (std::vector<u32>{0, 1, 2, 3}));
  paths.run(Schedule::TakenFirst);
  EXPECT_EQ(paths.words(0), (std::vector<u32>{3, 2, 1, 0}));
}

/// Paths that come to one place merge only at BSYNC, WARPSYNC and BAR.
TEST(SassControl, NoMergingWithoutABarrier) {
  Paths paths("ISETP.GE.AND P0, PT, R0, 0x10, PT\n@P0 BRA {join}\nNOP\njoin:\n{seq 20}\n{end}");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 16 ? 0u : 1u; }));
}

TEST(SassControl, BranchWithTwoPredicates) {
  Paths paths(R"(
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT
    @P0 BRA !P1, {over}
    MOV R20, 0x1
  over:
    {end})");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i >= 16 && i % 2 == 0 ? 0u : 1u; }));
}

/// Every lane goes round as often as its number.
constexpr const char* kLoop = R"(
    MOV R10, R0
    BSSY B0, {join}
  loop:
    ISETP.EQ.AND P0, PT, R10, RZ, PT
    @P0 BRA {join}
    IADD3 R10, R10, -0x1, RZ
    IADD3 R20, R20, 0x3, RZ
    BRA {loop}
  join:
    BSYNC B0
    {seq 21}
    {end})";

TEST(SassControl, LoopsOfDifferentLength) {
  for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::TakenFirst}) {
    Paths paths(kLoop);
    paths.run(schedule);
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return 3 * i; }));
    EXPECT_THAT(paths.words(1), Each(0)) << "all together";
  }
}

TEST(SassControl, NestedRegions) {
  for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::TakenFirst}) {
    Paths paths(R"(
      LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
      LOP3.LUT P1, RZ, R0, 0x2, RZ, 0xc0, !PT
      BSSY B0, {outer}
      @P0 BRA {outer}
      BSSY B1, {inner}
      @P1 BRA {inner}
      IADD3 R20, R20, 0x1, RZ
    inner:
      BSYNC B1
      {seq 21}
      IADD3 R20, R20, 0x10, RZ
    outer:
      BSYNC B0
      {seq 22}
      {end})");
    paths.run(schedule);
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i % 2 ? 0u : i % 4 ? 0x10u : 0x11u; }));
    EXPECT_EQ(paths.words(1), lanes(32, [](u32) { return 0u; })) << "the even lanes are together";
    EXPECT_THAT(paths.words(2), Each(1));
  }
}

/// A register of the warp, not of a lane: every path adds once.
TEST(SassControl, UniformRegistersBelongToTheWarp) {
  Paths paths(R"(
    UMOV UR6, 0x5
    ISETP.GE.AND P0, PT, R0, 0x1f, PT
    BSSY B0, {join}
    @P0 BRA {else}
    UIADD3 UR6, UR6, 0x10, URZ
    MOV R20, UR6
    BRA {join}
  else:
    UIADD3 UR6, UR6, 0x100, URZ
    MOV R20, UR6
  join:
    BSYNC B0
    MOV R21, UR6
    {end})");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 31 ? 0x15u : 0x115u; }));
  EXPECT_THAT(paths.words(1), Each(0x115));
  paths.run(Schedule::TakenFirst);
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 31 ? 0x115u : 0x105u; }));
}

TEST(SassControl, UniformGuard) {
  Paths paths(R"(
    UMOV UR6, 0x5
    @!UPT UMOV UR6, 0x6
    UISETP.EQ.AND UP1, UPT, UR6, 0x5, UPT
    @UP1 UIADD3 UR6, UR6, 0x10, URZ
    @!UP1 UIADD3 UR6, UR6, 0x100, URZ
    MOV R20, UR6
    @UP1 MOV R21, 0x7
    @!UP1 MOV R21, 0x8
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(0x15));
  EXPECT_THAT(paths.words(1), Each(7));
}

TEST(SassControl, R2urTakesTheLowestActiveLane) {
  Paths paths(R"(
    UMOV UR6, 0x77
    ISETP.GE.AND P0, PT, R0, 0x9, PT
    @P0 R2UR UR6, R0
    MOV R20, UR6
    @!PT R2UR UR6, R0
    MOV R21, UR6
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(9));
  EXPECT_THAT(paths.words(1), Each(9));
}

// ---- convergence barriers

TEST(SassControl, ExitLeavesTheGroup) {
  for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::TakenFirst}) {
    Paths paths(R"(
      ISETP.GE.AND P0, PT, R0, 0x8, PT
      ISETP.GE.AND P1, PT, R0, 0x10, PT
      BSSY B0, {join}
      @!P0 BRA {leave}
      @P1 BRA {join}
      MOV R20, 0x1
      BRA {join}
    leave:
      {seq 22}
      STG.E.128 desc[UR4][R4.64], R20
      EXIT
    join:
      BSYNC B0
      {seq 21}
      {end})");
    paths.run(schedule);
    std::vector<u32> together = paths.words(1);
    for (u32 i = 9; i < 32; ++i)
      EXPECT_EQ(together[i], together[8]);
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i >= 8 && i < 16 ? 1u : 0u; }));
  }
}

TEST(SassControl, PredicatedExit) {
  Paths paths("ISETP.GE.AND P0, PT, R0, 0x8, PT\n@P0 EXIT\nMOV R20, 0x1\n{end}");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 8 ? 1u : 0u; }));
}

/// A lane that breaks out is not waited for.
TEST(SassControl, BreakLeavesTheGroup) {
  for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::TakenFirst}) {
    for (const char* kind : {"@P0 BREAK B0", "BREAK P0, B0", "@P0 BREAK.RELIABLE B0"}) {
      Paths paths(std::string(R"(
      ISETP.LT.AND P0, PT, R0, 0x8, PT
      ISETP.LT.AND P1, PT, R0, 0x10, PT
      BSSY B0, {join}
      @!P1 BRA {join}
      )") + kind + R"(
      @P0 BRA {out}
    join:
      BSYNC B0
      {seq 20}
      BAR.SYNC 0x0
      {end}
    out:
      {seq 21}
      BAR.SYNC 0x0
      {end})");
      paths.run(schedule);
      std::vector<u32> first = paths.words(0);
      for (u32 i = 9; i < 32; ++i)
        EXPECT_EQ(first[i], first[8]) << kind;
    }
  }
}

/// A lane that executes BSSY on a barrier again, without having passed BSYNC, no longer counts for those who
/// wait with the old group (seen in the results of a real device).
TEST(SassControl, ReentryLeavesTheOldGroup) {
  Paths paths(R"(
    ISETP.EQ.AND P0, PT, R0, RZ, PT
    BSSY B0, {join}
    @P0 BRA {again}
  join:
    BSYNC B0
    {seq 20}
    BAR.SYNC 0x0
    {end}
  again:
    BSSY B0, {join2}
    BAR.SYNC 0x0
    {seq 20}
  join2:
    BSYNC B0
    {seq 21}
    {end})",
              3);
  paths.run();
  // Lanes 1 and 2 wait at BSYNC first; lane 0 waits for them at BAR: they can only come by going on alone.
  std::vector<u32> order = paths.words(0);
  EXPECT_EQ(order[1], 0u);
  EXPECT_EQ(order[2], 0u);
  EXPECT_EQ(order[0], 1u);
  EXPECT_EQ(paths.words(1)[0], 2u) << "its own group is only itself";
}

/// Lanes that enter one after another make groups of their own.
TEST(SassControl, GroupsOfOneBarrierAreApart) {
  Paths paths(R"(
    ISETP.GE.AND P0, PT, R0, 0x2, PT
    @P0 BRA {second}
    BSSY B0, {join}
    BRA {join}
  second:
    BSSY B0, {join}
    NOP
  join:
    BSYNC B0
    {seq 20}
    {end})",
              4);
  paths.run();
  EXPECT_EQ(paths.words(0), (std::vector<u32>{0, 0, 1, 1}));
}

/// A function that needs a barrier of its caller saves it (as -G code does with B6): the lanes that did not
/// call wait for those that did.
TEST(SassControl, SavedBarrierIsKept) {
  for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::TakenFirst}) {
    Paths paths(R"(
      LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
      BSSY B6, {join}
      @P0 BRA {join}
      MOV R12, {back}
      MOV R13, RZ
      CALL.REL.NOINC {function}
    back:
      IADD3 R20, R20, 0x100, RZ
    join:
      BSYNC B6
      {seq 21}
      BAR.SYNC 0x0
      {end}
    function:
      BMOV.32.CLEAR R17, B6
      LOP3.LUT P1, RZ, R0, 0x2, RZ, 0xc0, !PT
      BSSY B6, {inner}
      @P1 BRA {inner}
      IADD3 R20, R20, 0x1, RZ
    inner:
      BSYNC B6
      {seq 22}
      BMOV.32 B6, R17
      RET.REL.NODEC R12 0x0)");
    paths.run(schedule);
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i % 2 ? 0u : i % 4 ? 0x100u : 0x101u; }));
    EXPECT_THAT(paths.words(2), Each(0)) << "callers are together in the function";
    EXPECT_THAT(paths.words(1), Each(1)) << "and all after the call";
  }
}

/// The same, called by itself: what was saved last comes back first.
TEST(SassControl, SavedBarriersNest) {
  Paths paths(R"(
      LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
      BSSY B6, {join}
      @P0 BRA {join}
      MOV R12, {back}
      MOV R13, RZ
      BRA {function}
    back:
      NOP
    join:
      BSYNC B6
      {seq 21}
      {end}
    function:
      BMOV.32.CLEAR R17, B6
      LOP3.LUT P1, RZ, R0, 0x2, RZ, 0xc0, !PT
      BSSY B6, {inner}
      @P1 BRA {inner}
      MOV R14, {back2}
      MOV R15, RZ
      BRA {function2}
    back2:
      NOP
    inner:
      BSYNC B6
      {seq 22}
      BMOV.32 B6, R17
      RET.REL.NODEC R12 0x0
    function2:
      BMOV.32.CLEAR R18, B6
      LOP3.LUT P1, RZ, R0, 0x4, RZ, 0xc0, !PT
      BSSY B6, {inner2}
      @P1 BRA {inner2}
      NOP
    inner2:
      BSYNC B6
      {seq 23}
      BMOV.32 B6, R18
      RET.REL.NODEC R14 0x0)");
  paths.run();
  EXPECT_THAT(paths.words(3), Each(0));
  EXPECT_EQ(paths.words(2), lanes(32, [](u32 i) { return i % 2 ? 0u : 1u; }));
  EXPECT_THAT(paths.words(1), Each(2));
}

/// What sm_87 code starts with: all barriers emptied one after another. Nobody waits afterwards.
TEST(SassControl, BarriersEmptiedAtTheStart) {
  Paths paths(R"(
    BMOV.32 B0, 0xffffffff
    BMOV.32.CLEAR B1, B0
    BMOV.32.CLEAR B2, B1
    BMOV.32 B2, 0x0
    ISETP.EQ.AND P0, PT, R0, RZ, PT
    @P0 EXIT
    BSYNC B0
    BSYNC B1
    BSYNC B2
    MOV R20, 0x1
    {end})");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i ? 1u : 0u; }));
}

TEST(SassControl, ClearedBarrierIsNotWaitedFor) {
  Paths paths(R"(
    ISETP.EQ.AND P0, PT, R0, RZ, PT
    BSSY B6, {join}
    @P0 BRA {join}
    BMOV.32.CLEAR RZ, B6
    BAR.SYNC 0x0
    {end}
  join:
    BSYNC B6
    MOV R20, 0x1
    BAR.SYNC 0x0
    {end})",
              4);
  paths.run(Schedule::TakenFirst);
  EXPECT_EQ(paths.words(0), (std::vector<u32>{1, 0, 0, 0}));
}

// ---- BRA.CONV, BRA.DIV

/// Of warps whose lanes are all there; what the hardware says of one with exited lanes has not been settled
/// (both ways lead to right code, so nothing depends on it).
TEST(SassControl, BraConvAndDiv) {
  for (bool diverged : {false, true})
    for (const char* form : {"BRA.CONV ~URZ, {taken}", "BRA.CONV {taken}", "BRA.CONV UR6, {taken}",
                             "BRA.DIV ~URZ, {taken}", "BRA.DIV UR6, {taken}"}) {
      Paths paths(std::string("UMOV UR6, -0x1\nISETP.GE.AND P0, PT, R0, 0x10, PT\n") +
                  (diverged ? "@P0 BRA {split}\n" : "") + "split:\n" + form +
                  "\nMOV R20, 0x1\ntaken:\n{end}");
      paths.run();
      bool converges = std::string(form).find("CONV") != std::string::npos;
      EXPECT_THAT(paths.words(0), Each(converges == diverged ? 1 : 0)) << form << diverged;
    }
}

TEST(SassControl, BraUniform) {
  Paths paths(R"(
    UISETP.NE.AND UP1, UPT, URZ, URZ, UPT
    UISETP.EQ.AND UP2, UPT, URZ, URZ, UPT
    BRA.U UP1, {bad}
    BRA.U !UP1, {first}
  bad:
    MOV R20, 0xbad
  first:
    BRA.U UP2, {second}
    MOV R21, 0xbad
  second:
    BRA.U {third}
    MOV R22, 0xbad
  third:
    {end})");
  paths.run();
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_THAT(paths.words(i), Each(0));
  // That lanes disagree is not meant to be.
  Paths divergent("ISETP.GE.AND P0, PT, R0, 0x10, PT\n@P0 BRA.U {on}\non:\n{end}");
  EXPECT_EQ(divergent.fail().end, ExecutionEnd::Unsupported);
}

/// All lanes go if one wants to.
TEST(SassControl, BraAny) {
  for (u32 limit : {0u, 31u, 32u}) {
    Paths paths("MOV R10, " + llvm::formatv("{0:x}", limit).str() + R"(
    ISETP.GE.U32.AND P0, PT, R0, R10, PT
    @P0 BRA.U.ANY {taken}
    MOV R20, 0x1
  taken:
    {seq 21}
    {end})");
    paths.run();
    EXPECT_THAT(paths.words(0), Each(limit < 32 ? 0 : 1)) << limit;
    EXPECT_THAT(paths.words(1), Each(0));
  }
}

/// A loop over the lanes' different values, as ptxas writes it around what takes only uniform registers.
TEST(SassControl, LoopOverDifferentValues) {
  Paths paths(R"(
    LOP3.LUT R10, R0, 0x3, RZ, 0xc0, !PT
    SHF.R.U32.HI R11, RZ, 0x4, R0
    PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x8
    UMOV UR8, URZ
  loop:
    @P0 R2UR P1, UR6, R10
    @P0 R2UR.OR P1, UR7, R11
    UIADD3 UR8, UR8, 0x1, URZ
    PLOP3.LUT P4, PT, P0, P1, PT, 0x20, 0x0
    @P4 MOV R20, UR8
    PLOP3.LUT P0, PT, P0, P1, PT, 0x80, 0x0
    @P0 BRA.U.ANY {loop}
    MOV R21, UR8
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(1), Each(8)) << "eight different pairs";
  // A lane's turn is when its pair is the lowest one's that is left: pairs in order of first lane.
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i % 4 + i / 16 * 4 + 1; }));
}

TEST(SassControl, BranchTable) {
  for (const char* branch : {"BRX R8 -{next}\nnext:\nNOP", "JMX R10 0x0"}) {
    Paths paths(R"(
    LOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT
    ISETP.EQ.AND P0, PT, R9, RZ, PT
    MOV R8, {odd}
    @P0 MOV R8, {even}
    MOV R9, RZ
    MOV R10, {abs:odd}
    @P0 MOV R10, {abs:even}
    MOV R11, RZ
    BRA {go}
  even:
    MOV R20, 0x2
    {end}
  odd:
    MOV R20, 0x1
    {end}
  go:
    )" + std::string(branch));
    paths.run();
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return 2 - i % 2; })) << branch;
  }
}

TEST(SassControl, CallThroughARegister) {
  for (const char* call : {"MOV R6, {function}\nMOV R7, RZ\nCALL.REL.NOINC R6 0x0",
                           "MOV R6, {abs:function}\nMOV R7, RZ\nCALL.ABS.NOINC R6"}) {
    Paths paths("MOV R8, {back}\nMOV R9, RZ\n" + std::string(call) + R"(
    MOV R21, 0xbad
  back:
    {end}
  function:
    MOV R20, 0x7
    RET.REL.NODEC R8 0x0)");
    paths.run();
    EXPECT_THAT(paths.words(0), Each(7)) << call;
    EXPECT_THAT(paths.words(1), Each(0)) << call;
  }
}

/// The return address of a call of a function elsewhere: as computed up to sm_89, and as given from sm_90 on.
TEST(SassControl, AddressesOfInstructions) {
  Assembly a(80);
  a.buffer("out", {0, 0}).pointer(4, "out");
  a.lines("here:\nLEPC R8\nSTG.E.64 [R4.64], R8\nEXIT");
  ASSERT_EQ(a.run(1).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("out"), (std::vector<u32>{Assembly::kBase + 2 * 16, 0}));
  Paths paths(R"(
    LEPC R8, {back}
    CALL.ABS.NOINC {abs:function}
    MOV R21, 0xbad
  back:
    {end}
  function:
    MOV R20, 0x7
    RET.ABS.NODEC R8 0x0)");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(7));
  EXPECT_THAT(paths.words(1), Each(0));
}

TEST(SassControl, ExitOfSomeLanes) {
  for (const char* leave : {"EXIT P0", "@P0 EXIT", "@P1 EXIT P0", "EXIT.KEEPREFCOUNT P0", "@P0 KILL"}) {
    Paths paths("ISETP.GE.AND P0, PT, R0, 0x8, PT\nISETP.GE.AND P1, PT, R0, 0x4, PT\n" + std::string(leave) +
                "\nMOV R20, 0x1\n{end}");
    paths.run();
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 8 ? 1u : 0u; })) << leave;
  }
}

/// As ptxas asks whether all lanes have one mask and are there.
TEST(SassControl, BraDivOfAMaskALane) {
  Paths paths(R"(
    MOV R10, -0x1
    REDUX.OR UR5, R10
    R2UR P1, URZ, R10
    @!P1 BRA.DIV UR5, {bad}
    MOV R20, 0x1
  bad:
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(1));
  Paths differ("R2UR P1, URZ, R0\n@!P1 BRA.DIV ~URZ, {on}\non:\n{end}");
  EXPECT_EQ(differ.fail().end, ExecutionEnd::Unsupported);
}

/// ptxas keeps values in the register of the return address.
TEST(SassControl, ReturnAddressRegisterKeepsValuesOfEveryLane) {
  Paths paths(R"(
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    IADD3 R10, R0, 0x100, RZ
    RPCMOV.32 Rpc.LO, R0
    RPCMOV.32 Rpc.HI, R0
    @P0 RPCMOV.32 Rpc.HI, R10
    MOV R0, RZ
    RPCMOV.32 R20, Rpc.LO
    RPCMOV.32 R21, Rpc.HI
    {end})");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i; }));
  EXPECT_EQ(paths.words(1), lanes(32, [](u32 i) { return i < 16 ? i : i + 0x100; }));
}

// ---- calls

TEST(SassControl, CallAndReturnRelative) {
  Paths paths(R"(
    MOV R8, {back}
    MOV R9, RZ
    CALL.REL.NOINC {function}
    MOV R21, 0xbad
  back:
    {end}
  function:
    MOV R20, 0x7
    RET.REL.NODEC R8 0x0)");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(7));
  EXPECT_THAT(paths.words(1), Each(0));
}

/// Addresses of ABS forms count from the start of the code space, not of the section.
TEST(SassControl, CallAndReturnAbsolute) {
  Paths paths(R"(
    MOV R8, {abs:back}
    MOV R9, RZ
    CALL.ABS.NOINC {abs:function}
    MOV R21, 0xbad
  back:
    {end}
  function:
    MOV R20, 0x7
    RET.ABS.NODEC R8 0x0)");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(7));
  EXPECT_THAT(paths.words(1), Each(0));
}

TEST(SassControl, ReturnAddsThePrintedNumber) {
  Paths paths(R"(
    MOV R8, {back}
    IADD3 R8, R8, -0x10, RZ
    SHF.R.S32.HI R9, RZ, 0x1f, R8
    RET.REL.NODEC R8 0x10
    MOV R20, 0xbad
  back:
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(0));
}

TEST(SassControl, DivergentReturn) {
  Paths paths(R"(
    LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
    BSSY B0, {join}
    MOV R8, {even}
    @P0 MOV R8, {odd}
    MOV R9, RZ
    RET.REL.NODEC R8 0x0
  even:
    {seq 20}
    BRA {join}
  odd:
    {seq 20}
    IADD3 R21, R21, 0x1, RZ
  join:
    BSYNC B0
    {seq 22}
    {end})");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i % 2; })) << "the lowest lane's target first";
  EXPECT_EQ(paths.words(1), lanes(32, [](u32 i) { return i % 2; }));
  EXPECT_THAT(paths.words(2), Each(2));
}

TEST(SassControl, PredicatedReturn) {
  Paths paths(R"(
    ISETP.LT.AND P0, PT, R0, 0x8, PT
    MOV R8, {over}
    MOV R9, RZ
    @P0 RET.REL.NODEC R8 0x0
    MOV R20, 0x1
  over:
    {end})");
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return i < 8 ? 0u : 1u; }));
}

TEST(SassControl, JumpOutsideTheCode) {
  for (const char* jump : {"BRA 0x10000", "BRA -0x10000", "BRA 0x28", "CALL.ABS.NOINC 0xfffffffffffffff0"}) {
    Paths paths(std::string(jump) + "\n{end}");
    ExecutionResult result = paths.fail();
    EXPECT_EQ(result.end, ExecutionEnd::Fault) << jump;
    EXPECT_THAT(result.message, HasSubstr("which is no instruction")) << jump;
    EXPECT_THAT(result.message, HasSubstr(jump));
  }
  Paths gap("BRA -0x20\n{end}");
  EXPECT_EQ(gap.fail().end, ExecutionEnd::Fault);
  Paths open("NOP"); // runs off the end
  ExecutionResult result = open.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("no instruction"));
}

TEST(SassControl, CallOfAFunctionThatIsNotThere) {
  Paths paths("CALL.ABS.NOINC 0x100000000\n{end}");
  paths.assembly.cubin.externals[0x100000000] = "vprintf";
  ExecutionResult result = paths.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("a call of vprintf"));
}

TEST(SassControl, Trap) {
  Paths paths("ISETP.EQ.AND P0, PT, R0, 0x5, PT\n@P0 BPT.TRAP 0x1\n{end}");
  ExecutionResult result = paths.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("trap"));
  EXPECT_THAT(result.message, HasSubstr("lane 5"));
}

/// A lane that waits for another's word and sleeps meanwhile does not keep the other from running.
TEST(SassControl, SleepersLetOthersRun) {
  for (const char* sleep : {"NANOSLEEP 0x64", "NANOSLEEP.WARP R0", "@P1 NANOSLEEP R0"}) {
    Paths paths(R"(
      ISETP.GE.AND P0, PT, R0, 0x27, PT
      @P0 BRA {give}
    wait:
      LDG.E R10, desc[UR4][R2.64]
      ISETP.EQ.AND P1, PT, R10, RZ, PT
      )" + std::string(sleep) +
                    R"(
      @P1 BRA {wait}
      MOV R20, R10
      {end}
    give:
      @!P0 BRA {give}
      IADD3 R10, R0, 0x1, RZ
      STG.E desc[UR4][R2.64], R10
      {end})",
                40);
    paths.run();
    EXPECT_EQ(paths.words(0), lanes(40, [](u32 i) { return i < 39 ? 40u : 0u; })) << sleep;
  }
}

// ---- what does not end

TEST(SassControl, DeadlockNamesWhoWaits) {
  Paths barriers(R"(
    ISETP.EQ.AND P0, PT, R0, RZ, PT
    @P0 BRA {other}
    BAR.SYNC 0x0
    {end}
  other:
    BAR.SYNC 0x1
    {end})");
  ExecutionResult result = barriers.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Timeout);
  EXPECT_THAT(result.message, HasSubstr("deadlock"));
  EXPECT_THAT(result.message, HasSubstr("lanes 0x00000001 of warp 0 wait at BAR"));
  EXPECT_THAT(result.message, HasSubstr("lanes 0xfffffffe of warp 0 wait at BAR"));

  Paths warpsync(R"(
    ISETP.EQ.AND P0, PT, R0, RZ, PT
    @P0 BRA {other}
    WARPSYNC.ALL
    {end}
  other:
    BAR.SYNC 0x1
    {end})",
                 2);
  result = warpsync.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Timeout);
  EXPECT_THAT(result.message, HasSubstr("wait at WARPSYNC"));

  Paths convergence(R"(
    ISETP.EQ.AND P0, PT, R0, RZ, PT
    BSSY B0, {join}
    @P0 BRA {join}
    BAR.SYNC 0x0
  join:
    BSYNC B0
    {end})",
                    33);
  result = convergence.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Timeout);
  EXPECT_THAT(result.message, HasSubstr("lanes 0x00000001 of warp 0 wait at BSYNC"));
  EXPECT_THAT(result.message, HasSubstr("lanes 0xfffffffe of warp 0 wait at BAR"));
  EXPECT_THAT(result.message, HasSubstr("lanes 0x00000001 of warp 1 wait at BAR"));
}

TEST(SassControl, InstructionLimit) {
  Assembly a;
  a.lines("loop:\nBRA {loop}");
  ExecutionOptions options;
  options.maxWarpInstructions = 1000;
  ExecutionResult result = a.run(64, options);
  EXPECT_EQ(result.end, ExecutionEnd::Timeout);
  EXPECT_THAT(result.message, HasSubstr("limit on executed instructions"));
  EXPECT_THAT(result.message, HasSubstr("'BRA 0x0'"));
  EXPECT_EQ(result.warpInstructions, 1001u);
  // The limit holds over the grid, and is not one too low.
  Assembly b;
  b.add("NOP").add("EXIT");
  Launch launch;
  launch.grid = {5, 1, 1};
  options.maxWarpInstructions = 10;
  EXPECT_EQ(b.run(launch, options).end, ExecutionEnd::Completed);
  options.maxWarpInstructions = 9;
  EXPECT_EQ(b.run(launch, options).end, ExecutionEnd::Timeout);
}

TEST(SassControl, InstructionsAreCounted) {
  Assembly a;
  a.lines("UMOV UR4, 0x1\nNOP\nEXIT");
  ExecutionResult result = a.run(40);
  EXPECT_EQ(result.warpInstructions, 6u);
  EXPECT_EQ(result.threadInstructions, 2u * 1 + 40u * 2) << "the uniform datapath works once a warp";
}

} // namespace
} // namespace harness::sass::test
