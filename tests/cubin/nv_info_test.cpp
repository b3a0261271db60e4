#include "harness/base/error.h"
#include "harness/cubin/nv_info.h"

#include <gtest/gtest.h>

#include <string_view>

namespace harness {
namespace {

using namespace std::string_view_literals;

TEST(NvInfo, ReadsEveryFormat) {
  auto attributes = parseInfo("\x01\x35\x00\x00"
                              "\x02\x4c\x03\x00"
                              "\x03\x19\x18\x01"
                              "\x04\x0a\x08\x00\x05\x00\x00\x00\x60\x01\x18\x00"sv);
  ASSERT_EQ(attributes.size(), 4u);
  EXPECT_TRUE(attributes[0].payload.empty());
  EXPECT_EQ(attributes[1].code, InfoCode::NumBarriers);
  EXPECT_EQ(attributes[1].u8(0), 3);
  EXPECT_EQ(attributes[2].code, InfoCode::CbankParamSize);
  EXPECT_EQ(attributes[2].u16(0), 0x118);
  EXPECT_EQ(attributes[3].code, InfoCode::ParamCbank);
  EXPECT_EQ(attributes[3].u32(0), 5u);
  EXPECT_EQ(attributes[3].u16(4), 0x160);
  EXPECT_EQ(attributes[3].u16(6), 0x18);
}

TEST(NvInfo, RefusesWhatIsCutOffOrUnknown) {
  EXPECT_THROW(parseInfo("\x03\x19\x18"sv), Error);
  EXPECT_THROW(parseInfo("\x04\x0a\x08\x00\x05\x00\x00\x00"sv), Error);
  EXPECT_THROW(parseInfo("\x05\x0a\x00\x00"sv), Error);
  EXPECT_TRUE(parseInfo("").empty());
}

TEST(NvInfo, ReadingPastThePayloadIsAnError) {
  auto attributes = parseInfo("\x04\x1c\x02\x00\x10\x00"sv);
  ASSERT_EQ(attributes.size(), 1u);
  EXPECT_EQ(attributes[0].u16(0), 0x10);
  EXPECT_THROW(attributes[0].u32(0), Error);
  EXPECT_THROW(attributes[0].u8(2), Error);
  EXPECT_THROW(attributes[0].u16(static_cast<std::size_t>(-1)), Error);
}

} // namespace
} // namespace harness
