#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::uint64_t> words(std::size_t count, std::uint64_t first) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(first + i);
  return values;
}

/// A slot of 16 bytes a thread in shared memory, at %s; 0 at first.
constexpr const char* kSlot = ".shared .align 16 .b8 s[4096]; .reg .u32 %s, %x; mov.u32 %s, %tid.x;\n"
                              "mad.lo.u32 %s, %s, 16, s; st.shared.v2.b64 [%s], {0, 0};\n";

TEST(PtxAsync, DataArrivesAtTheWait) {
  auto a = words(64, 1000), b = words(64, 5000);
  std::string copies = std::string(kSlot) +
                       "cp.async.ca.shared.global [%s], [%at_a], 4; cp.async.commit_group;\n"
                       "cp.async.ca.shared.global [%s+4], [%at_b], 4; cp.async.commit_group;\n";
  auto result = runSnippet(
      copies +
          "cp.async.wait_group 1; ld.shared.u32 d, [%s]; cp.async.wait_group 0; ld.shared.u32 e, [%s+4];",
      {{"a", "b32", a}, {"b", "b32", b}}, {{"d", "b32"}, {"e", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_THAT(result.execution.unwritten, IsEmpty());
  EXPECT_EQ(result.outputs[0], a);
  EXPECT_EQ(result.outputs[1], b);
  // One group too few.
  auto early = runSnippet(copies + "cp.async.wait_group 1; ld.shared.u32 d, [%s+4]; cp.async.wait_all;",
                          {{"a", "b32", a}, {"b", "b32", b}}, {{"d", "b32"}});
  EXPECT_THAT(early.execution.unwritten, ElementsAre(HasSubstr("nobody wrote")));
  EXPECT_EQ(early.outputs[0], std::vector<std::uint64_t>(64, 0));
}

TEST(PtxAsync, WaitAllTakesWhatHasNoGroup) {
  auto a = words(32, 7);
  std::string body = std::string(kSlot) + "cp.async.ca.shared::cta.global.L2::128B [%s+8], [%at_a], 8;\n";
  EXPECT_EQ(evaluate(body + "cp.async.wait_all; ld.shared.u64 d, [%s+8];", {{"a", "b64", a}}, {"d", "b64"}),
            a);
  auto early =
      runSnippet(body + "cp.async.wait_group 0; ld.shared.u64 d, [%s+8];", {{"a", "b64", a}}, {{"d", "b64"}});
  EXPECT_EQ(early.outputs[0], std::vector<std::uint64_t>(32, 0));
}

TEST(PtxAsync, WhatIsNotCopiedBecomesZero) {
  std::string body =
      std::string(kSlot) + "st.shared.v2.b64 [%s], {-1, -1}; .reg .pred p; .reg .u32 n; and.b32 n, c, 15;\n";
  auto a = words(16, 0x8877665544332200), c = words(16, 0);
  auto partly = evaluate(body + "min.u32 n, n, 8; cp.async.ca.shared.global [%s], [%at_a], 8, n; "
                                "cp.async.wait_all; ld.shared.u64 d, [%s];",
                         {{"a", "b64", a}, {"c", "b32", c}}, {"d", "b64"});
  auto ignored = evaluate(body + "setp.ge.u32 p, n, 9; cp.async.ca.shared.global [%s], [%at_a], 8, p; "
                                 "cp.async.wait_all; ld.shared.u64 d, [%s];",
                          {{"a", "b64", a}, {"c", "b32", c}}, {"d", "b64"});
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(partly[i], i >= 8 ? a[i] : a[i] & ((std::uint64_t{1} << 8 * i) - 1));
    EXPECT_EQ(ignored[i], i >= 9 ? 0 : a[i]);
  }
}

TEST(PtxAsync, SixteenBytes) {
  std::string body = std::string(kSlot) +
                     ".reg .u64 g; and.b64 g, %at_a, -16; cp.async.cg.shared.global [%s], [g], 16;\n"
                     "cp.async.wait_all; ld.shared.v2.u64 {d, e}, [%s];";
  auto result = runSnippet(body, {{"a", "b64", words(32, 70)}}, {{"d", "b64"}, {"e", "b64"}});
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(result.outputs[0][i], 70 + i / 2 * 2);
    EXPECT_EQ(result.outputs[1][i], 71 + i / 2 * 2);
  }
  EXPECT_EQ(
      runSnippet(std::string(kSlot) + "cp.async.cg.shared.global [%s], [%at_a], 8;", {{"a", "b64", {1}}}, {})
          .execution.end,
      ExecutionEnd::Unsupported);
}

// Warp 1 makes values in rounds, warp 0 waits for each by the phase's parity.
TEST(PtxAsync, PhasesOfAnMbarrier) {
  std::string body =
      ".shared .align 8 .b64 full, empty; .shared .u32 s[32]; .reg .u32 %t, %l, %i, %x, %q; .reg .b64 st; "
      ".reg .pred p, w;\n"
      "mov.u32 %t, %tid.x; and.b32 %l, %t, 31; mad.lo.u32 %l, %l, 4, s; mov.u32 %i, 0; mov.u32 d, 0;\n"
      "setp.eq.u32 p, %t, 0; @p mbarrier.init.shared::cta.b64 [full], 32; @p mbarrier.init.shared.b64 "
      "[empty], 32;\n"
      "bar.sync 0; setp.ge.u32 p, %t, 32; @p bra MAKE;\n"
      "USE: and.b32 %q, %i, 1;\n"
      "W1: mbarrier.try_wait.parity.shared::cta.b64 w, [full], %q; @!w bra W1;\n"
      "ld.shared.u32 %x, [%l]; mad.lo.u32 d, d, 3, %x; mbarrier.arrive.release.cta.shared::cta.b64 _, "
      "[empty];\n"
      "add.u32 %i, %i, 1; setp.lt.u32 p, %i, 10; @p bra USE; bra END;\n"
      "MAKE: and.b32 %q, %i, 1; xor.b32 %q, %q, 1;\n"
      "W2: mbarrier.test_wait.parity.shared.b64 w, [empty], %q; @!w bra W2;\n"
      "mad.lo.u32 %x, %i, 100, %t; st.shared.u32 [%l], %x; mbarrier.arrive.shared.b64 st, [full];\n"
      "add.u32 %i, %i, 1; setp.lt.u32 p, %i, 10; @p bra MAKE;\n END:";
  for (Schedule schedule : kSchedules) {
    ExecutionOptions options;
    options.schedule = schedule;
    auto result = runSnippet(body, {{"a", "b32", words(64, 0)}}, {{"d", "b32"}}, options);
    ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
    EXPECT_THAT(result.execution.unwritten, IsEmpty());
    EXPECT_THAT(result.execution.undefined, IsEmpty());
    for (std::uint32_t t = 0; t < 32; ++t) {
      std::uint32_t expected = 0;
      for (std::uint32_t i = 0; i < 10; ++i)
        expected = expected * 3 + i * 100 + t + 32;
      EXPECT_EQ(result.outputs[0][t], expected);
    }
  }
}

TEST(PtxAsync, CountsOfAnMbarrier) {
  std::string body =
      ".shared .align 8 .b64 m; .reg .b64 st, old; .reg .pred p; .reg .u32 %n; mov.u32 d, 0;\n"
      "mbarrier.init.shared.b64 [m], 5; mbarrier.arrive.shared.b64 old, [m], 2;\n"
      "mbarrier.arrive_drop.shared.b64 st, [m]; mbarrier.pending_count.b64 e, st;\n"
      "mbarrier.test_wait.shared.b64 p, [m], old; @p add.u32 d, d, 1;\n" // not yet
      "mbarrier.arrive.expect_tx.shared.b64 st, [m], 64; mbarrier.arrive.shared.b64 st, [m];\n"
      "mbarrier.test_wait.shared.b64 p, [m], old; @p add.u32 d, d, 10;\n" // 64 bytes are missing
      "mbarrier.expect_tx.relaxed.cta.shared.b64 [m], 16; mbarrier.complete_tx.relaxed.cta.shared.b64 [m], "
      "80;\n"
      "mbarrier.test_wait.shared.b64 p, [m], old; @p add.u32 d, d, 100;\n" // now
      "mbarrier.arrive.noComplete.shared.b64 st, [m], 3; mbarrier.pending_count.b64 f, st;\n"
      "mbarrier.arrive.shared.b64 st, [m]; mbarrier.test_wait.parity.shared.b64 p, [m], 1; @p add.u32 d, d, "
      "1000;\n"
      "mbarrier.inval.shared.b64 [m];";
  auto result = runSnippet(body, {{"a", "b32", {0}}}, {{"d", "b32"}, {"e", "b32"}, {"f", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_THAT(result.execution.unwritten, IsEmpty());
  EXPECT_THAT(result.execution.undefined, IsEmpty());
  EXPECT_EQ(result.outputs[0][0], 1100u);
  EXPECT_EQ(result.outputs[1][0], 3u); // pending before the drop
  EXPECT_EQ(result.outputs[2][0], 4u); // one fewer in the second phase
}

TEST(PtxAsync, WhatAnMbarrierIsNotFor) {
  auto run = [](const std::string& body) {
    return runSnippet(".shared .align 8 .b64 m; .reg .b64 st;\n" + body, {{"a", "b32", {0}}}, {}).execution;
  };
  EXPECT_THAT(run("mbarrier.arrive.shared.b64 st, [m];").undefined,
              testing::Contains(HasSubstr("not initialised")));
  EXPECT_THAT(run("mbarrier.init.shared.b64 [m], 1; mbarrier.arrive.shared.b64 st, [m], 2;").undefined,
              ElementsAre(HasSubstr("more arrivals")));
  EXPECT_EQ(run("mbarrier.init.shared.b64 [m], 0;").end, ExecutionEnd::Fault);
}

TEST(PtxAsync, CopiesThatArriveAtAnMbarrier) {
  std::string body =
      std::string(kSlot) +
      ".shared .align 8 .b64 m; .reg .pred p; setp.eq.u32 p, a, 100; @p mbarrier.init.shared.b64 [m], 64; "
      "bar.sync 0;\n"
      "cp.async.ca.shared.global [%s], [%at_a], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [m];\n"
      "W: mbarrier.try_wait.parity.shared.b64 p, [m], 0; @!p bra W;\n"
      "xor.b32 %x, a, 0; sub.u32 %x, 163, a; mad.lo.u32 %x, %x, 16, s; ld.shared.u32 d, [%x];";
  auto d = evaluate(body, {{"a", "b32", words(64, 100)}}, {"d", "b32"});
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(d[i], 163 - i);
}

TEST(PtxAsync, BulkCopies) {
  std::string body =
      ".shared .align 16 .b8 s[256]; .shared .align 8 .b64 m; .reg .pred p, f; .reg .b64 st, g; .reg .u32 "
      "%i;\n"
      "mov.u32 %i, %tid.x; setp.eq.u32 f, %i, 0; @!f bra WAIT;\n"
      "mbarrier.init.shared.b64 [m], 1; mbarrier.arrive.expect_tx.shared.b64 st, [m], 256;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%at_a], 256, [m];\n"
      "WAIT: bar.sync 0; W: mbarrier.try_wait.parity.shared.b64 p, [m], 0; @!p bra W;\n"
      "sub.u32 %i, 31, %i; mad.lo.u32 %i, %i, 8, s; ld.shared.u64 d, [%i]; bar.sync 0;\n"
      "@f cp.async.bulk.global.shared::cta.bulk_group [%at_e], [s], 256; @f cp.async.bulk.commit_group;\n"
      "@f cp.async.bulk.wait_group.read 0; bar.sync 0; ld.global.u64 e, [%at_e];";
  auto a = words(32, 900);
  auto result = runSnippet(body, {{"a", "b64", a}}, {{"d", "b64"}, {"e", "b64"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_THAT(result.execution.unwritten, IsEmpty());
  EXPECT_THAT(result.execution.undefined, IsEmpty());
  EXPECT_EQ(result.outputs[1], a);
  std::reverse(a.begin(), a.end());
  EXPECT_EQ(result.outputs[0], a);
}

} // namespace
} // namespace harness::ptx
