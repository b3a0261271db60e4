#include "harness/report/collapse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace harness {
namespace {

using testing::ElementsAre;
using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(Rectangles, EqualRowsMerge) {
  auto rectangles =
      rectanglesOf({{"sm_80", "O0"}, {"sm_80", "O3"}, {"sm_90", "O3"}, {"sm_90", "O0"}, {"sm_75", "O3"}});
  ASSERT_EQ(rectangles.size(), 2u);
  EXPECT_THAT(rectangles[0].archs, ElementsAre("sm_80", "sm_90"));
  EXPECT_THAT(rectangles[0].opts, ElementsAre("O0", "O3"));
  EXPECT_THAT(rectangles[0].members, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(rectangles[1].archs, ElementsAre("sm_75"));
}

TEST(Rectangles, CoverExactlyWhatWasGiven) {
  std::mt19937 random(5); // NOLINT: the same sets every time
  for (int round = 0; round < 200; ++round) {
    Pairs places;
    for (int arch = 0; arch < 5; ++arch)
      for (int opt = 0; opt < 4; ++opt)
        if (random() % 2) places.emplace_back("sm_" + std::to_string(arch), "O" + std::to_string(opt));
    std::set<std::pair<std::string, std::string>> given(places.begin(), places.end()), covered;
    std::size_t members = 0, area = 0;
    for (const Rectangle& rectangle : rectanglesOf(places)) {
      members += rectangle.members.size();
      area += rectangle.archs.size() * rectangle.opts.size();
      for (const auto& arch : rectangle.archs)
        for (const auto& opt : rectangle.opts)
          covered.emplace(arch, opt);
    }
    EXPECT_EQ(covered, given);
    EXPECT_EQ(area, places.size());
    EXPECT_EQ(members, places.size());
  }
}

TEST(ArchAxis, NamesTheAllTheFewAndTheNeighbours) {
  ArchAxis axis;
  for (const char* arch : {"sm_100", "sm_75", "sm_80", "sm_90a", "sm_90", "sm_86", "sm_120", "sm_80"})
    axis.add(arch);
  EXPECT_EQ(axis.name({"sm_75", "sm_80", "sm_86", "sm_90", "sm_90a", "sm_100", "sm_120"}), "all 7");
  EXPECT_EQ(axis.name({"sm_80", "sm_86", "sm_90", "sm_90a", "sm_120"}), "all but sm_75 100");
  EXPECT_EQ(axis.name({"sm_86", "sm_80", "sm_90", "sm_90a"}), "sm_80…90a");
  EXPECT_EQ(axis.name({"sm_80", "sm_100", "sm_120"}), "sm_80 100 120");
  EXPECT_EQ(axis.name({"sm_75"}), "sm_75");
  EXPECT_EQ(axis.legend(), "all 7 architectures: sm_75 80 86 90 90a 100 120\n");
}

TEST(ArchAxis, AFewAreAlwaysListed) {
  ArchAxis axis;
  axis.add("sm_80");
  axis.add("sm_90");
  EXPECT_EQ(axis.name({"sm_80", "sm_90"}), "sm_80 90");
  EXPECT_EQ(axis.legend(), "");
}

} // namespace
} // namespace harness
