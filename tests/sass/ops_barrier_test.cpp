// Barriers of the block.

#include "tests/sass/paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using u32 = std::uint32_t;

/// Thread i reads what thread n-1-i of another warp wrote before the barrier.
TEST(SassBarrier, BarSyncOverWarps) {
  for (const char* barrier : {"BAR.SYNC 0x0", "BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC 0xf"})
    for (unsigned threads : {1u, 31u, 33u, 70u, 1024u}) {
      Paths paths(std::string("MOV R10, ") + llvm::formatv("{0:x}", threads - 1).str() + R"(
      IADD3 R10, R10, -R0, RZ
      IMAD.SHL.U32 R8, R0, 0x4, RZ
      IMAD.SHL.U32 R9, R10, 0x4, RZ
      IADD3 R11, R0, 0x100, RZ
      STS [R8+0x400], R11
      )" + barrier + R"(
      LDS R20, [R9+0x400]
      {end})",
                  threads);
      paths.assembly.kernel.staticShared = 0x400 + threads * 4;
      paths.run();
      for (u32 i = 0; i < threads; ++i)
        ASSERT_EQ(paths.words(0)[i], threads - 1 - i + 0x100) << barrier << " " << threads;
    }
}

TEST(SassBarrier, BarSyncDoesNotWaitForExited) {
  Paths paths("ISETP.GE.AND P0, PT, R0, 0x28, PT\n@P0 EXIT\nBAR.SYNC 0x0\nMOV R20, 0x1\n{end}", 100);
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(100, [](u32 i) { return i < 40 ? 1u : 0u; }));
}

/// Threads of a warp may come to it on different paths, and to different instructions.
TEST(SassBarrier, BarSyncOfDivergedWarps) {
  Paths paths(R"(
    LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
    @P0 BRA {odd}
    {seq 20}
    BAR.SYNC 0x0
    {seq 21}
    {end}
  odd:
    {seq 20}
    BAR.SYNC 0x0
    {seq 21}
    {end})",
              64);
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(64, [](u32 i) { return i / 32 * 2 + i % 2; }));
  for (u32 after : paths.words(1))
    EXPECT_GE(after, 4u) << "nobody passes before all have come";
}

TEST(SassBarrier, BarSyncMergesPathsAtOnePlace) {
  Paths paths(R"(
    LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
    @P0 BRA {join}
    NOP
  join:
    BAR.SYNC 0x0
    {seq 20}
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(0));
}

// ---- named barriers, with a count of threads

/// Warps 0 and 1 meet apart from warps 2 and 3, at barriers 1 and 2, named in every way there is.
TEST(SassBarrier, PairsOfWarps) {
  // R10 = number of the barrier, R11 = number and count in one.
  for (const char* barrier : {"BAR.SYNC.DEFER_BLOCKING R10, 0x40", "BAR.SYNC R11, R11",
                              "@!P0 BAR.SYNC 0x1, 0x40\n@P0 BAR.SYNC 0x2, 0x40",
                              "MOV R12, 0x40\n@!P0 BAR.SYNC 0x1, R12\n@P0 BAR.SYNC 0x2, R12"}) {
    Paths paths(R"(
      ISETP.GE.AND P0, PT, R0, 0x40, PT
      MOV R10, 0x1
      @P0 MOV R10, 0x2
      MOV R11, 0x400001
      @P0 MOV R11, 0x400002
      LOP3.LUT R13, R0, 0x20, RZ, 0x3c, !PT
      IMAD.SHL.U32 R8, R0, 0x4, RZ
      IMAD.SHL.U32 R9, R13, 0x4, RZ
      IADD3 R14, R0, 0x100, RZ
      STS [R8+0x400], R14
      @P0 BAR.SYNC 0x0
      )" + std::string(barrier) +
                    R"(
      LDS R20, [R9+0x400]
      @!P0 BAR.SYNC 0x0
      {end})",
                128);
    paths.assembly.kernel.staticShared = 0x400 + 128 * 4;
    paths.run();
    EXPECT_EQ(paths.words(0), lanes(128, [](u32 i) { return (i ^ 32) + 0x100; })) << barrier;
  }
}

/// One warp gives word to another twice without waiting; the second time counts for the next round.
TEST(SassBarrier, ArriveWithoutWaiting) {
  Paths paths(R"(
    ISETP.LT.AND P0, PT, R0, 0x20, PT
    @P0 BRA {take}
    {seq 20}
    BAR.ARV 0x1, 0x40
    {seq 21}
    BAR.ARV 0x1, 0x40
    {end}
  take:
    BAR.SYNC 0x1, 0x40
    {seq 20}
    BAR.SYNC 0x1, 0x40
    {seq 21}
    {end})",
              64);
  paths.run();
  EXPECT_EQ(paths.words(0)[32], 0u);
  EXPECT_EQ(paths.words(1)[32], 1u);
  EXPECT_EQ(paths.words(0)[0], 2u);
  EXPECT_EQ(paths.words(1)[0], 3u);
}

/// A warp with fewer threads counts as 32.
TEST(SassBarrier, WarpsThatAreNotFull) {
  Paths paths("BAR.SYNC 0x3, 0x40\nMOV R20, 0x1\n{end}", 40);
  paths.run();
  EXPECT_THAT(paths.words(0), Each(1));
  Paths exited("ISETP.EQ.AND P0, PT, R0, 0x5, PT\n@P0 EXIT\nBAR.SYNC 0x3, 0x40\nMOV R20, 0x1\n{end}", 64);
  exited.run();
  EXPECT_EQ(exited.words(0), lanes(64, [](u32 i) { return i == 5 ? 0u : 1u; }));
}

/// Half of a warp waits, then the other half leaves.
TEST(SassBarrier, ExitCompletesAWarp) {
  Paths paths(R"(
    ISETP.LT.AND P0, PT, R0, 0x30, PT
    @!P0 BRA {leave}
    BAR.SYNC 0x3, 0x40
    MOV R20, 0x1
  leave:
    {end})",
              64);
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(64, [](u32 i) { return i < 48 ? 1u : 0u; }));
}

TEST(SassBarrier, TooFewThreads) {
  Paths paths("ISETP.LT.AND P0, PT, R0, 0x20, PT\n@P0 EXIT\nBAR.SYNC 0x3, 0x40\n{end}", 64);
  ExecutionResult result = paths.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Timeout);
  EXPECT_THAT(result.message, HasSubstr("deadlock"));
}

TEST(SassBarrier, WhatIsNotDefined) {
  struct Case {
    const char *body, *message;
  };
  for (const Case& c :
       {Case{"BAR.SYNC 0x1, 0x20\n{end}", ""},
        Case{"ISETP.LT.AND P0, PT, R0, 0x20, PT\n@P0 BAR.SYNC 0x1, 0x40\n@!P0 BAR.SYNC 0x1, 0x60\n{end}",
             "that wait for 64 and for 96 threads"},
        Case{"ISETP.LT.AND P0, PT, R0, 0x20, PT\n@P0 BAR.SYNC 0x1\n@!P0 BAR.SYNC 0x1, 0x40\n{end}",
             "that wait for 0 and for 64 threads"},
        Case{"MOV R10, 0x30\nBAR.SYNC 0x1, R10\n{end}", "a barrier for 48 threads"},
        Case{"MOV R10, 0x10\nBAR.SYNC R10, 0x40\n{end}", "there is no barrier 16"},
        Case{"BAR.SYNC R0, 0x40\n{end}", "come to different barriers at once"},
        Case{"MOV R10, RZ\nBAR.ARV 0x1, R10\n{end}", "BAR.ARV at a barrier for all threads"},
        Case{"ISETP.LT.AND P0, PT, R0, 0x10, PT\n@P0 BAR.ARV 0x1, 0x20\nBAR.SYNC 0x1, 0x20\n{end}",
             "48 threads come to barrier 1, which waits for 32"}}) {
    Paths paths(c.body, 64);
    ExecutionResult result = paths.fail();
    if (*c.message == 0) {
      EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
      continue;
    }
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << c.body;
    EXPECT_THAT(result.message, HasSubstr(c.message));
  }
}

// ---- reductions

/// Threads whose number is below R10 (two launches of three warps: some, none, all) vote.
TEST(SassBarrier, Reductions) {
  for (const char* count : {"", ", 0x60", ", R11"})
    for (u32 limit : {0u, 1u, 33u, 96u}) {
      Paths paths("MOV R10, " + llvm::formatv("{0:x}", limit).str() + R"(
      MOV R11, 0x60
      ISETP.LT.U32.AND P0, PT, R0, R10, PT
      BAR.RED.POPC 0x0)" +
                      count + R"(, P0
      B2R.RESULT R20
      BAR.RED.AND.DEFER_BLOCKING 0x0)" +
                      count + R"(, P0
      B2R.RESULT RZ, P1
      BAR.RED.OR 0x0)" +
                      count + R"(, !P0
      B2R.RESULT RZ, P2
      SEL R21, RZ, 0x1, !P1
      SEL R22, RZ, 0x1, !P2
      {end})",
                  96);
      paths.run();
      EXPECT_THAT(paths.words(0), Each(limit)) << count;
      EXPECT_THAT(paths.words(1), Each(limit == 96 ? 1 : 0)) << count;
      EXPECT_THAT(paths.words(2), Each(limit == 96 ? 0 : 1)) << count;
    }
}

/// Two pairs of warps reduce at barriers of their own; threads that have exited do not vote.
TEST(SassBarrier, ReductionsApart) {
  Paths paths(R"(
    ISETP.EQ.AND P1, PT, R0, 0x3, PT
    @P1 EXIT
    ISETP.GE.AND P0, PT, R0, 0x40, PT
    MOV R10, 0x5
    @P0 MOV R10, 0x6
    LOP3.LUT P2, RZ, R0, 0x1, RZ, 0xc0, !PT
    PLOP3.LUT P2, PT, P2, P0, PT, 0xa8, 0x0
    BAR.RED.POPC.DEFER_BLOCKING R10, 0x40, P2
    B2R.RESULT R20
    {end})",
              128);
  paths.run();
  EXPECT_EQ(paths.words(0), lanes(128, [](u32 i) { return i == 3 ? 0u : i < 64 ? 31u : 64u; }));
}

TEST(SassBarrier, ResultOfAnotherKind) {
  for (const char* body :
       {"BAR.RED.POPC 0x0, PT\nB2R.RESULT RZ, P0\n{end}", "BAR.RED.AND 0x0, PT\nB2R.RESULT R20\n{end}",
        "BAR.SYNC 0x0\nB2R.RESULT R20\n{end}", "B2R.RESULT RZ, P0\n{end}"}) {
    Paths paths(body);
    ExecutionResult result = paths.fail();
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << body;
    EXPECT_THAT(result.message, HasSubstr("not after BAR.RED"));
  }
}

} // namespace
} // namespace harness::sass::test
