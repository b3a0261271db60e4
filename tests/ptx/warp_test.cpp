#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::uint64_t> randomWords(std::size_t count, std::uint64_t seed,
                                       std::uint64_t keep = 0xffffffff) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words)
    word = random() & keep;
  return words;
}

std::vector<std::uint64_t> ofLanes(std::size_t count, auto f) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(f(i));
  return values;
}

// The width and delta of CUDA's __shfl_*_sync(mask, value, delta, width): a segment of `width` lanes, those
// that would read outside of theirs keep their own value.
TEST(PtxWarp, ShufflesInSegmentsOfEveryWidth) {
  for (unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (std::string mode : {"up", "down", "bfly", "idx"}) {
      auto values = randomWords(256, width);
      auto delta = ofLanes(256, [](std::size_t i) { return i / 32 * 4 + i / 32 % 4; }); // one a warp
      std::string c = std::to_string((32 - width) << 8 | (mode == "up" ? 0 : 31));
      auto result = runSnippet(".reg .pred p; mov.u32 e, 0;\n shfl.sync." + mode + ".b32 d|p, a, b, " + c +
                                   ", 0xffffffff;\n @p mov.u32 e, 1;",
                               {{"a", "b32", values}, {"b", "b32", delta}}, {{"d", "b32"}, {"e", "b32"}});
      ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
      ASSERT_THAT(result.execution.unwritten, IsEmpty());
      ASSERT_THAT(result.execution.undefined, IsEmpty());
      for (std::size_t i = 0; i < 256; ++i) {
        auto lane = static_cast<int>(i % 32), by = static_cast<int>(delta[i]), w = static_cast<int>(width);
        int inside = lane % w, begin = lane - inside, from = 0;
        bool there = true;
        if (mode == "up") from = inside - by, there = from >= 0;
        if (mode == "down") from = inside + by, there = from < w;
        // An xor may leave the segment downwards.
        if (mode == "bfly") from = (lane ^ by) - begin, there = from < w;
        if (mode == "idx") from = by % w;
        std::size_t source = there ? i / 32 * 32 + static_cast<std::size_t>(begin + from) : i;
        ASSERT_EQ(result.outputs[0][i], values[source])
            << mode << " width " << width << " lane " << lane << " by " << by;
        ASSERT_EQ(result.outputs[1][i], there)
            << mode << " width " << width << " lane " << lane << " by " << by;
      }
    }
  }
}

TEST(PtxWarp, TilesOfOneWarpShuffleAmongThemselves) {
  auto values = randomWords(32, 5);
  auto masks = ofLanes(32, [](std::size_t i) { return i < 16 ? 0xffffu : 0xffff0000u; });
  for (Schedule schedule : kSchedules) {
    ExecutionOptions options;
    options.schedule = schedule;
    // Together, and each in its own arm of a branch.
    std::string body = ".reg .pred p; .reg .b32 x, y;\n"
                       "shfl.sync.bfly.b32 x, a, 5, 31, m;\n"
                       "setp.lo.u32 p, m, 0x10000;\n @p bra LOW;\n"
                       "shfl.sync.bfly.b32 y, x, 3, 31, m;\n bra END;\n"
                       "LOW: shfl.sync.bfly.b32 y, x, 6, 31, m;\n"
                       "END: mov.b32 d, y;";
    auto result = runSnippet(body, {{"a", "b32", values}, {"m", "b32", masks}}, {{"d", "b32"}}, options);
    ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
    EXPECT_THAT(result.execution.unwritten, IsEmpty());
    EXPECT_THAT(result.execution.undefined, IsEmpty());
    for (std::size_t i = 0; i < 32; ++i)
      EXPECT_EQ(result.outputs[0][i], values[i ^ 5 ^ (i < 16 ? 6 : 3)]);
  }
}

TEST(PtxWarp, AValueFromALaneThatIsNotThereCountsAsWrittenByNobody) {
  std::string body = ".reg .b32 x; .reg .pred p; mov.u32 d, a; setp.lo.u32 p, a, 8;\n"
                     "@!p bra END;\n shfl.sync.down.b32 x, a, 4, 31, 0xff;\n ";
  auto lanes = ofLanes(32, [](std::size_t i) { return i; });
  // Lanes 4 to 7 read lanes 8 to 11. Only lanes 0 to 3 use what they get, then all.
  auto fine =
      runSnippet(body + "setp.lo.u32 p, a, 4; @p mov.u32 d, x; END:", {{"a", "b32", lanes}}, {{"d", "b32"}});
  EXPECT_THAT(fine.execution.unwritten, IsEmpty());
  for (std::size_t i = 0; i < 32; ++i)
    EXPECT_EQ(fine.outputs[0][i], i < 4 ? i + 4 : i);
  auto bad = runSnippet(body + "mov.u32 d, x; END:", {{"a", "b32", lanes}}, {{"d", "b32"}});
  EXPECT_THAT(bad.execution.unwritten, ElementsAre(HasSubstr("first in lane 4")));
}

TEST(PtxWarp, AShuffleCarriesWhetherItsSourceLaneWroteTheValue) {
  // Only even lanes write x; lanes read their neighbour's.
  std::string body = ".reg .b32 x, t; .reg .pred p, q; and.b32 t, a, 1; setp.eq.u32 p, t, 0;\n"
                     "@p mov.u32 x, a; shfl.sync.bfly.b32 x, x, 1, 31, -1; mov.u32 d, 0;\n";
  auto lanes = ofLanes(32, [](std::size_t i) { return i; });
  auto odd = runSnippet(body + "@!p mov.u32 d, x;", {{"a", "b32", lanes}}, {{"d", "b32"}});
  EXPECT_THAT(odd.execution.unwritten, IsEmpty()) << testing::PrintToString(odd.outputs[0]);
  EXPECT_EQ(odd.outputs[0][5], 4u);
  auto even = runSnippet(body + "@p mov.u32 d, x;", {{"a", "b32", lanes}}, {{"d", "b32"}});
  EXPECT_THAT(even.execution.unwritten, ElementsAre(HasSubstr("a value that nobody wrote (first in lane 0")));
}

TEST(PtxWarp, Votes) {
  // A warp each: random, all, none.
  auto a = randomWords(96, 7, 1);
  std::fill(a.begin() + 32, a.begin() + 64, 1);
  std::fill(a.begin() + 64, a.end(), 0);
  for (std::uint64_t members : {0xffffffffull, 0x00ff00f0ull}) {
    std::string m = std::to_string(members);
    std::string body = ".reg .pred p, in, all, any, uni; .reg .b32 t, l; mov.u32 d, 0; mov.u32 e, 0;\n"
                       "mov.u32 l, %laneid; shr.u32 t, " +
                       m +
                       ", l; and.b32 t, t, 1; setp.ne.u32 in, t, 0;\n"
                       "setp.ne.u32 p, a, 0;\n @!in bra END;\n"
                       "vote.sync.ballot.b32 d, p, " +
                       m + ";\n vote.sync.all.pred all, p, " + m +
                       ";\n"
                       "vote.sync.any.pred any, !p, " +
                       m + ";\n vote.sync.uni.pred uni, p, " + m +
                       ";\n"
                       "@all add.u32 e, e, 1; @any add.u32 e, e, 2; @uni add.u32 e, e, 4;\n END:";
    auto result = runSnippet(body, {{"a", "b32", a}}, {{"d", "b32"}, {"e", "b32"}});
    ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
    for (std::size_t i = 0; i < 96; ++i) {
      std::uint64_t ballot = 0;
      for (std::size_t lane = 0; lane < 32; ++lane)
        ballot |= a[i / 32 * 32 + lane] << lane;
      ballot &= members;
      bool in = members >> i % 32 & 1, all = ballot == members, none = ballot == 0;
      ASSERT_EQ(result.outputs[0][i], in ? ballot : 0);
      ASSERT_EQ(result.outputs[1][i], in ? all + 2 * !all + 4 * (all || none) : 0);
    }
  }
}

TEST(PtxWarp, Matches) {
  auto a = randomWords(64, 8, 3);
  for (std::size_t i = 0; i < 32; ++i)
    a[i] |= 0x500000000; // above 32 bits; all equal below in the second warp
  std::fill(a.begin() + 32, a.end(), 0x700000009);
  std::string body = ".reg .pred p; .reg .b32 x; cvt.u32.u64 x, a; match.any.sync.b32 c, x, -1;\n"
                     "match.any.sync.b64 d, a, -1; mov.u32 f, 0;\n"
                     "match.all.sync.b64 e|p, a, 0xffffffff; @p mov.u32 f, 1;";
  auto result = runSnippet(body, {{"a", "b64", a}}, {{"c", "b32"}, {"d", "b32"}, {"e", "b32"}, {"f", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint64_t same = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
      same |= std::uint64_t{a[i / 32 * 32 + lane] == a[i]} << lane;
    EXPECT_EQ(result.outputs[0][i], same);
    EXPECT_EQ(result.outputs[1][i], same);
    EXPECT_EQ(result.outputs[2][i], i < 32 ? 0 : 0xffffffff);
    EXPECT_EQ(result.outputs[3][i], i < 32 ? 0 : 1);
  }
}

TEST(PtxWarp, ReducesIntegers) {
  auto a = randomWords(32, 9);
  auto reduce = [&](auto f) {
    std::uint32_t result = static_cast<std::uint32_t>(a[0]);
    for (std::size_t i = 1; i < 32; ++i)
      result = static_cast<std::uint32_t>(f(result, static_cast<std::uint32_t>(a[i])));
    return result;
  };
  auto check = [&](const std::string& form, std::uint32_t expected) {
    auto d = evaluate("redux.sync." + form + " d, a, 0xffffffff;", {{"a", "b32", a}}, {"d", "b32"});
    EXPECT_EQ(d, std::vector<std::uint64_t>(32, expected)) << form;
  };
  using U = std::uint32_t;
  check("add.u32", reduce([](U x, U y) { return x + y; }));
  check("add.s32", reduce([](U x, U y) { return x + y; }));
  check("min.u32", reduce([](U x, U y) { return x < y ? x : y; }));
  check("max.u32", reduce([](U x, U y) { return x < y ? y : x; }));
  check("min.s32", reduce([](U x, U y) { return int(x) < int(y) ? x : y; }));
  check("max.s32", reduce([](U x, U y) { return int(x) < int(y) ? y : x; }));
  check("and.b32", reduce([](U x, U y) { return x & y; }));
  check("or.b32", reduce([](U x, U y) { return x | y; }));
  check("xor.b32", reduce([](U x, U y) { return x ^ y; }));
}

TEST(PtxWarp, ReducesFloats) {
  auto bits = [](float f) { return std::uint64_t{std::bit_cast<std::uint32_t>(f)}; };
  auto a = ofLanes(32, [&](std::size_t i) { return bits(static_cast<float>(i) - 20.5f); });
  auto reduce = [&](const std::string& form, const std::vector<std::uint64_t>& values) {
    return evaluate("redux.sync." + form + ".f32 d, a, -1;", {{"a", "b32", values}}, {"d", "b32"})[3];
  };
  EXPECT_EQ(reduce("min", a), bits(-20.5f));
  EXPECT_EQ(reduce("max", a), bits(10.5f));
  EXPECT_EQ(reduce("min.abs", a), bits(0.5f));
  EXPECT_EQ(reduce("max.abs", a), bits(20.5f));
  a[4] = 0xffc00001;
  EXPECT_EQ(reduce("min", a), bits(-20.5f));
  EXPECT_EQ(reduce("max.NaN", a), 0x7fffffffu);
  EXPECT_EQ(reduce("max", std::vector<std::uint64_t>(32, 0x7f812345)), 0x7fffffffu);
  auto zeros = ofLanes(32, [&](std::size_t i) { return bits(i == 7 ? 0.0f : -0.0f); });
  EXPECT_EQ(reduce("max", zeros), 0u);
  EXPECT_EQ(reduce("min", zeros), 0x80000000u);
}

TEST(PtxWarp, ElectsOneOfTheMembers) {
  std::string body = ".reg .pred p, q; mov.u32 e, 0; mov.u32 d, 0; setp.ge.u32 q, a, 8; @!q bra END;\n"
                     "elect.sync d|p, 0xffffff00; @p mov.u32 e, 1; END:";
  auto lanes = ofLanes(32, [](std::size_t i) { return i; });
  auto result = runSnippet(body, {{"a", "b32", lanes}}, {{"d", "b32"}, {"e", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  std::uint64_t leader = result.outputs[0][8];
  EXPECT_GE(leader, 8u);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(result.outputs[0][i], i < 8 ? 0 : leader);
    EXPECT_EQ(result.outputs[1][i], i == leader);
  }
}

TEST(PtxWarp, ALaneThatIsNotInItsMemberMaskIsReported) {
  auto result =
      runSnippet(".reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 d, p, 0xffff;", {}, {{"d", "b32"}});
  EXPECT_THAT(result.execution.undefined,
              ElementsAre(HasSubstr("is not in its member mask (first in lane 16")));
}

} // namespace
} // namespace harness::ptx
