// WARPSYNC in all its kinds, and ENDCOLLECTIVE.

#include "tests/sass/paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace harness::sass::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using u32 = std::uint32_t;

TEST(SassWarpsync, WarpsyncMerges) {
  for (const char* sync : {"WARPSYNC R16", "WARPSYNC.ALL", "WARPSYNC.COLLECTIVE R16, {after}"}) {
    Paths paths(std::string(R"(
      MOV R16, -0x1
      ISETP.GE.AND P0, PT, R0, 0x10, PT
      @P0 BRA {join}
      {seq 20}
    join:
      )") + sync +
                "\nNOP\nENDCOLLECTIVE\nafter:\n{seq 21}\n{end}");
    paths.run();
    EXPECT_THAT(paths.words(1), Each(1)) << sync;
  }
}

TEST(SassWarpsync, WarpsyncOfSomeLanes) {
  Paths paths(R"(
    MOV R16, 0x3
    ISETP.GE.AND P0, PT, R0, 0x2, PT
    SEL R16, R16, 0xc, !P0
    LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT
    @P1 BRA {odd}
    WARPSYNC R16
    {seq 20}
    {end}
  odd:
    WARPSYNC R16
    {seq 20}
    {end})",
              4);
  paths.run();
  // The pairs meet, each at two places: all go on, but not as one path.
  std::vector<u32> order = paths.words(0);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<u32>{0, 1, 2, 3}));
}

TEST(SassWarpsync, WarpsyncDoesNotWaitForExited) {
  Paths paths("ISETP.LT.AND P0, PT, R0, 0x8, PT\n@P0 EXIT\nWARPSYNC.ALL\n{seq 20}\n{end}", 20);
  paths.run();
  EXPECT_THAT(paths.words(0), Each(0));
}

TEST(SassWarpsync, WarpsyncWithoutOneselfIsAFault) {
  Paths paths("MOV R16, 0x2\nWARPSYNC R16\n{end}", 2);
  ExecutionResult result = paths.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("not in its own mask"));
  EXPECT_THAT(result.message, HasSubstr("lane 0"));
}

/// Lanes on two paths, each with its copy of the code: one copy runs, once, for all, and each goes on where
/// its own WARPSYNC says.
TEST(SassWarpsync, CollectiveOverTwoPaths) {
  for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::TakenFirst}) {
    Paths paths(R"(
      LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
      MOV R16, -0x1
      IADD3 R10, R0, 0x64, RZ
      @P0 BRA {odd}
      WARPSYNC.COLLECTIVE R16, {evenAfter}
      {seq 21}
      SHFL.BFLY P1, R20, R10, 0x1, 0x1f
      ENDCOLLECTIVE
    evenAfter:
      MOV R22, 0xe
      {end}
    odd:
      WARPSYNC.COLLECTIVE R16, {oddAfter}
      {seq 21}
      SHFL.BFLY P1, R20, R10, 0x1, 0x1f
      ENDCOLLECTIVE
    oddAfter:
      MOV R22, 0xd
      {end})");
    paths.run(schedule);
    EXPECT_EQ(paths.words(0), lanes(32, [](u32 i) { return (i ^ 1) + 100; }));
    EXPECT_THAT(paths.words(1), Each(0)) << "together";
    EXPECT_EQ(paths.words(2), lanes(32, [](u32 i) { return i % 2 ? 0xdu : 0xeu; }));
  }
}

/// Without ENDCOLLECTIVE's help nothing is left of it for the next.
TEST(SassWarpsync, CollectiveOfAllLanesInOnePlace) {
  Paths paths(R"(
    ISETP.LT.AND P0, PT, R0, 0x4, PT
    @P0 EXIT
    WARPSYNC.COLLECTIVE.ALL {first}
    NOP
    ENDCOLLECTIVE
  first:
    {seq 20}
    ENDCOLLECTIVE
    {seq 21}
    {end})");
  paths.run();
  EXPECT_THAT(paths.words(0), Each(0));
  EXPECT_EQ(paths.words(1), lanes(32, [](u32 i) { return i < 4 ? 0u : 1u; }));
}

TEST(SassWarpsync, CollectiveOfDifferentCodeIsRefused) {
  for (const char* body : {"SHFL.BFLY P1, R20, R10, 0x2, 0x1f", "NOP\nSHFL.BFLY P1, R20, R10, 0x1, 0x1f"}) {
    Paths paths(R"(
      LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
      @P0 BRA {odd}
      WARPSYNC.COLLECTIVE.ALL {evenAfter}
      SHFL.BFLY P1, R20, R10, 0x1, 0x1f
      ENDCOLLECTIVE
    evenAfter:
      {end}
    odd:
      WARPSYNC.COLLECTIVE.ALL {oddAfter}
      )" + std::string(body) +
                R"(
      ENDCOLLECTIVE
    oddAfter:
      {end})");
    ExecutionResult result = paths.fail();
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << body;
    EXPECT_THAT(result.message, HasSubstr("to run different code together"));
  }
}

TEST(SassWarpsync, WarpsyncExclusive) {
  // Two groups come to one place; each runs alone.
  Paths paths(R"(
    MOV R16, 0x3
    ISETP.GE.AND P0, PT, R0, 0x2, PT
    @P0 MOV R16, 0xc
    LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT
    @P1 BRA {join}
    NOP
  join:
    WARPSYNC.EXCLUSIVE R16
    {seq 20}
    REDUX.SUM UR6, R0
    MOV R21, UR6
    {end})",
              4);
  paths.run();
  std::vector<u32> order = paths.words(0);
  EXPECT_EQ(order[0], order[1]);
  EXPECT_EQ(order[2], order[3]);
  EXPECT_NE(order[0], order[2]);
  EXPECT_EQ(paths.words(1), (std::vector<u32>{1, 1, 5, 5}));

  Paths apart(
      "LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT\nMOV R16, -0x1\n@P1 BRA {odd}\nWARPSYNC.EXCLUSIVE R16\n{end}\n"
      "odd:\nWARPSYNC.EXCLUSIVE R16\n{end}");
  EXPECT_EQ(apart.fail().end, ExecutionEnd::Unsupported);
}

TEST(SassWarpsync, WarpsyncOfDifferentKindsIsRefused) {
  Paths paths("LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT\n@P1 BRA {odd}\nWARPSYNC.ALL\n{end}\n"
              "odd:\nWARPSYNC.COLLECTIVE.ALL {after}\nENDCOLLECTIVE\nafter:\n{end}");
  ExecutionResult result = paths.fail();
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("different kinds"));
}

} // namespace
} // namespace harness::sass::test
