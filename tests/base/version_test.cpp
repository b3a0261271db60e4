#include "harness/base/error.h"
#include "harness/base/version.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

Version v(std::string_view text) {
  return Version::parse(text).value();
}

TEST(Version, ComparesAsNumbers) {
  EXPECT_LT(v("13.0.9"), v("13.0.10"));
  EXPECT_LT(v("9.2.148"), v("13.0.48"));
  EXPECT_EQ(v("13.0"), v("13.0.0"));
}

TEST(Version, RefusesWhatIsNone) {
  for (const char* text : {"", "13.", ".0", "13.x", "1.2.3.4.5", "-1", "99999999"})
    EXPECT_FALSE(Version::parse(text)) << text;
}

TEST(VersionRange, LabelTakesEveryBuildOfIt) {
  auto range = VersionRange::parse("13.0");
  EXPECT_TRUE(range.contains(v("13.0.48")));
  EXPECT_TRUE(range.contains(v("13.0.88")));
  EXPECT_FALSE(range.contains(v("13.1.80")));
}

TEST(VersionRange, BoundsAndLists) {
  auto range = VersionRange::parse(">=13.0,<13.4");
  EXPECT_TRUE(range.contains(v("13.0.48")));
  EXPECT_TRUE(range.contains(v("13.3.73")));
  EXPECT_FALSE(range.contains(v("13.4.59")));
  EXPECT_FALSE(range.contains(v("12.9.86")));
  auto list = VersionRange::parse("12.9.86, 13.1");
  EXPECT_TRUE(list.contains(v("12.9.86")));
  EXPECT_TRUE(list.contains(v("13.1.115")));
  EXPECT_FALSE(list.contains(v("12.9.41")));
  EXPECT_TRUE(VersionRange::parse("<=13.1").contains(v("13.1.115")));
  EXPECT_FALSE(VersionRange::parse(">13.1").contains(v("13.1.115")));
}

TEST(VersionRange, QuotesWhatItCannotRead) {
  try {
    VersionRange::parse("newest");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_NE(std::string(error.what()).find("'newest'"), std::string::npos);
  }
}

} // namespace
} // namespace harness
