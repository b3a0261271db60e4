#include "harness/base/error.h"
#include "harness/sass/listing.h"

#include <gtest/gtest.h>

namespace harness::sass {
namespace {

Listing example() {
  Listing listing;
  listing.instructions = {{0x000000000000794d, 0x000fea0003800000, "EXIT", false},
                          {0xffffffffffffffff, 0, "", true},
                          {0, 0xffffffffffffffff, "@!P0 FSETP.GTU.AND P0, PT, |R4|, +INF , PT", false}};
  return listing;
}

TEST(SassListing, TextForm) {
  EXPECT_EQ(example().serialize(),
            "000fea0003800000000000000000794d EXIT\n"
            "0000000000000000ffffffffffffffff!\n"
            "ffffffffffffffff0000000000000000 @!P0 FSETP.GTU.AND P0, PT, |R4|, +INF , PT\n");
}

TEST(SassListing, RoundTrip) {
  Listing back = Listing::parse(example().serialize());
  ASSERT_EQ(back.instructions.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.instructions[i].low, example().instructions[i].low);
    EXPECT_EQ(back.instructions[i].high, example().instructions[i].high);
    EXPECT_EQ(back.instructions[i].text, example().instructions[i].text);
    EXPECT_EQ(back.instructions[i].illegal, example().instructions[i].illegal);
  }
  EXPECT_EQ(Listing::parse("").instructions.size(), 0u);
  EXPECT_EQ(Listing().serialize(), "");
}

TEST(SassListing, MalformedIsAnError) {
  std::string good = example().serialize();
  for (std::size_t cut = 1; cut < good.size(); ++cut) {
    if (good[cut - 1] == '\n') continue; // a shorter listing
    EXPECT_THROW(Listing::parse(std::string_view(good).substr(0, cut)), Error) << cut;
  }
  for (const char* text :
       {"\n", "x\n", "EXIT\n", "000fea0003800000\n", "000fea0003800000 000000000000794d EXIT\n",
        "-00fea0003800000000000000000794d EXIT\n", "0x0fea0003800000000000000000794d EXIT\n",
        "000fea0003800000000000000000794d\n", "000fea0003800000000000000000794g EXIT\n",
        "000fea0003800000000000000000794d?EXIT\n"})
    EXPECT_THROW(Listing::parse(text), Error) << text;
}

} // namespace
} // namespace harness::sass
