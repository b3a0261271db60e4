#include "harness/matrix/finding.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace harness {
namespace {

using Json = nlohmann::json;

/// Outputs `a` (4 bytes) and `b` (2 records of 2 bytes), with an input between them.
CaseShape twoOutputs() {
  CaseShape shape;
  shape.buffers.resize(3);
  shape.buffers[0].name = "a";
  shape.buffers[0].count = 4;
  shape.buffers[0].output = true;
  shape.buffers[1].name = "in";
  shape.buffers[1].count = 9;
  shape.buffers[2].name = "b";
  shape.buffers[2].count = 4;
  shape.buffers[2].record = 2;
  shape.buffers[2].output = true;
  return shape;
}

VerdictRecord describe(std::string_view a, std::string_view b) {
  VerdictRecord record;
  record.firstBad = "of an earlier comparison";
  describeComparisons(compareOutputs(twoOutputs(), {"abcd", "wxyz"}, {a, b}, {}), 0x55, record);
  return record;
}

TEST(Finding, EqualOutputs) {
  VerdictRecord record = describe("abcd", "wxyz");
  EXPECT_EQ(record.verdict, Verdict::Pass);
  EXPECT_EQ(record.bytes, 8u);
  EXPECT_EQ(record.bad, 0u);
  EXPECT_EQ(record.firstBad, "");
  EXPECT_EQ(record.details, "");
}

TEST(Finding, OnlyOutputsAreCompared) {
  auto comparisons = compareOutputs(twoOutputs(), {"abcd", "wxyz"}, {"abcd", "wxyz"}, {});
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].buffer, "a");
  EXPECT_EQ(comparisons[1].buffer, "b");
}

TEST(Finding, TheFirstDifferenceIsOfTheFirstBadBuffer) {
  VerdictRecord record = describe("abcd", "wx?!");
  EXPECT_EQ(record.verdict, Verdict::Mismatch);
  EXPECT_EQ(record.bytes, 8u);
  EXPECT_EQ(record.bad, 2u);
  EXPECT_EQ(record.firstBad, "b+0x2: 0x79 -> 0x3f");
}

TEST(Finding, DetailsHoldEveryBuffer) {
  Json details = Json::parse(describe("abcd", "wxy!").details);
  EXPECT_EQ(details["poison"], 0x55);
  ASSERT_EQ(details["buffers"].size(), 2u);
  EXPECT_EQ(details["buffers"][0]["name"], "a");
  EXPECT_EQ(details["buffers"][0]["bad"], 0);
  EXPECT_EQ(details["buffers"][1]["bytes"], 4);
  EXPECT_EQ(details["buffers"][1]["record"], 2);
  EXPECT_EQ(details["buffers"][1]["histogram"], Json({0, 1}));
  EXPECT_EQ(details["buffers"][1]["first"], Json({{{"offset", 3}, {"expected", 'z'}, {"actual", '!'}}}));
}

TEST(Finding, MessagesMayHoldAnyBytes) {
  EXPECT_EQ(Json::parse(messageDetails("a \"quoted\"\nline"))["message"], "a \"quoted\"\nline");
  EXPECT_TRUE(Json::parse(messageDetails("cut \xe2\x82")).is_object());
}

} // namespace
} // namespace harness
