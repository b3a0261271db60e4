#include "harness/explain/explain.h"

#include "tests/explain/hand_made.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace harness::explain::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto kGlobal = TraceSpace::Global;
constexpr auto kShared = TraceSpace::Shared;
constexpr auto kRead = TraceAccess::Kind::Read;
constexpr auto kWrite = TraceAccess::Kind::Write;
constexpr std::uint64_t kIn = 0x7f0000000000, kOut = 0x7f0000002000;

Explanation explain(HandMade& sass, HandMade& ptx, std::uint8_t got, std::uint8_t right, std::uint8_t byPtx,
                    bool lines = true) {
  Launch launch;
  launch.grid = {8, 1, 1};
  launch.block = {32, 1, 1};
  WrongByte byte;
  byte.buffer = "out";
  byte.offset = 0;
  byte.address = kOut;
  byte.expected = right;
  byte.sass = got;
  byte.ptx = byPtx;
  return explainByte(sass, ptx, byte, launch, lines);
}

Explanation explain(HandMade& sass, HandMade& ptx, std::uint8_t got, std::uint8_t right) {
  return explain(sass, ptx, got, right, right);
}

std::vector<std::string> texts(const std::vector<ShownStep>& steps) {
  std::vector<std::string> found;
  for (const ShownStep& step : steps)
    found.push_back(step.text);
  return found;
}

/// A half's low byte stored: PTX stores the bits, SASS the value.
void halfStore(HandMade& sass, HandMade& ptx, std::uint32_t f2iLine) {
  ptx.step("line 46", 46, "ld.global.f32 %f1, [%rd8]", {{"%rd8", kIn}}, {{"%f1", 0x3ca1c5d6}})
      .access(kGlobal, kRead, kIn, 4);
  ptx.step("line 48", 48, "cvt.rn.f16.f32 %rs1, %f1", {{"%f1", 0x3ca1c5d6}}, {{"%rs1", 0x250e}});
  ptx.step("line 51", 51, "st.global.u8 [%rd1], %rs1", {{"%rd1", kOut}, {"%rs1", 0x250e}}, {})
      .access(kGlobal, kWrite, kOut, 1);
  sass.step("0x80", f2iLine ? 46 : 0, "LDG.E R3, desc[UR4][R2.64]", {{"R2", kIn & 0xffffffff}},
            {{"R3", 0x3ca1c5d6}})
      .access(kGlobal, kRead, kIn, 4);
  sass.step("0x90", f2iLine ? 48 : 0, "F2F.F16.F32 R4, R3", {{"R3", 0x3ca1c5d6}}, {{"R4", 0x250e}});
  sass.step("0xa0", f2iLine, "F2I.U8.F16.TRUNC.NTZ R5, R4", {{"R4", 0x250e}}, {{"R5", 0}});
  sass.step("0xb0", f2iLine, "STG.E.U8 desc[UR4][R6.64], R5", {{"R6", kOut & 0xffffffff}, {"R5", 0}}, {})
      .access(kGlobal, kWrite, kOut, 1);
}

TEST(Explain, EndsWhereTheInputsAreTheSameAndTheResultIsNot) {
  HandMade sass, ptx;
  halfStore(sass, ptx, 51);
  Explanation e = explain(sass, ptx, 0x00, 0x0e);
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("F2I.U8.F16.TRUNC.NTZ R5, R4"));
  EXPECT_THAT(partings(e.ptxSteps), ElementsAre("st.global.u8 [%rd1], %rs1"));
  EXPECT_EQ(e.thread, "thread (0,0,0) of block (0,0,0)");
  EXPECT_THAT(e.conclusion, HasSubstr("R4 = 0x250e"));
  EXPECT_THAT(e.conclusion, HasSubstr("%rs1"));
  EXPECT_THAT(e.conclusion, HasSubstr("stores 0x0e"));
  EXPECT_THAT(texts(e.ptxSteps), ElementsAre("st.global.u8 [%rd1], %rs1", "cvt.rn.f16.f32 %rs1, %f1"))
      << "and no further than both have the same";
  EXPECT_THAT(toText(e), HasSubstr("half 0.01974"));
}

TEST(Explain, WithoutLinesByValues) {
  HandMade sass, ptx;
  halfStore(sass, ptx, 0);
  Explanation e = explain(sass, ptx, 0x00, 0x0e, 0x0e, false);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("F2I.U8.F16.TRUNC.NTZ R5, R4"));
  EXPECT_THAT(e.alignment, HasSubstr("by their values"));
  EXPECT_THAT(texts(e.ptxSteps), ElementsAre("st.global.u8 [%rd1], %rs1", "cvt.rn.f16.f32 %rs1, %f1"));
}

TEST(Explain, AForgottenInstructionIsSeenAtItsUse) {
  // SASS stores what PTX masks first.
  HandMade sass, ptx;
  ptx.step("line 10", 10, "mul.lo.s32 %r1, %r0, 77777", {{"%r0", 5}}, {{"%r1", 0x123456}});
  ptx.step("line 11", 11, "and.b32 %r2, %r1, 15", {{"%r1", 0x123456}}, {{"%r2", 6}});
  ptx.step("line 12", 12, "st.global.u32 [%rd1], %r2", {{"%rd1", kOut}, {"%r2", 6}}, {})
      .access(kGlobal, kWrite, kOut, 4);
  sass.step("0x10", 10, "IMAD R1, R0, R7, RZ", {{"R0", 5}}, {{"R1", 0x123456}});
  sass.step("0x20", 12, "STG.E [R6], R1", {{"R6", 0x2000}, {"R1", 0x123456}}, {})
      .access(kGlobal, kWrite, kOut, 4);
  Explanation e = explain(sass, ptx, 0x56, 0x06);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("STG.E [R6], R1"));
  EXPECT_THAT(texts(e.ptxSteps),
              ElementsAre("st.global.u32 [%rd1], %r2", "and.b32 %r2, %r1, 15", "mul.lo.s32 %r1, %r0, 77777"));
}

TEST(Explain, AnotherThreadsValue) {
  HandMade sass, ptx;
  auto fill = [](HandMade& side, bool isSass, std::uint32_t wrong) {
    side.thread({0, 3});
    if (isSass)
      side.step("0x10", 5, "IMAD R1, R0, R0, RZ", {{"R0", 0x9999}}, {{"R1", wrong}});
    else
      side.step("line 5", 5, "mul.lo.s32 %r1, %r0, %r0", {{"%r0", 0x9999}}, {{"%r1", wrong}});
    side.thread({0, 0});
    if (isSass) {
      side.step("0x20", 6, "SHFL.BFLY PT, R2, R1, 0x3, 0x1f", {{"R1", wrong, 3}}, {{"R2", wrong}});
      side.step("0x30", 7, "STG.E [R6], R2", {{"R6", 0x2000}, {"R2", wrong}}, {})
          .access(kGlobal, kWrite, kOut, 4);
    } else {
      side.step("line 6", 6, "shfl.sync.bfly.b32 %r2, %r1, 3, 31, -1", {{"%r1", wrong, 3}}, {{"%r2", wrong}});
      side.step("line 7", 7, "st.global.u32 [%rd1], %r2", {{"%rd1", kOut}, {"%r2", wrong}}, {})
          .access(kGlobal, kWrite, kOut, 4);
    }
  };
  fill(sass, true, 0x71002);
  fill(ptx, false, 0x71003);
  Explanation e = explain(sass, ptx, 0x02, 0x03);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("IMAD R1, R0, R0, RZ"));
  EXPECT_THAT(toText(e), HasSubstr("of thread 3"));
}

TEST(Explain, ThroughSharedMemory) {
  HandMade sass, ptx;
  for (auto [side, value] : {std::pair{&sass, 0x81234u}, {&ptx, 0x85678u}}) {
    bool isSass = side == &sass;
    std::string r = isSass ? "R" : "%r";
    side->thread({0, 9});
    side->step("a", 3, isSass ? "LEA R1, R0, R0, 0x4" : "mad.lo.s32 %r1, %r0, 16, %r0", {{r + "0", 0x7777}},
               {{r + "1", value}});
    side->step("b", 4, isSass ? "STS [R4], R1" : "st.shared.u32 [%r4], %r1",
               {{r + "4", 36}, {r + "1", value}}, {})
        .access(kShared, kWrite, 36, 4);
    side->thread({0, 0});
    side->step("c", 5, isSass ? "LDS R2, [R5]" : "ld.shared.u32 %r2, [%r5]", {{r + "5", 36}},
               {{r + "2", value}})
        .access(kShared, kRead, 36, 4);
    side->step("d", 6, isSass ? "STG.E [R6], R2" : "st.global.u32 [%rd1], %r2",
               {{r + "6", 0x2000}, {r + "2", value}}, {})
        .access(kGlobal, kWrite, kOut, 4);
  }
  Explanation e = explain(sass, ptx, 0x34, 0x78);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("LEA R1, R0, R0, 0x4"));
  EXPECT_THAT(texts(e.sassSteps), testing::Contains("STS [R4], R1"));
}

TEST(Explain, SassLeavesBeforeTheStore) {
  HandMade sass, ptx;
  ptx.step("line 3", 3, "setp.lt.s32 %p1, %r1, %r2", {{"%r1", 0x80000000}, {"%r2", 5}}, {{"%p1", 1}});
  ptx.step("line 5", 5, "st.global.u8 [%rd1], %rs1", {{"%rd1", kOut}, {"%rs1", 0x250e}}, {})
      .access(kGlobal, kWrite, kOut, 1);
  sass.step("0x10", 3, "ISETP.GE.U32.AND P0, PT, R1, R2, PT", {{"R1", 0x80000000}, {"R2", 5}}, {{"P0", 1}});
  sass.step("0x20", 3, "@P0 EXIT", {}, {}).guard({"P0", 1}, true);
  sass.instruction("0x30", 5, "STG.E.U8 [R6], R5").instruction("0x40", 6, "EXIT");
  Explanation e = explain(sass, ptx, 0xaa, 0x0e);
  EXPECT_EQ(e.kind, Explanation::Kind::Control);
  EXPECT_THAT(e.conclusion, HasSubstr("SASS never stores to the byte"));
  EXPECT_THAT(e.conclusion, HasSubstr("@P0 EXIT"));
  EXPECT_THAT(texts(e.sassSteps), testing::Contains("ISETP.GE.U32.AND P0, PT, R1, R2, PT"));
}

TEST(Explain, AStoreToAnotherAddress) {
  HandMade sass, ptx;
  ptx.step("line 4", 4, "add.s64 %rd1, %rd0, %rd2", {{"%rd0", kIn}, {"%rd2", 0x2000}}, {{"%rd1", kOut}});
  ptx.step("line 5", 5, "st.global.u8 [%rd1], %rs1", {{"%rd1", kOut}, {"%rs1", 0x250e}}, {})
      .access(kGlobal, kWrite, kOut, 1);
  sass.step("0x10", 4, "IADD3 R6, R0, R2, RZ", {{"R0", 0}, {"R2", 0x2000}}, {{"R6", 0x2404}});
  sass.step("0x20", 5, "STG.E.U8 [R6], R5", {{"R6", 0x2404}, {"R5", 0x250e}}, {})
      .access(kGlobal, kWrite, kOut + 0x404, 1);
  Explanation e = explain(sass, ptx, 0xaa, 0x0e);
  EXPECT_EQ(e.kind, Explanation::Kind::Address);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("IADD3 R6, R0, R2, RZ"));
}

TEST(Explain, AnAccessThatFaults) {
  // The pointer itself has become the sum of something else.
  HandMade sass, ptx;
  ptx.step("line 10", 10, "ld.param.u64 %rd1, [out]", {}, {{"%rd1", kOut}});
  ptx.step("line 11", 11, "ld.global.u32 %r1, [%rd2]", {{"%rd2", kIn}}, {{"%r1", 0x123456}})
      .access(kGlobal, kRead, kIn, 4);
  ptx.step("line 12", 12, "st.global.u32 [%rd1], %r1", {{"%rd1", kOut}, {"%r1", 0x123456}}, {})
      .access(kGlobal, kWrite, kOut, 4);
  sass.step("0x10", 11, "LDG.E R1, [R4]", {{"R4", 0x1000}}, {{"R1", 0x123456}})
      .access(kGlobal, kRead, kIn, 4);
  sass.step("0x20", 12, "VIADD R2, R1, 0x3", {{"R1", 0x123456}}, {{"R2", 0x123459}});
  sass.step("0x30", 12, "STG.E [R2], R1", {{"R2", 0x123459}, {"R1", 0x123456}}, {})
      .access(kGlobal, kWrite, 0x123459, 4);
  Explanation e = explainFault(sass, ptx, {{}, 3}, Launch{}, true);
  EXPECT_EQ(e.kind, Explanation::Kind::Address);
  EXPECT_THAT(partings(e.sassSteps), ElementsAre("VIADD R2, R1, 0x3"));
  EXPECT_THAT(e.conclusion, HasSubstr("R1 = 0x123456 (%r1)"));
  EXPECT_THAT(partings(e.ptxSteps), ElementsAre("st.global.u32 [%rd1], %r1"));
}

TEST(Explain, WhatPtxHasWrongIsNoFaultOfPtxas) {
  HandMade sass, ptx;
  halfStore(sass, ptx, 51);
  Explanation e = explain(sass, ptx, 0x00, 0x77, 0x0e);
  EXPECT_EQ(e.kind, Explanation::Kind::Ptx);
  EXPECT_THAT(e.conclusion, HasSubstr("before ptxas sees it"));
  EXPECT_THAT(texts(e.ptxSteps), ElementsAre("st.global.u8 [%rd1], %rs1", "cvt.rn.f16.f32 %rs1, %f1",
                                             "ld.global.f32 %f1, [%rd8]"));
  EXPECT_THAT(e.sassSteps, testing::IsEmpty());
}

TEST(Explain, WithoutPtxTheChainAlone) {
  HandMade sass, ptx;
  halfStore(sass, ptx, 51);
  Launch launch;
  WrongByte byte{"out", 0, kOut, 0x0e, 0x00, std::nullopt};
  Explanation e = explainWithoutPtx(sass, byte, launch, "the PTX cannot be executed: wgmma");
  EXPECT_EQ(e.kind, Explanation::Kind::Open);
  EXPECT_THAT(e.conclusion, HasSubstr("wgmma"));
  EXPECT_THAT(partings(e.sassSteps), testing::IsEmpty());
  EXPECT_GE(e.sassSteps.size(), 3u);
}

/// A chain of so many instructions of which only the first is wrong, so that all of them are in the region.
Explanation longChain(unsigned length) {
  HandMade sass, ptx;
  for (unsigned i = 0; i < length; ++i) {
    std::uint32_t before = 0x10000 + i * 0x1010, after = before + 0x1010;
    std::string from = "%r" + std::to_string(i), to = "%r" + std::to_string(i + 1);
    ptx.step("line " + std::to_string(i + 10), i + 10, "add.s32 " + to + ", " + from + ", 4112",
             {{from, before}}, {{to, after}});
    std::uint32_t shift = i ? 0x333 : 0;
    sass.step("0x" + std::to_string(i), i + 10, "IADD3 R2, R2, 0x1010, RZ", {{"R2", before + shift}},
              {{"R2", after + 0x333}});
  }
  std::uint32_t right = 0x10000 + length * 0x1010;
  ptx.step("line 9", 9, "st.global.u32 [%rd1], %rN", {{"%rd1", kOut}, {"%r" + std::to_string(length), right}},
           {})
      .access(kGlobal, kWrite, kOut, 4);
  sass.step("store", 9, "STG.E [R6], R2", {{"R6", 0x2000}, {"R2", right + 0x333}}, {})
      .access(kGlobal, kWrite, kOut, 4);
  return explain(sass, ptx, static_cast<std::uint8_t>(right + 0x333), static_cast<std::uint8_t>(right));
}

TEST(Explain, OneScreenWhateverTheLength) {
  for (unsigned length : {1u, 5u, 8u, 9u, 10u, 60u}) {
    Explanation e = longChain(length);
    std::string text = toText(e, 110);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 50) << text;
    for (std::size_t from = 0; from < text.size(); from = text.find('\n', from) + 1) {
      std::string line = text.substr(from, text.find('\n', from) - from);
      auto columns =
          std::count_if(line.begin(), line.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; });
      EXPECT_LE(columns, 110) << line;
    }
    EXPECT_THAT(text, HasSubstr("=> 0x0 ")) << "the parting is never left out\n" << text;
  }
}

TEST(Explain, Json) {
  HandMade sass, ptx;
  halfStore(sass, ptx, 51);
  Explanation e = explain(sass, ptx, 0x00, 0x0e);
  e.cell = "halfstore@13.0.88/sm_90/O3";
  auto json = nlohmann::json::parse(toJson(e));
  EXPECT_EQ(json["cell"], "halfstore@13.0.88/sm_90/O3");
  EXPECT_EQ(json["kind"], "value");
  EXPECT_EQ(json["expected"], 14);
  EXPECT_EQ(json["sass_steps"][1]["text"], "F2I.U8.F16.TRUNC.NTZ R5, R4");
  EXPECT_EQ(json["sass_steps"][1]["parting"], true);
  EXPECT_EQ(json["sass_steps"][1]["reads"][0]["bits"], "0x250e");
  EXPECT_EQ(json["sass_steps"][1]["reads"][0]["same"], "%rs1 of line 48");
  EXPECT_EQ(json["verdict"], nullptr);
}

TEST(Explain, TenThousandInstructionsInASecond) {
  auto start = std::chrono::steady_clock::now();
  Explanation e = longChain(10'000);
  auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  RecordProperty("seconds", std::to_string(seconds));
  std::printf("%.3f s\n", seconds);
  EXPECT_LT(seconds, 5) << "on a busy machine; alone it takes a fraction of a second";
}

} // namespace
} // namespace harness::explain::test
