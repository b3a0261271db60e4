// Launches: what is checked before, what registers hold at the start, what stands in memory afterwards.

#include "harness/base/error.h"

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using u32 = std::uint32_t;

std::string usageError(Assembly& a, const Launch& launch) {
  try {
    a.run(launch);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "no error";
}

TEST(SassExecutor, LaunchMustFitTheKernel) {
  Assembly a;
  a.add("EXIT");
  a.kernel.params = {{0, 0, 8}, {1, 8, 4}};
  auto args = [](std::vector<std::size_t> sizes) {
    Launch launch;
    for (std::size_t size : sizes)
      launch.args.emplace_back(size);
    return launch;
  };
  EXPECT_EQ(usageError(a, args({8, 4})), "no error");
  EXPECT_THAT(usageError(a, args({8})), HasSubstr("kernel 'k' takes 2 arguments, the launch has 1"));
  EXPECT_THAT(usageError(a, args({8, 4, 4})), HasSubstr("takes 2 arguments, the launch has 3"));
  EXPECT_THAT(usageError(a, args({8, 8})), HasSubstr("argument 1"));
  EXPECT_THAT(usageError(a, args({0, 4})), HasSubstr("argument 0"));
  a.kernel.params[1].ordinal = 7;
  EXPECT_THAT(usageError(a, args({8, 4})), HasSubstr("argument 7"));
}

TEST(SassExecutor, LaunchMustFitTheArchitecture) {
  Assembly a;
  a.add("EXIT");
  using Size = std::array<u32, 3>;
  for (Size block : {Size{0, 1, 1}, Size{1, 0, 1}, Size{1025, 1, 1}, Size{1, 1, 65}, Size{32, 33, 1},
                     Size{0x80000000, 0x80000000, 4}, Size{0xffffffff, 0xffffffff, 0xffffffff}}) {
    Launch launch;
    launch.block = block;
    EXPECT_THAT(usageError(a, launch), HasSubstr("cannot be launched")) << block[0];
  }
  for (Size grid : {Size{0, 1, 1}, Size{1, 0, 1}, Size{1, 1, 0}, Size{0x80000000, 1, 1}, Size{1, 0x10000, 1},
                    Size{1, 1, 0x10000}}) {
    Launch launch;
    launch.grid = grid;
    EXPECT_THAT(usageError(a, launch), HasSubstr("cannot be launched")) << grid[0];
  }
  Launch full;
  full.block = {32, 1, 32};
  EXPECT_EQ(usageError(a, full), "no error");
  Launch shared;
  shared.dynamicShared = 0xffffffff;
  a.kernel.staticShared = 0xffffffff;
  EXPECT_THAT(usageError(a, shared), HasSubstr("8589934590 bytes of shared memory"));
  Assembly b;
  b.add("EXIT");
  b.kernel.frameSize = 0xffffff00;
  b.kernel.minStackSize = 0x200;
  EXPECT_THAT(usageError(b, {}), HasSubstr("4294967552 bytes of local memory"));
}

/// The compiler does not know how much stack a recursion needs.
TEST(SassExecutor, StackOfUnknownSize) {
  Assembly a;
  a.buffer("out", {0}).pointer(4, "out");
  a.lines("LDC R1, c[0x0][0x28]\nSTG.E desc[UR4][R4.64], R1\nSTL [R1+-0x10000], R1\nEXIT");
  a.kernel.minStackSize = 0xffffffff;
  a.kernel.frameSize = 0x20;
  ASSERT_EQ(a.run(1).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("out"), std::vector<u32>{64 * 1024});
}

/// Registers, uniform registers and predicates that nobody wrote hold the poison.
TEST(SassExecutor, RegistersStartAsPoison) {
  for (std::byte poison : {std::byte{0xAA}, std::byte{0x55}}) {
    Assembly a;
    a.buffer("out", std::vector<u32>(32 * 4)).pointer(4, "out");
    a.lines(R"(
      S2R R0, SR_LANEID
      MOV R8, R254
      MOV R9, UR30
      SEL R10, RZ, 0x1, !P3
      USEL UR7, URZ, 0x1, !UP2
      MOV R11, UR7
      IMAD.WIDE.U32 R4, R0, 0x10, R4
      STG.E.128 desc[UR4][R4.64], R8
      EXIT)");
    ExecutionOptions options;
    options.poison = poison;
    ExecutionResult result = a.run(32, options);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    std::vector<u32> out = a.words("out");
    u32 bits = static_cast<u32>(poison), fill = bits * 0x01010101u;
    for (u32 i = 0; i < 32; ++i) {
      EXPECT_EQ(out[4 * i], fill);
      EXPECT_EQ(out[4 * i + 1], fill);
      EXPECT_EQ(out[4 * i + 2], fill >> i & 1) << "predicates differ from lane to lane";
      EXPECT_EQ(out[4 * i + 3], bits & 1);
    }
  }
}

/// RZ, URZ, PT and UPT cannot be written.
TEST(SassExecutor, NothingIsWrittenToZeroRegisters) {
  Assembly a;
  a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
  a.lines(R"(
    MOV RZ, 0x5
    UMOV URZ, 0x5
    ISETP.NE.AND PT, PT, RZ, RZ, PT
    UISETP.NE.AND UPT, UPT, URZ, URZ, UPT
    IMAD.WIDE.U32 RZ, R4, R4, R4
    LDG.E.64 RZ, desc[UR4][R4.64]
    MOV R8, RZ
    MOV R9, URZ
    SEL R10, RZ, 0x1, !PT
    USEL UR6, URZ, 0x1, !UPT
    MOV R11, UR6
    STG.E.128 desc[UR4][R4.64], R8
    EXIT)");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out"), (std::vector<u32>{0, 0, 1, 1}));
}

TEST(SassExecutor, WhatWasWrittenBeforeAFaultStands) {
  Assembly a;
  a.buffer("out", {0, 0}).pointer(4, "out");
  a.lines("MOV R8, 0x7\nSTG.E desc[UR4][R4.64], R8\nBPT.TRAP 0x1\nSTG.E desc[UR4][R4.64+0x4], R8\nEXIT");
  EXPECT_EQ(a.run(1).end, ExecutionEnd::Fault);
  EXPECT_EQ(a.words("out"), (std::vector<u32>{7, 0}));
}

/// Two runs of one program do not see each other, and give the same counts.
TEST(SassExecutor, RunsAreAlike) {
  Assembly a;
  a.buffer("out", {0}).pointer(4, "out");
  a.lines(
      "LDG.E R8, desc[UR4][R4.64]\nIADD3 R8, R8, 0x1, RZ\nSTG.E desc[UR4][R4.64], R8\nSTL [RZ], R8\nEXIT");
  ExecutionResult first = a.run(5), second = a.run(5);
  EXPECT_EQ(a.words("out"), std::vector<u32>{1});
  EXPECT_EQ(first.end, ExecutionEnd::Completed);
  EXPECT_EQ(first.threadInstructions, second.threadInstructions);
  EXPECT_EQ(first.threadInstructions, 5u * 6);
}

TEST(SassExecutor, ListingsMustFitTheSections) {
  auto cubin = std::make_shared<Cubin>();
  cubin->code.assign(0x90, '\0');
  cubin->sections.push_back({".text.k", 0x80, 16});
  EXPECT_THROW(Program(cubin, std::vector<Listing>()), Error);
  Listing two;
  two.instructions.resize(2);
  EXPECT_THROW(Program(cubin, {two}), Error);
}

} // namespace
} // namespace harness::sass::test
