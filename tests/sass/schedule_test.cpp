// The order in which paths run, and that each gets its turn.

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace harness::sass::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using u32 = std::uint32_t;

ExecutionOptions with(Schedule schedule, std::uint64_t seed = 0) {
  ExecutionOptions options;
  options.schedule = schedule;
  options.scheduleSeed = seed;
  options.maxWarpInstructions = 20'000'000;
  return options;
}

/// What every lane has in "out" at the end. R0 is the thread's number, R4 points to its word of "out" and R6
/// to that of its warp in "counter".
std::vector<u32> run(const std::string& body, const ExecutionOptions& options, unsigned threads = 32) {
  Assembly a;
  a.buffer("counter", {0, 0, 0, 0}).buffer("out", std::vector<u32>(threads));
  a.add("S2R R0, SR_TID.X").pointer(2, "counter").pointer(4, "out");
  a.lines("IMAD.WIDE.U32 R4, R0, 0x4, R4");
  a.lines(body);
  ExecutionResult result = a.run(threads, options);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << toString(options.schedule) << ": " << result.message;
  return a.words("out");
}

/// Lanes leave a loop after 0…3 rounds and note how many paths have come by before.
constexpr const char* kOrder = R"(
    LOP3.LUT R10, R0, 0x3, RZ, 0xc0, !PT
  loop:
    ISETP.EQ.AND P0, PT, R10, RZ, PT
    @P0 BRA {out}
    IADD3 R10, R10, -0x1, RZ
    BRA {loop}
  out:
    LDG.E R20, desc[UR4][R2.64]
    IADD3 R21, R20, 0x1, RZ
    STG.E desc[UR4][R2.64], R21
    STG.E desc[UR4][R4.64], R20
    EXIT)";

std::vector<u32> ofLane(u32 (*f)(u32)) {
  std::vector<u32> values;
  for (u32 i = 0; i < 32; ++i)
    values.push_back(f(i));
  return values;
}

TEST(SassSchedule, OrderOfPaths) {
  EXPECT_EQ(run(kOrder, with(Schedule::FallThroughFirst)), ofLane([](u32 i) { return 3 - i % 4; }));
  EXPECT_EQ(run(kOrder, with(Schedule::TakenFirst)), ofLane([](u32 i) { return i % 4; }));
  EXPECT_THAT(run(kOrder, with(Schedule::LowestPcFirst)), Each(0)) << "all wait for the last";
}

TEST(SassSchedule, RandomDependsOnTheSeedAlone) {
  std::set<std::vector<u32>> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<u32> once = run(kOrder, with(Schedule::Random, seed));
    EXPECT_EQ(run(kOrder, with(Schedule::Random, seed)), once) << seed;
    // Four paths, in some order.
    std::vector<u32> four(once.begin(), once.begin() + 4);
    for (u32 i = 0; i < 32; ++i)
      EXPECT_EQ(once[i], four[i % 4]) << seed;
    EXPECT_EQ(std::set<u32>(four.begin(), four.end()).size(), 4u) << seed;
    seen.insert(once);
  }
  EXPECT_GE(seen.size(), 8u) << "of 24";
}

/// A lane that comes by the lowest path's place joins it, and falls behind no more.
TEST(SassSchedule, LowestPcMerges) {
  constexpr const char* kSkip = R"(
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    @P0 BRA {over}
    IADD3 R10, R0, 0x1, RZ
  over:
    LDG.E R20, desc[UR4][R2.64]
    IADD3 R21, R20, 0x1, RZ
    STG.E desc[UR4][R2.64], R21
    STG.E desc[UR4][R4.64], R20
    EXIT)";
  EXPECT_THAT(run(kSkip, with(Schedule::LowestPcFirst)), Each(0));
  EXPECT_EQ(run(kSkip, with(Schedule::FallThroughFirst)), ofLane([](u32 i) { return i / 16; }));
}

/// Paths that wait for each other at every join end alike, whatever the order.
TEST(SassSchedule, ConvergentProgramsDoNotDependOnIt) {
  constexpr const char* kConvergent = R"(
    LOP3.LUT R10, R0, 0x7, RZ, 0xc0, !PT
    MOV R20, R0
    BSSY B0, {join}
  loop:
    ISETP.EQ.AND P0, PT, R10, RZ, PT
    @P0 BRA {join}
    LOP3.LUT P1, RZ, R10, 0x1, RZ, 0xc0, !PT
    BSSY B1, {inner}
    @P1 BRA {odd}
    IMAD R20, R20, 0x3, R10
    BRA {inner}
  odd:
    IMAD R20, R20, 0x5, R0
  inner:
    BSYNC B1
    IADD3 R10, R10, -0x1, RZ
    BRA {loop}
  join:
    BSYNC B0
    SHFL.BFLY PT, R21, R20, 0x1, 0x1f
    STS [R0.X4+0x400], R21
    BAR.SYNC 0x0
    LOP3.LUT R22, R0, 0x20, RZ, 0x3c, !PT
    LDS R23, [R22.X4+0x400]
    IADD3 R20, R20, R23, RZ
    STG.E desc[UR4][R4.64], R20
    EXIT)";
  auto runOn = [&](const ExecutionOptions& options) {
    Assembly a;
    a.kernel.staticShared = 0x500;
    a.buffer("out", std::vector<u32>(64));
    a.add("S2R R0, SR_TID.X").pointer(4, "out");
    a.lines("IMAD.WIDE.U32 R4, R0, 0x4, R4");
    a.lines(kConvergent);
    ExecutionResult result = a.run(64, options);
    EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    return a.words("out");
  };
  std::vector<u32> expected;
  auto value = [](u32 i) {
    u32 x = i;
    for (u32 left = i % 8; left > 0; --left)
      x = left % 2 ? x * 5 + i : x * 3 + left;
    return x;
  };
  for (u32 i = 0; i < 64; ++i)
    expected.push_back(value(i) + value((i ^ 32) ^ 1));
  for (Schedule schedule : kSchedules)
    EXPECT_EQ(runOn(with(schedule)), expected) << toString(schedule);
  for (std::uint64_t seed = 1; seed < 10; ++seed)
    EXPECT_EQ(runOn(with(Schedule::Random, seed)), expected) << seed;
}

// ---- progress

/// Every lane takes a lock, counts what it protects and gives it back: the lane that finds its own number in
/// the lock has it. Paths are not changed between trying and finding out, as there is no branch.
std::string lock(const std::string& afterFailure) {
  return R"(
    IADD3 R14, R0, 0x1, RZ
  try:
    LDG.E R10, desc[UR4][R2.64]
    ISETP.EQ.AND P0, PT, R10, RZ, PT
    @P0 STG.E desc[UR4][R2.64], R14
    LDG.E R10, desc[UR4][R2.64]
    ISETP.NE.AND P0, PT, R10, R14, PT
    @P0 BRA {failed}
    LDG.E R15, desc[UR4][R2.64+0x4]
    IADD3 R16, R15, 0x1, RZ
    STG.E desc[UR4][R2.64+0x4], R16
    STG.E desc[UR4][R2.64], RZ
    STG.E desc[UR4][R4.64], R15
    EXIT
  failed:
)" + afterFailure +
         "\nBRA {try}";
}

TEST(SassSchedule, DivergentSpinLock) {
  for (Schedule schedule : kSchedules)
    for (unsigned threads : {32u, 96u}) {
      std::vector<u32> got = run(lock(""), with(schedule), threads);
      std::set<u32> all(got.begin(), got.end());
      EXPECT_EQ(all.size(), threads) << toString(schedule);
      EXPECT_EQ(*all.rbegin(), threads - 1) << toString(schedule);
    }
}

/// One whose registers change while it waits, as those of a loop with a growing pause.
TEST(SassSchedule, SpinLockThatCounts) {
  for (Schedule schedule : kSchedules) {
    std::vector<u32> got = run(lock("IADD3 R30, R30, 0x1, RZ"), with(schedule));
    EXPECT_EQ(std::set<u32>(got.begin(), got.end()).size(), 32u) << toString(schedule);
  }
}

/// Lane 5 of each warp does what the others wait for; or the others.
std::string waitFor(bool fallThroughWaits) {
  const std::string wait =
      "wait:\nLDG.E R10, desc[UR4][R2.64]\nISETP.EQ.AND P1, PT, R10, RZ, PT\n@P1 BRA {wait}\n"
      "STG.E desc[UR4][R4.64], R10\nEXIT\n";
  const std::string give = "MOV R11, 0x7\nSTG.E desc[UR4][R2.64], R11\nSTG.E desc[UR4][R4.64], R11\nEXIT\n";
  return "LOP3.LUT R8, R0, 0x1f, RZ, 0xc0, !PT\nISETP.EQ.AND P0, PT, R8, 0x5, PT\n@" +
         std::string(fallThroughWaits ? "" : "!") + "P0 BRA {other}\n" + (fallThroughWaits ? wait : give) +
         "other:\n" + (fallThroughWaits ? give : wait);
}

TEST(SassSchedule, WhoeverIsWaitedForGetsItsTurn) {
  for (Schedule schedule : kSchedules)
    for (bool fallThroughWaits : {true, false})
      for (unsigned threads : {32u, 256u})
        EXPECT_THAT(run(waitFor(fallThroughWaits), with(schedule), threads), Each(7)) << toString(schedule);
}

/// A warp waits for the next one, which has to pass a barrier with a third.
TEST(SassSchedule, WarpsGetTheirTurn) {
  constexpr const char* kChain = R"(
    SHF.R.U32.HI R8, RZ, 0x5, R0
    ISETP.EQ.AND P0, PT, R8, 0x3, PT
    @P0 BRA {give}
  wait:
    LDG.E R10, desc[UR4][R2.64]
    IADD3 R11, R10, R8, RZ
    ISETP.NE.AND P1, PT, R11, 0x3, PT
    @P1 BRA {wait}
  give:
    MOV R12, 0x4
    IADD3 R12, R12, -R8, RZ
    STG.E desc[UR4][R2.64], R12
    STG.E desc[UR4][R4.64], R12
    EXIT)";
  for (Schedule schedule : kSchedules) {
    std::vector<u32> got = run(kChain, with(schedule), 128);
    for (u32 i = 0; i < 128; ++i)
      ASSERT_EQ(got[i], 4 - i / 32) << toString(schedule);
  }
}

TEST(SassSchedule, NobodyToWaitForIsATimeout) {
  for (Schedule schedule : kSchedules) {
    Assembly a;
    a.buffer("flag", {0}).pointer(2, "flag");
    a.lines("wait:\nLDG.E R10, desc[UR4][R2.64]\nISETP.EQ.AND P1, PT, R10, RZ, PT\n@P1 BRA {wait}\nEXIT");
    ExecutionOptions options = with(schedule);
    options.maxWarpInstructions = 100'000;
    EXPECT_EQ(a.run(64, options).end, ExecutionEnd::Timeout) << toString(schedule);
  }
}

/// A long loop is not spinning: the other path waits for its end.
TEST(SassSchedule, ComputingIsNotSpinning) {
  constexpr const char* kLong = R"(
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    @P0 BRA {other}
    MOV R10, RZ
  loop:
    IADD3 R10, R10, 0x1, RZ
    STG.E desc[UR4][R2.64], R10
    ISETP.NE.AND P1, PT, R10, 0x9c40, PT
    @P1 BRA {loop}
    STG.E desc[UR4][R4.64], R10
    EXIT
  other:
    LDG.E R10, desc[UR4][R2.64]
    STG.E desc[UR4][R4.64], R10
    EXIT)";
  EXPECT_THAT(run(kLong, with(Schedule::FallThroughFirst)), Each(40000));
}

} // namespace
} // namespace harness::sass::test
