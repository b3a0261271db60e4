#include "harness/ptx/type.h"

#include <gtest/gtest.h>

namespace harness::ptx {
namespace {

TEST(PtxType, NamesAreUnique) {
  for (unsigned i = 0; i <= static_cast<unsigned>(Type::Pred); ++i) {
    auto type = static_cast<Type>(i);
    EXPECT_EQ(typeNamed(toString(type)), type);
    EXPECT_EQ(isSigned(type) + isUnsigned(type) + isFloat(type) + isUntyped(type), type != Type::Pred)
        << toString(type);
  }
  EXPECT_FALSE(typeNamed("u33"));
  EXPECT_FALSE(typeNamed(""));
}

TEST(PtxType, Widths) {
  EXPECT_EQ(bitsOf(Type::U8), 8u);
  EXPECT_EQ(bitsOf(Type::B128), 128u);
  EXPECT_EQ(bitsOf(Type::BF16x2), 32u);
  EXPECT_EQ(bitsOf(Type::F32x2), 64u);
  EXPECT_EQ(bitsOf(Type::TF32), 32u);
  EXPECT_EQ(bitsOf(Type::S8x4), 32u);
  EXPECT_EQ(bitsOf(Type::E2M1x2), 8u);
  EXPECT_EQ(bitsOf(Type::E2M1x4), 16u);
  EXPECT_EQ(bitsOf(Type::E3M2x4), 32u);
  EXPECT_EQ(bitsOf(Type::UE8M0x2), 16u);
  EXPECT_EQ(bitsOf(Type::Pred), 1u);
}

TEST(PtxType, Classes) {
  EXPECT_TRUE(isSigned(Type::S16x2));
  EXPECT_TRUE(isUnsigned(Type::U8x4));
  EXPECT_TRUE(isFloat(Type::E4M3x2));
  EXPECT_TRUE(isUntyped(Type::B8));
}

} // namespace
} // namespace harness::ptx
