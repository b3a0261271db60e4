#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Element (row, column) of matrix m: a number that no other has.
std::uint64_t element(std::size_t m, std::size_t row, std::size_t column) {
  return 1 + m * 64 + row * 8 + column;
}

/// What a lane holds of matrix m: two neighbours of row lane / 4; of the transposed one, of a column.
std::uint64_t fragment(std::size_t m, std::size_t lane, bool transposed) {
  std::size_t row = lane / 4, column = lane % 4 * 2;
  if (transposed) return element(m, column, row) | element(m, column + 1, row) << 16;
  return element(m, row, column) | element(m, row, column + 1) << 16;
}

std::vector<std::uint64_t> lanes(auto f) {
  std::vector<std::uint64_t> values;
  for (std::size_t lane = 0; lane < 32; ++lane)
    values.push_back(f(lane));
  return values;
}

/// Four matrices in shared memory, their rows in reverse order of each other's; %p: the row of lane l, that
/// is row l % 8 of matrix l / 8.
constexpr const char* kRows =
    ".shared .align 16 .b8 s[512]; .reg .u32 %l, %p; mov.u32 %l, %laneid; sub.u32 %l, 31, %l;\n"
    "mad.lo.u32 %p, %l, 16, s;\n";

TEST(PtxMatrix, Loads) {
  auto low = lanes([](std::size_t l) {
    std::uint64_t four = 0;
    for (std::size_t c = 0; c < 4; ++c)
      four |= element(l / 8, l % 8, c) << 16 * c;
    return four;
  });
  auto high = lanes([](std::size_t l) {
    std::uint64_t four = 0;
    for (std::size_t c = 0; c < 4; ++c)
      four |= element(l / 8, l % 8, c + 4) << 16 * c;
    return four;
  });
  std::string prepared =
      std::string(kRows) +
      "st.shared.v2.b64 [%p], {a, b}; bar.sync 0; mov.b32 d, 0; mov.b32 e, 0; mov.b32 f, 0;\n";
  for (bool transposed : {false, true}) {
    std::string form = transposed ? ".trans.shared.b16" : ".shared::cta.b16";
    auto run = [&](const std::string& load) {
      return runSnippet(prepared + load, {{"a", "b64", low}, {"b", "b64", high}},
                        {{"c", "b32"}, {"d", "b32"}, {"e", "b32"}, {"f", "b32"}});
    };
    auto one = run("ldmatrix.sync.aligned.m8n8.x1" + form + " {c}, [%p];");
    auto two = run("ldmatrix.sync.aligned.m8n8.x2" + form + " {c, d}, [%p];");
    auto four = run("ldmatrix.sync.aligned.m8n8.x4" + form + " {c, d, e, f}, [%p];");
    ASSERT_EQ(four.execution.end, ExecutionEnd::Completed) << four.execution.message;
    EXPECT_THAT(four.execution.unwritten, IsEmpty());
    for (std::size_t m = 0; m < 4; ++m) {
      auto expected = lanes([&](std::size_t lane) { return fragment(m, lane, transposed); });
      EXPECT_EQ(four.outputs[m], expected);
      if (m < 2) {
        EXPECT_EQ(two.outputs[m], expected);
      }
      if (m < 1) {
        EXPECT_EQ(one.outputs[m], expected);
      }
    }
  }
}

TEST(PtxMatrix, Stores) {
  for (bool transposed : {false, true}) {
    std::string body = std::string(kRows) + "stmatrix.sync.aligned.m8n8.x4" + (transposed ? ".trans" : "") +
                       ".shared.b16 [%p], {a, b, c, d}; bar.sync 0; ld.shared.v2.b64 {e, f}, [%p];";
    std::vector<SnippetInput> in;
    for (std::size_t m = 0; m < 4; ++m)
      in.push_back({std::string(1, static_cast<char>('a' + m)), "b32",
                    lanes([&](std::size_t l) { return fragment(m, l, transposed); })});
    auto result = runSnippet(body, in, {{"e", "b64"}, {"f", "b64"}});
    ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
    EXPECT_THAT(result.execution.unwritten, IsEmpty());
    for (std::size_t l = 0; l < 32; ++l)
      for (std::size_t c = 0; c < 8; ++c)
        EXPECT_EQ(result.outputs[c / 4][l] >> c % 4 * 16 & 0xffff, element(l / 8, l % 8, c)) << l << " " << c;
  }
}

TEST(PtxMatrix, Transposes) {
  auto a = lanes([](std::size_t l) { return fragment(0, l, false); });
  auto result = runSnippet("movmatrix.sync.aligned.m8n8.trans.b16 d, a;", {{"a", "b32", a}}, {{"d", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_EQ(result.outputs[0], lanes([](std::size_t l) { return fragment(0, l, true); }));
}

TEST(PtxMatrix, TakesTheWholeWarp) {
  auto few =
      runSnippet("movmatrix.sync.aligned.m8n8.trans.b16 d, a;", {{"a", "b32", {1, 2, 3}}}, {{"d", "b32"}});
  EXPECT_THAT(few.execution.undefined, testing::Contains(HasSubstr("without all 32 lanes")));
  EXPECT_EQ(
      runSnippet(".shared .align 16 .b8 s[512]; ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {d, d}, [s];",
                 {}, {{"d", "b32"}})
          .execution.end,
      ExecutionEnd::Unsupported);
}

TEST(PtxMatrix, RowsThatNobodyWrote) {
  auto result = runSnippet(std::string(kRows) + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {d}, [%p];", {},
                           {{"d", "b32"}});
  EXPECT_THAT(result.execution.unwritten, ElementsAre(HasSubstr("stores a value that nobody wrote")));
}

} // namespace
} // namespace harness::ptx
