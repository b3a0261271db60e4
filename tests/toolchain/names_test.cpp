#include "harness/toolchain/names.h"
#include "harness/toolchain/toolchain.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

using Names = std::vector<std::string>;

TEST(Names, VersionsAreNearAsNumbers) {
  Names names{"12.4.99",  "12.9.41", "12.9.86",  "13.0.48",       "13.0.88",
              "13.1.115", "13.5.37", "nvdisasm", "nvrtc-13.0.88", "nvrtc-13.1.80"};
  struct Example {
    const char *name, *near;
  };
  for (const Example& example : {Example{"13.0.99", "13.0.88"},
                                 {"13.0.888", "13.0.88"},
                                 {"13.0.60", "13.0.48"},
                                 {"12.10.1", "12.9.86"},
                                 {"13.1.80", "13.1.115"},
                                 {"99.9.9", "13.5.37"},
                                 {"11.8", "12.4.99"},
                                 {"nvrtc-13.0.99", "nvrtc-13.0.88"},
                                 {"nvdisam", "nvdisasm"},
                                 {"completely-else", ""},
                                 {"gcc-12.2", ""}})
    EXPECT_EQ(nearestToolchain(example.name, names), example.near) << example.name;
}

TEST(Names, ArchitecturesAreNearAsNumbers) {
  Names archs{"sm_61", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_120", "sm_120a", "sm_90"};
  EXPECT_EQ(nearestArchsHint("sm_91", archs), "; the nearest are sm_90, sm_90a");
  EXPECT_EQ(nearestArchsHint("sm_120q", archs), "; the nearest are sm_120, sm_120a");
  EXPECT_EQ(nearestArchsHint("sm_88", archs), "; the nearest are sm_87, sm_89");
  EXPECT_EQ(nearestArchsHint("compute_60", archs), "; the nearest is sm_61");
  for (const char* name : {"hopper", "", "sm_99999999999"})
    EXPECT_EQ(nearestArchsHint(name, archs), "; one is written sm_75, sm_90a, sm_120") << name;
}

TEST(Names, ReleasedArchitecturesAreInOrderAndOnce) {
  const Names& archs = releasedArchs();
  auto number = [](const std::string& arch) { return std::stoi(arch.substr(3)); };
  for (std::size_t i = 0; i < archs.size(); ++i) {
    EXPECT_TRUE(isArchName(archs[i])) << archs[i];
    EXPECT_LE(number(archs[i ? i - 1 : 0]), number(archs[i]));
    EXPECT_EQ(std::count(archs.begin(), archs.end(), archs[i]), 1) << archs[i];
  }
}

} // namespace
} // namespace harness
