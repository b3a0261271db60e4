#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/parity/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace harness {
namespace {

template <typename T> std::vector<T> as(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

void expectWords(PhiloxBlock block, std::array<std::uint32_t, 4> words) {
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(block.word[i], words[i]) << "word " << i;
}

// Known-answer vectors of Random123 (philox 4x32, 10 rounds).
TEST(Philox, KnownAnswers) {
  expectWords(philox4x32(0, 0, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expectWords(philox4x32(~0ull, ~0ull, ~0ull), {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expectWords(philox4x32(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822),
              {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(ElementType, NamesAreReadBack) {
  for (const char* name :
       {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "bf16", "f32", "f64", "e4m3", "e5m2"}) {
    auto type = parseElementType(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(toString(*type), name);
  }
  EXPECT_FALSE(parseElementType("f31"));
}

TEST(ElementBits, Integers) {
  EXPECT_EQ(elementBits(ElementType::U8, "255"), 0xffu);
  EXPECT_EQ(elementBits(ElementType::I8, "-128"), 0x80u);
  EXPECT_EQ(elementBits(ElementType::U64, "18446744073709551615"), ~0ull);
  EXPECT_EQ(elementBits(ElementType::I64, "-9223372036854775808"), 1ull << 63);
  EXPECT_EQ(elementBits(ElementType::I32, "0xffffffff"), 0xffffffffu);
}

TEST(ElementBits, FloatsAreRoundedOnceToNearestEven) {
  EXPECT_EQ(elementBits(ElementType::F16, "0.019745"), 0x250eu);
  EXPECT_EQ(elementBits(ElementType::F32, "0.1"), 0x3dcccccdu);
  EXPECT_EQ(elementBits(ElementType::BF16, "1.00390625"), 0x3f80u) << "a tie goes to even";
  EXPECT_EQ(elementBits(ElementType::E4M3, "448"), 0x7eu);
  EXPECT_EQ(elementBits(ElementType::E5M2, "-0"), 0x80u);
  EXPECT_EQ(elementBits(ElementType::F32, "-inf"), 0xff800000u);
  EXPECT_EQ(elementBits(ElementType::F32, "nan"), 0x7fc00000u);
  EXPECT_EQ(elementBits(ElementType::F32, "0x7fc00000"), 0x7fc00000u);
  EXPECT_EQ(elementBits(ElementType::F64, "5e-324"), 1u);
}

TEST(ElementBits, RefusesWhatDoesNotFit) {
  struct {
    ElementType type;
    const char* text;
  } cases[] = {{ElementType::U8, "256"},
               {ElementType::U8, "-1"},
               {ElementType::I8, "128"},
               {ElementType::I8, "-129"},
               {ElementType::U8, "0x100"},
               {ElementType::U32, "1.5"},
               {ElementType::F16, "65520"},
               {ElementType::F16, "1e10"},
               {ElementType::E4M3, "1000"},
               {ElementType::E4M3, "inf"},
               {ElementType::U32, "x"},
               {ElementType::U32, ""},
               {ElementType::F32, "1.0.0"},
               {ElementType::F32, ""},
               {ElementType::U8, "0x"},
               {ElementType::U64, "0x11111111111111111"},
               {ElementType::U64, "18446744073709551616"}};
  for (const auto& item : cases) {
    try {
      elementBits(item.type, item.text);
      ADD_FAILURE() << toString(item.type) << " took '" << item.text << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
    }
  }
}

TEST(Contents, FillIotaAndValues) {
  EXPECT_EQ(makeContents(ElementType::U16, 2, InitFill{"0xabcd"}), "\xcd\xab\xcd\xab");
  EXPECT_EQ(makeContents(ElementType::U32, 3, InitZero{}), std::string(12, '\0'));
  EXPECT_EQ(as<std::int32_t>(makeContents(ElementType::I32, 4, InitIota{-1, 2})),
            (std::vector<std::int32_t>{-1, 1, 3, 5}));
  EXPECT_EQ(as<std::uint8_t>(makeContents(ElementType::U8, 3, InitIota{254, 1})),
            (std::vector<std::uint8_t>{254, 255, 0}));
  EXPECT_EQ(as<float>(makeContents(ElementType::F32, 3, InitIota{0.5, 0.25})),
            (std::vector<float>{0.5f, 0.75f, 1.0f}));
  EXPECT_EQ(as<std::uint8_t>(makeContents(ElementType::U8, 5, InitValues{{"1", "0x20"}})),
            (std::vector<std::uint8_t>{1, 0x20, 1, 0x20, 1}));
  EXPECT_THROW(makeContents(ElementType::U8, 5, InitValues{}), Error);
  EXPECT_THROW(makeContents(ElementType::I32, 4, InitIota{0.5, 1}), Error);
  EXPECT_THROW(makeContents(ElementType::F16, 4, InitIota{65000, 1000}), Error);
}

TEST(Contents, RandomBitsAreTheLowBitsOfPhilox) {
  auto wide = as<std::uint64_t>(makeContents(ElementType::U64, 3, InitRandom{7, {}, {}}));
  auto narrow = as<std::uint8_t>(makeContents(ElementType::U8, 3, InitRandom{7, {}, {}}));
  for (std::uint64_t i = 0; i < 3; ++i) {
    PhiloxBlock block = philox4x32(i, 0, 7);
    EXPECT_EQ(wide[i], block.word[0] | std::uint64_t{block.word[1]} << 32);
    EXPECT_EQ(narrow[i], block.word[0] & 0xff);
  }
}

TEST(Contents, RandomIntegersReachBothBounds) {
  auto values = as<std::int16_t>(makeContents(ElementType::I16, 1000, InitRandom{3, -2, 2}));
  EXPECT_EQ(std::set<std::int16_t>(values.begin(), values.end()), (std::set<std::int16_t>{-2, -1, 0, 1, 2}));
}

TEST(Contents, RandomFloatsStayInTheirBounds) {
  auto values = as<float>(makeContents(ElementType::F32, 1000, InitRandom{1, 0.01, 0.03}));
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, 0.01f);
  EXPECT_LE(*high, 0.03f);
  EXPECT_LT(*low, 0.011f);
  EXPECT_GT(*high, 0.029f);
  EXPECT_GT(std::set<float>(values.begin(), values.end()).size(), 990u);
}

TEST(Contents, RandomRefusesBadBounds) {
  EXPECT_THROW(makeContents(ElementType::U8, 1, InitRandom{1, 0, 256}), Error);
  EXPECT_THROW(makeContents(ElementType::U8, 1, InitRandom{1, -1, 5}), Error);
  EXPECT_THROW(makeContents(ElementType::F32, 1, InitRandom{1, 2, 1}), Error);
  EXPECT_THROW(makeContents(ElementType::F32, 1, InitRandom{1, 2, {}}), Error);
  EXPECT_THROW(makeContents(ElementType::F16, 1, InitRandom{1, 0, 1e6}), Error);
}

TEST(Contents, EdgesHoldTheExtremes) {
  auto has = [](ElementType type, std::vector<std::uint64_t> wanted) {
    std::vector<std::uint64_t> edges = edgeValues(type);
    for (std::uint64_t value : wanted)
      EXPECT_NE(std::find(edges.begin(), edges.end(), value), edges.end())
          << toString(type) << " 0x" << std::hex << value;
    std::set<std::uint64_t> distinct(edges.begin(), edges.end());
    EXPECT_EQ(distinct.size(), edges.size()) << toString(type);
  };
  has(ElementType::U8, {0, 1, 0x7f, 0x80, 0xff, 0x55, 0xaa, 0x0f, 0xf0});
  has(ElementType::I64, {0, 0x7fffffffffffffff, 0x8000000000000000, ~0ull});
  has(ElementType::F32, {0, 0x80000000, 1, 0x007fffff, 0x00800000, 0x3f7fffff, 0x3f800000, 0x3f800001,
                         0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x807fffff});
  has(ElementType::F16, {1, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7e00});
  has(ElementType::E4M3, {0, 0x80, 1, 7, 8, 0x38, 0x7e, 0x7f, 0xff});
  has(ElementType::E5M2, {0x7b, 0x7c, 0x7e});
  std::string cycled = makeContents(ElementType::U8, 100, InitEdges{});
  EXPECT_EQ(static_cast<std::uint8_t>(cycled[edgeValues(ElementType::U8).size()]), 0u);
}

TEST(Contents, FileMustHaveTheSize) {
  TempDir dir("buffer");
  writeFileAtomically(dir.path() / "f", "abcd");
  EXPECT_EQ(makeContents(ElementType::U16, 2, InitFile{dir.path() / "f"}), "abcd");
  EXPECT_THROW(makeContents(ElementType::U16, 3, InitFile{dir.path() / "f"}), Error);
  EXPECT_THROW(makeContents(ElementType::U16, 2, InitFile{dir.path() / "none"}), Error);
}

} // namespace
} // namespace harness
