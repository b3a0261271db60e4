#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<SnippetInput> threads(std::size_t count) {
  SnippetInput input{"t", "b32", {}};
  for (std::size_t i = 0; i < count; ++i)
    input.values.push_back(i);
  return {input};
}

/// The only output under every schedule: it must be the same.
std::vector<std::uint64_t> underAllSchedules(const std::string& body, std::size_t count) {
  std::vector<std::uint64_t> first;
  for (Schedule schedule : kSchedules) {
    ExecutionOptions options;
    options.schedule = schedule;
    options.scheduleSeed = 3;
    auto result = runSnippet(body, threads(count), {{"d", "b32"}}, options);
    EXPECT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
    EXPECT_THAT(result.execution.undefined, IsEmpty());
    if (first.empty()) first = result.outputs[0];
    EXPECT_EQ(result.outputs[0], first) << toString(schedule);
  }
  return first;
}

constexpr const char* kShared = ".shared .u32 s[256]; .reg .u32 %a, %b; .reg .pred %p; mov.u32 %a, s;\n"
                                "mad.lo.u32 %b, t, 4, %a;\n";

TEST(PtxBarrier, AllThreadsOfTheBlock) {
  for (std::string form :
       {"bar.sync 0", "bar.cta.sync 1", "barrier.sync 0", "barrier.cta.sync.aligned 15, 256"}) {
    auto d = underAllSchedules(std::string(kShared) + "st.shared.u32 [%b], t; " + form +
                                   ";\n sub.u32 %b, 255, t; mad.lo.u32 %b, %b, 4, %a; ld.shared.u32 d, [%b];",
                               256);
    for (std::size_t i = 0; i < 256; ++i)
      EXPECT_EQ(d[i], 255 - i) << form;
  }
}

// Every round has another count, so that a result that is read too late is seen.
TEST(PtxBarrier, ReductionsOneAfterTheOther) {
  std::string body = ".reg .u32 %i, %x; .reg .pred %p, %q, %r; mov.u32 d, 0; mov.u32 %i, 0;\n"
                     "LOOP: setp.lt.u32 %p, t, %i;\n bar.red.popc.u32 %x, 0, %p;\n mad.lo.u32 d, d, 3, %x;\n"
                     "barrier.cta.red.or.aligned.pred %q, 0, 96, !%p;\n @%q add.u32 d, d, 1;\n"
                     "barrier.red.and.pred %r, 0, %p;\n @%r add.u32 d, d, 2;\n"
                     "add.u32 %i, %i, 7; setp.lt.u32 %p, %i, 120; @%p bra LOOP;";
  std::uint32_t expected = 0;
  for (unsigned i = 0; i < 120; i += 7)
    expected = expected * 3 + std::min(i, 96u) + (i < 96 ? 1 : 2);
  EXPECT_EQ(underAllSchedules(body, 96), std::vector<std::uint64_t>(96, expected));
}

// The first warp makes values, the second uses them; 20 rounds through two barriers.
TEST(PtxBarrier, ProducerAndConsumer) {
  std::string body =
      std::string(kShared) +
      ".reg .u32 %i, %x, %l; mov.u32 d, 0; mov.u32 %i, 0; and.b32 %l, t, 31;\n"
      "mad.lo.u32 %b, %l, 4, %a; setp.ge.u32 %p, t, 32; @%p bra CONSUME;\n"
      "PRODUCE: mad.lo.u32 %x, %i, 100, t; st.shared.u32 [%b], %x; bar.arrive 2, 64;\n bar.sync 3, 64;\n"
      "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 20; @%p bra PRODUCE;\n bra END;\n"
      "CONSUME: bar.sync 2, 64; ld.shared.u32 %x, [%b]; add.u32 d, d, %x; bar.arrive 3, 64;\n"
      "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 20; @%p bra CONSUME;\n END:";
  auto d = underAllSchedules(body, 64);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(d[i], i < 32 ? 0 : 19 * 20 / 2 * 100 + 20 * (i - 32));
}

TEST(PtxBarrier, TheNumberAndTheCountMayBeRegisters) {
  // Warps 0 and 1 meet at barrier 4, warps 2 and 3 at barrier 5; the last warp has 16 threads and counts
  // as 32.
  std::string body = std::string(kShared) +
                     ".reg .u32 %n, %c; shr.u32 %n, t, 6; add.u32 %n, %n, 4; mov.u32 %c, 64;\n"
                     "st.shared.u32 [%b], t; barrier.sync %n, %c;\n xor.b32 %n, t, 32; min.u32 %n, %n, 111;\n"
                     "mad.lo.u32 %b, %n, 4, %a; ld.shared.u32 d, [%b];";
  auto d = underAllSchedules(body, 112);
  for (std::size_t i = 0; i < 112; ++i)
    EXPECT_EQ(d[i], std::min<std::size_t>(i ^ 32, 111));
}

TEST(PtxBarrier, OnlyUnalignedBarriersMayStandInBothArmsOfABranch) {
  auto run = [](const std::string& form) {
    std::string body = ".reg .pred %p; setp.lt.u32 %p, t, 10; mov.u32 d, 1; @%p bra A;\n " + form +
                       "; bra END;\n A: " + form + ";\n END:";
    return runSnippet(body, threads(64), {{"d", "b32"}}).execution;
  };
  auto unaligned = run("barrier.sync 0");
  EXPECT_EQ(unaligned.end, ExecutionEnd::Completed);
  EXPECT_THAT(unaligned.undefined, IsEmpty());
  auto aligned = run("bar.sync 0");
  EXPECT_EQ(aligned.end, ExecutionEnd::Completed);
  EXPECT_THAT(aligned.undefined, ElementsAre(HasSubstr("not all lanes of the warp")));
}

TEST(PtxBarrier, Cluster) {
  auto d = underAllSchedules(
      std::string(kShared) +
          "st.shared.u32 [%b], t; barrier.cluster.arrive.release.aligned;\n mov.u32 d, t;\n"
          "barrier.cluster.wait.acquire.aligned;\n xor.b32 %b, t, 77; mad.lo.u32 %b, %b, 4, %a;\n"
          "ld.shared.u32 d, [%b]; barrier.cluster.arrive; barrier.cluster.wait;",
      128);
  for (std::size_t i = 0; i < 128; ++i)
    EXPECT_EQ(d[i], i ^ 77);
}

TEST(PtxBarrier, WhatItTakes) {
  auto run = [](const std::string& body) { return runSnippet(body, threads(64), {}).execution; };
  EXPECT_THAT(run("bar.sync 1, 40;").message, HasSubstr("it takes a multiple of 32"));
  EXPECT_EQ(run("bar.sync 1, 40;").end, ExecutionEnd::Fault);
  EXPECT_THAT(run("bar.sync 16;").message, HasSubstr("there are 0 to 15"));
  // No thread count: bar.arrive has none to leave out.
  EXPECT_EQ(run("bar.arrive 1;").end, ExecutionEnd::Unsupported);
  EXPECT_EQ(run("bar.sync 1, 128;").end, ExecutionEnd::Timeout);
  EXPECT_THAT(run("bar.arrive 1, 96; bar.arrive 1, 96;").undefined,
              ElementsAre(HasSubstr("again before it opened")));
}

} // namespace
} // namespace harness::ptx
