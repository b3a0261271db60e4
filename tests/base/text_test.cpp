#include "harness/base/error.h"
#include "harness/base/log.h"
#include "harness/base/text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace harness {
namespace {

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

TEST(Text, ShellCommandQuotesOnlyWhatNeedsIt) {
  std::vector<std::string> argv{"nvcc", "-DX=a b", "it's", ""};
  EXPECT_EQ(shellCommand(argv), "nvcc '-DX=a b' 'it'\\''s' ''");
}

TEST(Text, NearestSuggestsOnlyWhatIsNear) {
  std::vector<std::string> names{"buffers", "block", "grid"};
  EXPECT_EQ(nearest("bufers", names), "buffers");
  EXPECT_EQ(nearest("completely-else", names), "");
}

TEST(Text, EscapesWhatATerminalObeys) {
  EXPECT_EQ(escapeControls("plain „ü“ …\n\tx"), "plain „ü“ …\n\tx");
  EXPECT_EQ(escapeControls("a\x1b[31mb\rc\x7f"), "a\\x1b[31mb\\x0dc\\x7f");
  EXPECT_EQ(escapeControls(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(escapeControls("\xc2\x9b"
                           "2J"),
            "\\xc29b2J")
      << "CSI as a character";
  EXPECT_EQ(escapeControls("\x9b"
                           "2J"),
            "\\x9b2J")
      << "CSI as a byte";
  EXPECT_EQ(escapeControls("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Text, Glob) {
  EXPECT_TRUE(globMatch("half*", "halfstore-u16"));
  EXPECT_TRUE(globMatch("sm_{90,90a}", "sm_90a"));
  EXPECT_FALSE(globMatch("sm_9?", "sm_90a"));
  EXPECT_THROW(globMatch("[a", "a"), Error);
}

TEST(Text, ElideMiddle) {
  EXPECT_EQ(elideMiddle("short", 10), "short");
  EXPECT_EQ(elideMiddle("abcdefghij", 5), "ab…ij");
}

TEST(Log, StatusLinesThatStayAreAMinuteApart) {
  using std::chrono::seconds;
  StatusPace pace;
  StatusPace::Time start = std::chrono::steady_clock::now();
  EXPECT_FALSE(pace.isDue(start)) << "what is over in a moment needs no status";
  EXPECT_FALSE(pace.isDue(start + seconds(59)));
  EXPECT_TRUE(pace.isDue(start + seconds(61)));
  EXPECT_FALSE(pace.isDue(start + seconds(119)));
  EXPECT_TRUE(pace.isDue(start + seconds(500)));
  EXPECT_FALSE(pace.isDue(start + seconds(501)));
}

} // namespace
} // namespace harness
