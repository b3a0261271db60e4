#include "harness/cubin/relocation.h"

#include <gtest/gtest.h>

#include <string>

namespace harness {
namespace {

TEST(Relocation, FindsEveryTypeByNumber) {
  for (std::uint32_t type : {2u, 4u, 56u, 57u, 58u, 75u, 76u, 83u, 84u, 91u}) {
    const RelocationRule* rule = findRelocationRule(type);
    ASSERT_TRUE(rule) << type;
    EXPECT_EQ(rule->type, type);
  }
  for (std::uint32_t type : {0u, 1u, 3u, 55u, 59u, 92u, 0xffffffffu})
    EXPECT_FALSE(findRelocationRule(type)) << type;
}

TEST(Relocation, FillsItsBitsAndNoOthers) {
  const RelocationRule* low = findRelocationRule(56);
  ASSERT_TRUE(low);
  EXPECT_EQ(low->span(), 8u);
  std::string place(9, '\x11');
  low->apply(place, 0x7f4012345678);
  EXPECT_EQ(place, "\x11\x11\x11\x11\x78\x56\x34\x12\x11");
  findRelocationRule(57)->apply(place, 0x7f4012345678);
  EXPECT_EQ(place, std::string("\x11\x11\x11\x11\x40\x7f\x00\x00\x11", 9));
}

TEST(Relocation, PutsBothPartsOfACallTarget) {
  const RelocationRule* call = findRelocationRule(75);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->span(), 11u);
  std::string place(16, '\0');
  EXPECT_TRUE(call->blank(place));
  call->apply(place, 0xd80); // 0xd80 >> 2 = 0x360: 0x60 into bits 16-23, 3 into bits 34 and on
  EXPECT_EQ(place, std::string("\x00\x00\x60\x00\x0c", 5) + std::string(11, '\0'));
  EXPECT_FALSE(call->blank(place));
}

TEST(Relocation, TakesOneByteOfAnAddress) {
  std::string place(1, '\xff');
  findRelocationRule(86)->apply(place, 0x7f4012345678);
  EXPECT_EQ(place, "\x34");
}

} // namespace
} // namespace harness
