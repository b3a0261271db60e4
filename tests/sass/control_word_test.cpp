#include "harness/sass/control_word.h"

#include <gtest/gtest.h>

namespace harness::sass {
namespace {

// Upper words of code of ptxas 13.0.88 for sm_120a: an F2F that waits, an STG, an unconditional EXIT.
TEST(SassControlWord, Decodes) {
  ControlWord convert = ControlWord::decode(0x008e240000200800);
  EXPECT_EQ(convert.stall, 2u);
  EXPECT_FALSE(convert.yield);
  EXPECT_EQ(convert.writeBarrier, 0u);
  EXPECT_EQ(convert.readBarrier, 7u);
  EXPECT_EQ(convert.waitMask, 0b001000u);
  EXPECT_EQ(convert.reuse, 0u);
  EXPECT_EQ(convert.str(), "B---3--:R-:W0:-:S02");
  EXPECT_EQ(ControlWord::decode(0x001fe8000c101104).str(), "B0-----:R-:W-:-:S04");
  EXPECT_EQ(ControlWord::decode(0x000fea0003800000).str(), "B------:R-:W-:-:S05");
}

TEST(SassControlWord, EveryField) {
  ControlWord word = ControlWord::decode(std::uint64_t{0b1001} << 58 | std::uint64_t{0b100001} << 52 |
                                         std::uint64_t{3} << 49 | std::uint64_t{5} << 46 |
                                         std::uint64_t{0} << 45 | std::uint64_t{12} << 41);
  EXPECT_EQ(word.reuse, 0b1001u);
  EXPECT_EQ(word.str(), "B0----5:R3:W5:Y:S12");
  EXPECT_EQ(ControlWord().str(), "B------:R-:W-:-:S00");
}

} // namespace
} // namespace harness::sass
