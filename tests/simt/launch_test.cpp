#include "harness/simt/launch.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Launch, CountsDoNotOverflow) {
  Launch launch;
  EXPECT_EQ(launch.blocks(), 1u);
  EXPECT_EQ(launch.threadsPerBlock(), 1u);
  launch.grid = {0x7fffffff, 0xffff, 2};
  launch.block = {5, 3, 2};
  EXPECT_EQ(launch.blocks(), 281470681612290u);
  EXPECT_EQ(launch.threadsPerBlock(), 30u);
}

/// They are part of keys and of output.
TEST(Launch, Names) {
  EXPECT_EQ(toString(Schedule::FallThroughFirst), "ft");
  EXPECT_EQ(toString(Schedule::TakenFirst), "tf");
  EXPECT_EQ(toString(Schedule::LowestPcFirst), "lowest-pc");
  EXPECT_EQ(toString(Schedule::Random), "random");
  for (Schedule schedule : kSchedules)
    EXPECT_EQ(scheduleNamed(toString(schedule)), schedule);
  EXPECT_EQ(scheduleNamed("?"), std::nullopt);
  EXPECT_EQ(toString(ExecutionEnd::Completed), "completed");
  EXPECT_EQ(toString(ExecutionEnd::Fault), "fault");
  EXPECT_EQ(toString(ExecutionEnd::Unsupported), "unsupported");
  EXPECT_EQ(toString(ExecutionEnd::Timeout), "timeout");
  EXPECT_EQ(toString(static_cast<Schedule>(99)), "?");
}

} // namespace
} // namespace harness
