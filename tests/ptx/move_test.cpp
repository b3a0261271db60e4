#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::HasSubstr;

TEST(PtxMove, PacksAndUnpacks) {
  auto in = pairs("b32", integerEdges(32));
  auto packed = evaluate("mov.b64 d, {a, b};", in, {"d", "b64"});
  auto high =
      evaluate("{ .reg .b64 x; .reg .b32 low; mov.b64 x, {a, b}; mov.b64 {low, d}, x; }", in, {"d", "b32"});
  auto swapped = evaluate("{ .reg .b16 l, h; mov.b32 {l, h}, a; mov.b32 d, {h, l}; }", in, {"d", "b32"});
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::uint64_t a = in[0].values[i], b = in[1].values[i];
    ASSERT_EQ(packed[i], a | b << 32);
    ASSERT_EQ(high[i], b);
    ASSERT_EQ(swapped[i], (a >> 16 | a << 16) & 0xffffffff);
  }
}

TEST(PtxMove, ValuesThatNobodyWroteAreReportedWhereTheyAreStored) {
  auto result = runSnippet(".reg .b32 x;\n add.u32 d, a, x;", {{"a", "b32", {1, 2, 3}}}, {{"d", "b32"}});
  ASSERT_EQ(result.execution.unwritten.size(), 1u);
  EXPECT_THAT(result.execution.unwritten[0], HasSubstr("stores a value that nobody wrote"));
}

TEST(PtxMove, AnUnusedValueThatNobodyWroteIsNoMatter) {
  auto result = runSnippet(".reg .b32 x, y;\n add.u32 y, a, x;\n mov.u32 d, a;", {{"a", "b32", {1, 2, 3}}},
                           {{"d", "b32"}});
  EXPECT_TRUE(result.execution.unwritten.empty());
  EXPECT_EQ(result.outputs[0], (std::vector<std::uint64_t>{1, 2, 3}));
}

} // namespace
} // namespace harness::ptx
