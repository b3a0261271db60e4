#include "harness/base/error.h"
#include "harness/parity/compare.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

BufferComparison compare(std::string_view expected, std::string_view actual,
                         ElementType type = ElementType::U8, std::uint64_t record = 0,
                         std::string_view other = {}) {
  return compareBuffer("out", expected, actual, other, record, type, {});
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (int value : values)
    text += static_cast<char>(value);
  return text;
}

std::string words(std::initializer_list<std::uint32_t> values) {
  std::string text;
  for (std::uint32_t value : values)
    text += littleEndian(value, 4);
  return text;
}

TEST(Compare, EqualIsAPassOverAllBytes) {
  std::string same(272, 'x');
  BufferComparison result = compare(same, same, ElementType::U8, 34);
  EXPECT_EQ(result.bytes, 272u);
  EXPECT_EQ(result.bad, 0u);
  EXPECT_TRUE(result.first.empty());
  EXPECT_EQ(result.pattern, "");
}

TEST(Compare, LocalisesByOffsetInTheRecord) {
  std::string expected(3 * 34, '\x11'), actual = expected;
  actual[0] = actual[34] = 0;
  actual[2 * 34 + 33] = '\x77';
  BufferComparison result = compare(expected, actual, ElementType::U8, 34);
  EXPECT_EQ(result.bad, 3u);
  ASSERT_EQ(result.histogram.size(), 34u);
  EXPECT_EQ(result.histogram[0], 2u);
  EXPECT_EQ(result.histogram[33], 1u);
  ASSERT_EQ(result.first.size(), 3u);
  EXPECT_EQ(result.first[1].offset, 34u);
  EXPECT_EQ(result.first[1].expected, 0x11);
  EXPECT_EQ(result.first[1].actual, 0);
}

TEST(Compare, KeepsTheFirstSixteenDifferences) {
  BufferComparison result = compare(std::string(100, 'a'), std::string(100, 'z'));
  EXPECT_EQ(result.bad, 100u);
  EXPECT_EQ(result.first.size(), 16u);
  EXPECT_EQ(result.first.back().offset, 15u);
}

TEST(Compare, NamesALostLowByte) {
  std::string expected, actual;
  for (int i = 1; i <= 8; ++i) {
    expected += bytes({0x0e + i, 0x25, i, i});
    actual += bytes({0, 0x25, i, i});
  }
  BufferComparison result = compare(expected, actual, ElementType::U8, 4);
  EXPECT_EQ(result.pattern, "got == ref & 0xff00");
  EXPECT_EQ(result.patternBad, 8u);
  EXPECT_EQ(result.describePattern(), "got == ref & 0xff00");
}

TEST(Compare, SaysForHowManyAPatternHolds) {
  std::string expected, actual;
  for (int i = 0; i < 8; ++i) {
    expected += bytes({0x0e + i, 0x25});
    actual += bytes({i < 5 ? 0 : 0x80 + i, 0x25});
  }
  BufferComparison result = compare(expected, actual, ElementType::U8, 2);
  EXPECT_EQ(result.describePattern(), "got == ref & 0xff00 (5 of 8)");
  // Half of them is not enough.
  actual[8] = '\x7f';
  EXPECT_EQ(compare(expected, actual, ElementType::U8, 2).describePattern(), "");
}

TEST(Compare, ALostFieldIsNoLostLowByte) {
  // 16-bit fields that became zero altogether; their high byte was zero before.
  EXPECT_EQ(compare(bytes({5, 0, 6, 0, 7, 0}), bytes({0, 0, 0, 0, 0, 0}), ElementType::U16).pattern, "");
}

TEST(Compare, LowByteCountsFromTheRecordsStart) {
  // Odd records put the second record's 16-bit field at an odd address.
  std::string expected = bytes({0x0e, 0x25, 1, 0x1f, 0x21, 1}), actual = bytes({0, 0x25, 1, 0, 0x21, 1});
  EXPECT_EQ(compare(expected, actual, ElementType::U8, 3).pattern, "got == ref & 0xff00");
  // The high byte lost is something else.
  EXPECT_EQ(compare(bytes({0x0e, 0x25, 0x1f, 0x21}), bytes({0x0e, 0, 0x1f, 0}), ElementType::U8, 2).pattern,
            "");
}

TEST(Compare, UnwrittenNeedsBothRuns) {
  std::string expected = bytes({1, 2, 3, 4}), first = bytes({1, 0xaa, 3, 0xaa}),
              second = bytes({1, 0x55, 3, 0x55});
  EXPECT_EQ(compare(expected, first, ElementType::U8, 0, second).pattern, "unwritten");
  EXPECT_EQ(compare(expected, second, ElementType::U8, 0, first).pattern, "unwritten");
  // Written with 0xaa in both runs: a wrong value.
  EXPECT_EQ(compare(expected, first, ElementType::U8, 0, first).pattern, "");
  EXPECT_EQ(compare(expected, first).pattern, "");
}

TEST(Compare, OffByOne) {
  EXPECT_EQ(compare(words({10, 20, 0x1ff}), words({11, 20, 0x200}), ElementType::U32).pattern, "off by one");
  EXPECT_EQ(compare(words({10, 20}), words({12, 20}), ElementType::U32).pattern, "");
  // One byte is no evidence.
  EXPECT_EQ(compare(bytes({10, 20}), bytes({11, 20})).pattern, "");
}

TEST(Compare, NeighboursValue) {
  EXPECT_EQ(compare(words({100, 2000, 30, 4}), words({2000, 30, 4, 4}), ElementType::U32).pattern,
            "neighbour's value");
  EXPECT_EQ(compare(words({100, 2000, 30, 4}), words({100, 100, 2000, 30}), ElementType::U32).pattern,
            "neighbour's value");
  EXPECT_EQ(compare(bytes({1, 2, 3, 40, 50, 60}), bytes({1, 2, 3, 1, 2, 3}), ElementType::U8, 3).pattern,
            "neighbour's value");
}

TEST(Compare, ByteSwapped) {
  EXPECT_EQ(compare(words({0x11223344, 7}), words({0x44332211, 7}), ElementType::U32).pattern,
            "byte-swapped");
  EXPECT_EQ(compare(bytes({0x11, 0x22, 9}), bytes({0x22, 0x11, 9}), ElementType::U8, 3).pattern,
            "byte-swapped");
}

TEST(Compare, SignExtended) {
  EXPECT_EQ(
      compare(words({0x00000080, 0x7f, 0xfff0}), words({0xffffff80, 0x7f, 0xfffffff0}), ElementType::U32)
          .pattern,
      "sign-extended");
  EXPECT_EQ(compare(words({0x00000080}), words({0xffff0080}), ElementType::U32).pattern, "");
}

TEST(Compare, NoPatternWhereThereIsNone) {
  EXPECT_EQ(compare(words({1, 2, 3}), words({77, 1000, 0xdeadbeef}), ElementType::U32).pattern, "");
}

TEST(Compare, UlpRule) {
  CompareRule two{CompareRule::Kind::Ulp, 2};
  auto bad = [&](std::uint32_t expected, std::uint32_t actual) {
    return compareBuffer("out", words({expected}), words({actual}), {}, 0, ElementType::F32, two).bad;
  };
  EXPECT_EQ(bad(0x3f800000, 0x3f800002), 0u);
  EXPECT_EQ(bad(0x3f800000, 0x3f7ffffe), 0u);
  EXPECT_EQ(bad(0x3f800000, 0x3f800003), 1u);
  EXPECT_EQ(bad(0x00000000, 0x80000000), 0u) << "zeros";
  EXPECT_EQ(bad(0x00000001, 0x80000001), 0u) << "two apart over zero";
  EXPECT_EQ(bad(0x00000001, 0x80000002), 2u);
  EXPECT_EQ(bad(0x7fc00000, 0x7fffffff), 0u) << "NaNs";
  EXPECT_GT(bad(0x7f800000, 0x7f7fffff), 0u) << "infinity is no neighbour of the largest number";
  EXPECT_GT(bad(0x7f800000, 0x7f800001), 0u) << "infinity and a NaN";
}

TEST(Compare, UlpRuleOfAFormatWithoutInfinity) {
  CompareRule one{CompareRule::Kind::Ulp, 1};
  auto bad = [&](int expected, int actual) {
    return compareBuffer("out", bytes({expected}), bytes({actual}), {}, 0, ElementType::E4M3, one).bad;
  };
  EXPECT_EQ(bad(0x7e, 0x7d), 0u);
  EXPECT_EQ(bad(0x7e, 0x7f), 1u) << "a NaN beside the largest number";
  EXPECT_EQ(bad(0x7f, 0xff), 0u);
}

TEST(Compare, RefusesDifferentSizes) {
  EXPECT_THROW(compare("ab", "abc"), Error);
}

TEST(Compare, RecordsTooLongForAHistogram) {
  std::string expected(10'000, 'a'), actual = expected;
  actual[5000] = 'b';
  BufferComparison result = compare(expected, actual, ElementType::U8, 5000);
  EXPECT_EQ(result.bad, 1u);
  EXPECT_EQ(result.record, 0u);
  EXPECT_TRUE(result.histogram.empty());
}

} // namespace
} // namespace harness
