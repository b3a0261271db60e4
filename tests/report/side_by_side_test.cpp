#include "harness/report/side_by_side.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

sass::Listing listing(const std::vector<std::string>& texts) {
  sass::Listing result;
  for (const std::string& text : texts)
    result.instructions.push_back({0, 0x000fea0000000000, text, false});
  return result;
}

TEST(SideBySide, Equal) {
  EXPECT_EQ(renderSideBySide(listing({"A", "EXIT"}), listing({"A", "EXIT"}), false), "no difference\n");
  EXPECT_EQ(renderSideBySide({}, {}, true), "no difference\n");
}

TEST(SideBySide, EveryMark) {
  sass::Listing left = listing({"A", "B", "X", "C", "D", "EXIT"});
  sass::Listing right = listing({"A", "B", "Y", "C", "EXIT", "NOP"});
  right.instructions[1].high |= std::uint64_t{1} << 52;
  EXPECT_EQ(renderSideBySide(left, right, true),
            "0000 A    B------:R-:W-:-:S05   0000 A    B------:R-:W-:-:S05\n"
            "0010 B    B------:R-:W-:-:S05 ~ 0010 B    B0-----:R-:W-:-:S05\n"
            "0020 X    B------:R-:W-:-:S05 | 0020 Y    B------:R-:W-:-:S05\n"
            "0030 C    B------:R-:W-:-:S05   0030 C    B------:R-:W-:-:S05\n"
            "0040 D    B------:R-:W-:-:S05 <\n"
            "0050 EXIT B------:R-:W-:-:S05   0040 EXIT B------:R-:W-:-:S05\n"
            "                              > 0050 NOP  B------:R-:W-:-:S05\n");
}

TEST(SideBySide, OnlyAroundDifferences) {
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i)
    texts.push_back("I" + std::to_string(i));
  std::vector<std::string> other = texts;
  other[10] = "J";
  std::string text = renderSideBySide(listing(texts), listing(other), false);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8) << text;
  EXPECT_TRUE(text.starts_with("…\n0070 I7 ")) << text;
  EXPECT_NE(text.find(" | 00a0 J "), std::string::npos) << text;
}

} // namespace
} // namespace harness
