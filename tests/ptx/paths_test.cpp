// Lanes of a warp that go different ways.

#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

#include <cstring>
#include <span>

namespace harness::ptx {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Outcome {
  ExecutionResult execution;
  std::vector<std::uint32_t> words; ///< of the kernel's only buffer, zeros at first
};

/// Runs the kernel `k(.param .u64 out)` of a module whose header is added.
Outcome runKernel(const std::string& functions, unsigned threads, std::size_t words,
                  ExecutionOptions options) {
  Program program(parseModule(".version 8.0\n.target sm_90\n.address_size 64\n" + functions, "test"), "test");
  GlobalMemory memory;
  Launch launch;
  launch.block = {threads, 1, 1};
  Allocation& out = memory.allocate("out", words * 4, std::byte{0});
  std::vector<std::byte> pointer(8);
  std::memcpy(pointer.data(), &out.address, 8);
  launch.args.push_back(pointer);
  Outcome outcome;
  outcome.execution = execute(program, "k", launch, memory, options);
  outcome.words.resize(words);
  std::memcpy(outcome.words.data(), memory.bytes("out").data(), words * 4);
  return outcome;
}

/// All schedules, some seeds of the random one.
std::vector<ExecutionOptions> allSchedules() {
  std::vector<ExecutionOptions> all;
  for (Schedule schedule : kSchedules)
    for (std::uint64_t seed = 0; seed < (schedule == Schedule::Random ? 8 : 1); ++seed) {
      all.emplace_back().schedule = schedule;
      all.back().scheduleSeed = seed;
      all.back().maxWarpInstructions = std::uint64_t{1} << 26;
    }
  return all;
}

/// The kernel with thread t's `%t` and its word's address `%out`; `d` is stored at the end.
std::string kernel(const std::string& body, const std::string& before = "") {
  return before +
         ".visible .entry k(.param .u64 out)\n{\n .reg .u32 %t, %d; .reg .u64 %base, %out;\n"
         " mov.u32 %t, %tid.x; mov.u32 %d, 0; ld.param.u64 %base, [out]; mad.wide.u32 %out, %t, 4, %base;\n" +
         body + "\n st.global.u32 [%out], %d;\n ret;\n}\n";
}

/// Runs it under every schedule; every thread must leave f(thread).
template <typename F> void expectEverywhere(const std::string& text, unsigned threads, F f) {
  for (const ExecutionOptions& options : allSchedules()) {
    SCOPED_TRACE(std::string(toString(options.schedule)) + " " + std::to_string(options.scheduleSeed));
    Outcome outcome = runKernel(text, threads, threads, options);
    ASSERT_EQ(outcome.execution.end, ExecutionEnd::Completed) << outcome.execution.message;
    EXPECT_THAT(outcome.execution.undefined, IsEmpty());
    for (unsigned t = 0; t < threads; ++t)
      ASSERT_EQ(outcome.words[t], f(t)) << "thread " << t;
  }
}

TEST(PtxPaths, LoopsWithAnotherCountInEveryLaneAndABreak) {
  // Steps of the Collatz sequence from t + 1, at most 50.
  std::string body = ".reg .u32 %n, %b; .reg .pred %p;\n add.u32 %n, %t, 1;\n"
                     "LOOP: setp.eq.u32 %p, %n, 1; @%p bra DONE;\n setp.ge.u32 %p, %d, 50; @%p bra DONE;\n"
                     "and.b32 %b, %n, 1; setp.eq.u32 %p, %b, 0; @%p bra EVEN;\n"
                     "mad.lo.u32 %n, %n, 3, 1; bra NEXT;\n EVEN: shr.u32 %n, %n, 1;\n"
                     "NEXT: add.u32 %d, %d, 1; bra LOOP;\n DONE:";
  expectEverywhere(kernel(body), 96, [](unsigned t) {
    unsigned steps = 0;
    for (unsigned n = t + 1; n != 1 && steps < 50; ++steps)
      n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
  });
}

TEST(PtxPaths, ALoopThatIsEnteredInTheMiddle) {
  // Odd lanes begin with the second half of the loop.
  std::string body = ".reg .u32 %i, %b; .reg .pred %p;\n mov.u32 %i, 0; and.b32 %b, %t, 1;\n"
                     "setp.ne.u32 %p, %b, 0; @%p bra SECOND;\n FIRST: add.u32 %d, %d, 1;\n"
                     "SECOND: add.u32 %d, %d, 100; add.u32 %i, %i, 1; setp.le.u32 %p, %i, %t; @%p bra FIRST;";
  expectEverywhere(kernel(body), 32, [](unsigned t) { return (t + 1) * 100 + (t + 1) - t % 2; });
}

TEST(PtxPaths, IndexedBranches) {
  std::string body =
      ".reg .u32 %i; and.b32 %i, %t, 3;\n TABLE: .branchtargets A, B, A, C;\n brx.idx %i, TABLE;\n"
      "A: add.u32 %d, %d, 1; bra END;\n B: add.u32 %d, %d, 10;\n C: add.u32 %d, %d, 100;\n END:";
  expectEverywhere(kernel(body), 32, [](unsigned t) {
    constexpr unsigned kExpected[] = {1, 110, 1, 100};
    return kExpected[t % 4];
  });
}

TEST(PtxPaths, ShufflesInADivergedLoopAmongThoseStillInIt) {
  // Lanes leave after t % 5 rounds; in every round those that are left sum up their lane numbers by a
  // shuffle.
  std::string body =
      ".reg .u32 %i, %n, %m, %x, %l; .reg .pred %p;\n rem.u32 %n, %t, 5; mov.u32 %i, 0;\n"
      "mov.u32 %m, -1;\n LOOP: setp.lt.u32 %p, %i, %n;\n vote.sync.ballot.b32 %l, %p, %m;\n"
      "@!%p bra DONE;\n mov.u32 %m, %l;\n brev.b32 %x, %m; clz.b32 %x, %x;\n" // the first of them
      "shfl.sync.idx.b32 %x, %t, %x, 31, %m;\n add.u32 %d, %d, %x; add.u32 %i, %i, 1; bra LOOP;\n DONE:";
  expectEverywhere(kernel(body), 32, [](unsigned t) {
    unsigned sum = 0;
    for (unsigned i = 0; i < t % 5; ++i)
      sum += i + 1; // the first lane with t % 5 > i
    return sum;
  });
}

TEST(PtxPaths, LanesThatExitEarlyAreNotWaitedFor) {
  std::string body = ".reg .u32 %x; .reg .pred %p;\n setp.ge.u32 %p, %t, 20; @%p exit;\n"
                     "shfl.sync.idx.b32 %x, %t, 3, 31, 0xffffffff; bar.sync 0; bar.warp.sync 0xffffffff;\n"
                     "add.u32 %d, %x, %t;";
  expectEverywhere(kernel(body), 32, [](unsigned t) { return t < 20 ? t + 3 : 0; });
}

TEST(PtxPaths, WarpBarriersInBothArmsOfABranchMeet) {
  std::string body = ".reg .u32 %b; .reg .pred %p; .shared .u32 s[32]; .reg .u32 %a;\n and.b32 %b, %t, 1;\n"
                     "mov.u32 %a, s; mad.lo.u32 %a, %t, 4, %a; setp.ne.u32 %p, %b, 0; @%p bra ODD;\n"
                     "st.shared.u32 [%a], 5; bar.warp.sync -1; ld.shared.u32 %d, [%a+4]; bra END;\n"
                     "ODD: st.shared.u32 [%a], 7; bar.warp.sync -1; ld.shared.u32 %d, [%a+-4]; END:";
  expectEverywhere(kernel(body), 32, [](unsigned t) { return t % 2 ? 5u : 7u; });
}

constexpr const char* kLock = ".visible .global .u32 lock;\n.visible .global .u32 count;\n";

// Ten threads: two of every eight lanes.
TEST(PtxPaths, ASpinLockBetweenLanesAndWarps) {
  std::string body =
      ".reg .u32 %o, %c; .reg .pred %p; and.b32 %c, %t, 7; setp.gt.u32 %p, %c, 1; @%p bra END;\n"
      "LOOP: atom.global.cas.b32 %o, [lock], 0, 1; setp.ne.u32 %p, %o, 0; @%p bra LOOP;\n"
      "ld.volatile.global.u32 %c, [count]; add.u32 %c, %c, 1;\n"
      "st.volatile.global.u32 [count], %c; membar.gl; atom.global.exch.b32 %o, [lock], 0;\n"
      "END: bar.sync 0; ld.volatile.global.u32 %d, [count];";
  expectEverywhere(kernel(body, kLock), 34, [](unsigned) { return 10u; });
}

TEST(PtxPaths, ALaneThatWaitsForAnotherOfItsWarp) {
  std::string body =
      ".reg .u32 %c; .reg .pred %p;\n setp.eq.u32 %p, %t, 9; @%p bra GIVE;\n"
      "LOOP: ld.volatile.global.u32 %c, [count]; setp.eq.u32 %p, %c, 0; @%p bra LOOP;\n bra END;\n"
      "GIVE: st.volatile.global.u32 [count], 77; mov.u32 %c, 77;\n END: mov.u32 %d, %c;";
  expectEverywhere(kernel(body, kLock), 32, [](unsigned) { return 77u; });
}

constexpr const char* kFactorial = R"(.func (.param .b32 r) f(.param .b32 n)
{
  .reg .b32 %n, %x; .reg .pred %p;
  ld.param.b32 %n, [n];
  setp.gt.u32 %p, %n, 1;
  @%p bra MORE;
  mov.b32 %x, 1;
  bra END;
MORE:
  sub.u32 %x, %n, 1;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %x; call.uni (b), f, (a); ld.param.b32 %x, [b]; }
  mul.lo.u32 %x, %x, %n;
END:
  st.param.b32 [r], %x;
  ret;
}
)";

TEST(PtxPaths, RecursionToAnotherDepthInEveryLane) {
  std::string body = ".reg .u32 %n; .reg .pred %p; rem.u32 %n, %t, 9; setp.eq.u32 %p, %n, 4; @%p bra END;\n"
                     "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %n; call.uni (b), f, (a);\n"
                     "  ld.param.b32 %d, [b]; }\n END:";
  expectEverywhere(kernel(body, kFactorial), 64, [](unsigned t) {
    unsigned result = 1;
    for (unsigned n = t % 9; n > 1; --n)
      result *= n;
    return t % 9 == 4 ? 0 : result;
  });
}

TEST(PtxPaths, CallsThroughATableFromDivergedLanes) {
  std::string functions;
  for (int i = 0; i < 3; ++i) {
    std::string n = std::to_string(i);
    functions += ".func (.param .b32 r) g" + n +
                 "(.param .b32 x)\n{ .reg .b32 %x; ld.param.b32 %x, [x];\n"
                 " mad.lo.u32 %x, %x, " +
                 std::to_string(i + 2) + ", " + n + "; st.param.b32 [r], %x; ret; }\n";
  }
  functions += ".global .align 8 .u64 table[3] = {g0, g1, g2};\n";
  std::string body =
      ".reg .u32 %i; .reg .u64 %f; rem.u32 %i, %t, 3; mov.u64 %f, table; mad.wide.u32 %f, %i, 8, %f;\n"
      "ld.global.u64 %f, [%f];\n P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t; call (b), %f, (a), P;\n"
      "  ld.param.b32 %d, [b]; }";
  expectEverywhere(kernel(body, functions), 64, [](unsigned t) { return t * (t % 3 + 2) + t % 3; });
}

TEST(PtxPaths, ADeadlockIsATimeoutThatSaysWhoWaits) {
  std::string body = ".reg .pred %p; setp.lt.u32 %p, %t, 4; @%p bra A;\n bar.warp.sync -1; bra END;\n"
                     "A: bar.sync 3; END:";
  for (const ExecutionOptions& options : allSchedules()) {
    Outcome outcome = runKernel(kernel(body), 32, 32, options);
    EXPECT_EQ(outcome.execution.end, ExecutionEnd::Timeout);
    EXPECT_THAT(outcome.execution.message, HasSubstr("deadlock"));
    EXPECT_THAT(outcome.execution.message, HasSubstr("bar.sync 3"));
    EXPECT_THAT(outcome.execution.message, HasSubstr("bar.warp.sync"));
  }
}

} // namespace
} // namespace harness::ptx
