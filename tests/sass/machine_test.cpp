// Blocks side by side, and what a resident block costs.

#include "harness/sass/code.h"
#include "harness/sass/machine.h"

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

namespace harness::sass::test {
namespace {

using testing::HasSubstr;
using u32 = std::uint32_t;

Launch blocks(u32 x, u32 y = 1, u32 threads = 32) {
  Launch launch;
  launch.grid = {x, y, 1};
  launch.block = {threads, 1, 1};
  return launch;
}

ExecutionOptions threads(unsigned count, std::uint64_t limit = 1'000'000) {
  ExecutionOptions options;
  options.threads = count;
  options.maxWarpInstructions = limit;
  return options;
}

/// Block b, of 32 threads, writes its number + 1 to out[b]. R0 is the number, R4 points there.
constexpr const char* kNumber = R"(
    S2R R0, SR_CTAID.X
    S2R R1, SR_CTAID.Y
    IMAD R0, R1, 0x190, R0
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    IADD3 R6, R0, 0x1, RZ
    STG.E desc[UR4][R4.64], R6
)";

TEST(SassMachine, AnyNumberOfThreadsGivesTheSame) {
  for (unsigned count : {1u, 2u, 5u}) {
    Assembly a;
    a.buffer("out", std::vector<u32>(400 * 7)).pointer(4, "out");
    a.lines(kNumber).add("EXIT");
    ExecutionResult result = a.run(blocks(400, 7), threads(count));
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    std::vector<u32> out = a.words("out");
    for (u32 i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], i + 1) << count;
    EXPECT_EQ(result.warpInstructions, 2800u * 8);
    EXPECT_EQ(result.threadInstructions, 2800u * 8 * 32);
  }
}

/// Of several blocks that fail the lowest is told, and what was executed up to it is counted.
TEST(SassMachine, TheLowestBlockThatFails) {
  for (unsigned count : {1u, 2u, 5u})
    for (int repeat = 0; repeat < 10; ++repeat) {
      Assembly a;
      a.buffer("out", std::vector<u32>(37)).pointer(4, "out");
      a.lines(kNumber).add("EXIT");
      ExecutionResult result = a.run(blocks(400), threads(count));
      EXPECT_EQ(result.end, ExecutionEnd::Fault);
      EXPECT_THAT(result.message, HasSubstr("block (37,0,0)")) << count;
      EXPECT_EQ(result.warpInstructions, 37u * 8 + 7) << count;
      EXPECT_EQ(result.threadInstructions, (37u * 8 + 7) * 32) << count;
      EXPECT_EQ(a.words("out")[36], 37u);
    }
}

TEST(SassMachine, TheLimitHoldsOverTheGrid) {
  for (unsigned count : {1u, 2u, 5u}) {
    Assembly a;
    a.buffer("out", std::vector<u32>(3000)).pointer(4, "out");
    a.lines(kNumber).add("EXIT");
    EXPECT_EQ(a.run(blocks(3000), threads(count, 3000 * 8)).end, ExecutionEnd::Completed);
    ExecutionResult result = a.run(blocks(3000), threads(count, 2000 * 8 - 1));
    EXPECT_EQ(result.end, ExecutionEnd::Timeout);
    EXPECT_EQ(result.warpInstructions, 2000u * 8) << count;
  }
  // A block that does not end has the whole limit to itself.
  Assembly endless;
  endless.lines("loop:\nBRA {loop}");
  ExecutionResult result = endless.run(blocks(10), threads(4, 1000));
  EXPECT_EQ(result.end, ExecutionEnd::Timeout);
  EXPECT_THAT(result.message, HasSubstr("block (0,0,0)"));
  EXPECT_EQ(result.warpInstructions, 1001u);
}

/// Blocks that may see each other run in order.
TEST(SassMachine, BlocksThatSeeEachOtherRunInOrder) {
  for (const char* how : {"MEMBAR.SC.GPU", "@!PT MEMBAR.SC.GPU", "LDG.E.STRONG.GPU R8, desc[UR4][R2.64]"}) {
    Assembly a;
    a.buffer("counter", {0}).buffer("out", std::vector<u32>(2000)).pointer(2, "counter").pointer(4, "out");
    a.lines(R"(
      S2R R0, SR_CTAID.X
      IMAD.WIDE.U32 R4, R0, 0x4, R4
      LDG.E R6, desc[UR4][R2.64]
      IADD3 R7, R6, 0x1, RZ
      STG.E desc[UR4][R2.64], R7
    )");
    a.add(how).add("STG.E desc[UR4][R4.64], R6").add("EXIT");
    ExecutionResult result = a.run(blocks(2000), threads(4));
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    std::vector<u32> out = a.words("out");
    for (u32 i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], i) << how;
  }
}

/// Beyond shared and local memory a resident block takes 1 MiB at most: here with as many threads and
/// registers as a multiprocessor has for one.
TEST(SassMachine, MemoryOfABlock) {
  Code code;
  Op last;
  last.dst.index = 60; // 64 with the group that may start there
  code.ops.push_back(last);
  code.texts.push_back("EXIT");
  code.complete();
  ASSERT_EQ(code.registers, 64u);
  Cubin cubin;
  Kernel kernel;
  Launch launch = blocks(1, 1, 1024);
  launch.dynamicShared = 48 * 1024;
  GlobalMemory memory;
  ExecutionOptions options;
  Machine machine(code, cubin, kernel, launch, memory, options, nullptr);
  auto used = [] {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  std::size_t before = used();
  Block block(machine);
  EXPECT_LE(used() - before, block.shared.size() + (1u << 20));
  EXPECT_EQ(block.warps.size(), 32u);
}

} // namespace
} // namespace harness::sass::test
