#include "harness/sass/trace.h"

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace harness::sass::test {
namespace {

using testing::ElementsAre;

/// "R4=0x5", in order.
std::vector<std::string> shown(const Trace& trace, std::span<const TraceValue> values) {
  std::vector<std::string> result;
  for (const TraceValue& value : values) {
    std::string text = trace.name(value) + "=" + std::to_string(value.bits);
    if (value.thread != TraceValue::kOwn) text += " of " + std::to_string(value.thread);
    result.push_back(text);
  }
  return result;
}

const TraceStep& stepOf(const Trace& trace, std::string_view opcode, unsigned occurrence = 0) {
  for (const TraceStep& step : trace.steps())
    if (trace.instruction(step).text.find(opcode) != std::string::npos && step.occurrence == occurrence)
      return step;
  throw std::runtime_error("no step " + std::string(opcode));
}

TEST(SassTrace, ReadsAndWritesOfOneLane) {
  Assembly a(80);
  a.lines(
      "S2R R2, SR_TID.X\nIADD3 R4, R2, 0x10, RZ\nISETP.GT.AND P0, PT, R4, 0x14, PT\n@P0 MOV R5, R4\n@!P0 MOV "
      "R5, 0x7\nEXIT");
  const Trace& trace = a.traced(32).trace({0, 5});
  EXPECT_EQ(trace.steps().size(), 6u);
  const TraceStep& add = stepOf(trace, "IADD3");
  EXPECT_THAT(shown(trace, trace.reads(add)), ElementsAre("R2=5"));
  EXPECT_THAT(shown(trace, trace.writes(add)), ElementsAre("R4=21"));
  EXPECT_THAT(shown(trace, trace.writes(stepOf(trace, "ISETP"))), ElementsAre("P0=1"));
  const TraceStep& taken = stepOf(trace, "@P0");
  EXPECT_TRUE(taken.executed);
  EXPECT_THAT(shown(trace, trace.reads(taken)), ElementsAre("P0=1", "R4=21"));
  const TraceStep& passed = stepOf(trace, "@!P0");
  EXPECT_FALSE(passed.executed);
  EXPECT_THAT(shown(trace, trace.reads(passed)), ElementsAre("P0=1"));
  EXPECT_THAT(shown(trace, trace.writes(passed)), ElementsAre("R5=21")) << "left as it was";
}

TEST(SassTrace, MemoryAndItsBytes) {
  Assembly a(80);
  a.buffer("in", {0x11223344, 0x55667788}).buffer("out", {0, 0});
  a.pointer(2, "in").pointer(4, "out");
  a.lines("LDG.E.64 R6, " + a.at(2) + "\nSTG.E.U8 " + a.at(4, 5) + ", R7\nEXIT");
  TracedLaunch& launch = a.traced(1);
  const Trace& trace = launch.trace({0, 0});
  const TraceStep& load = stepOf(trace, "LDG");
  ASSERT_TRUE(trace.access(load));
  EXPECT_EQ(trace.access(load)->address, a.address("in"));
  EXPECT_EQ(trace.access(load)->bytes, 8u);
  EXPECT_THAT(shown(trace, trace.writes(load)),
              ElementsAre("R6=" + std::to_string(0x11223344), "R7=" + std::to_string(0x55667788)));
  EXPECT_EQ(trace.writes(load)[1].memoryOffset, 4);
  const TraceStep& store = stepOf(trace, "STG");
  ASSERT_TRUE(trace.access(store));
  EXPECT_EQ(trace.access(store)->kind, TraceAccess::Kind::Write);
  const TraceValue& data = trace.reads(store).back();
  EXPECT_EQ(trace.name(data), "R7");
  EXPECT_EQ(data.memoryOffset, 0);
  EXPECT_EQ(data.memoryBytes, 1);

  auto last = launch.lastStore(TraceSpace::Global, 0, a.address("out") + 5);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->order, store.order);
  EXPECT_FALSE(launch.lastStore(TraceSpace::Global, 0, a.address("out") + 5, store.order));
  EXPECT_FALSE(launch.lastStore(TraceSpace::Global, 0, a.address("out") + 4));
}

TEST(SassTrace, ShufflesReadAnotherThread) {
  Assembly a(80);
  a.lines(
      "S2R R2, SR_TID.X\nIADD3 R3, R2, 0x64, RZ\nSHFL.BFLY PT, R4, R3, 0x2, 0x1f\nVOTE.ANY R5, PT, P0\nEXIT");
  const Trace& trace = a.traced(64).trace({0, 37});
  const TraceStep& shuffle = stepOf(trace, "SHFL");
  EXPECT_THAT(shown(trace, trace.reads(shuffle)), ElementsAre("R3=139 of 39"));
  EXPECT_THAT(shown(trace, trace.writes(shuffle)), ElementsAre("R4=139"));
  EXPECT_EQ(trace.reads(stepOf(trace, "VOTE")).size(), 32u);
}

/// Of a product the lane has a row and two columns, which four and eight lanes hold.
TEST(SassTrace, MatricesAreReadFromOtherLanes) {
  Assembly a(80);
  a.lines("S2R R4, SR_TID.X\nMOV R8, R4\nHMMA.1684.F32.TF32 R12, R4, R8, RZ\nEXIT");
  const Trace& trace = a.traced(64).trace({0, 37});
  const TraceStep& step = stepOf(trace, "HMMA");
  std::map<std::string, std::set<std::uint32_t>> threads;
  for (const TraceValue& value : trace.reads(step))
    threads[trace.name(value)].insert(value.thread == TraceValue::kOwn ? 37 : value.thread);
  std::set<std::uint32_t> row = {36, 37, 38, 39}, columns = {40, 41, 42, 43, 44, 45, 46, 47};
  EXPECT_EQ(threads,
            (std::map<std::string, std::set<std::uint32_t>>{{"R4", row}, {"R5", row}, {"R8", columns}}));
  EXPECT_EQ(trace.writes(step).size(), 4u);
  EXPECT_FALSE(trace.instruction(step).opaque);
}

TEST(SassTrace, LoopsAndUntil) {
  Assembly a(80);
  a.add("MOV R2, 0x3").label("again").lines("IADD3 R2, R2, -0x1, RZ\nISETP.NE.AND P0, PT, R2, RZ, PT");
  a.add("@P0 BRA {again}").add("EXIT");
  TracedLaunch& launch = a.traced(1);
  const Trace& whole = launch.trace({0, 0});
  EXPECT_EQ(stepOf(whole, "IADD3", 2).occurrence, 2u);
  EXPECT_THAT(shown(whole, whole.writes(stepOf(whole, "IADD3", 2))), ElementsAre("R2=0"));
  std::uint64_t second = stepOf(whole, "IADD3", 1).order;
  EXPECT_EQ(a.traced(1).trace({0, 0}, second).steps().back().order, second);
}

TEST(SassTrace, WritesThatNoTableTells) {
  Assembly a(80);
  a.lines("CS2R R4, SRZ\nLEPC R6\nEXIT");
  const Trace& trace = a.traced(1).trace({0, 0});
  EXPECT_THAT(shown(trace, trace.writes(stepOf(trace, "CS2R"))), ElementsAre("R4=0", "R5=0"));
}

TEST(SassTrace, AnotherBlock) {
  Assembly a(80);
  a.buffer("out", {0, 0, 0});
  a.pointer(4, "out");
  a.lines("S2R R2, SR_CTAID.X\nIMAD.WIDE R4, R2, 0x4, R4\nSTG.E " + a.at(4) + ", R2\nEXIT");
  TracedLaunch& launch = a.traced(1, 3);
  auto last = launch.lastStore(TraceSpace::Global, 0, a.address("out") + 8);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->thread, (ThreadId{2, 0}));
  const Trace& trace = launch.trace(last->thread, last->order);
  EXPECT_EQ(trace.steps().back().order, last->order);
  EXPECT_EQ(trace.access(trace.steps().back())->address, a.address("out") + 8);
}

} // namespace
} // namespace harness::sass::test
