#include "harness/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace harness {
namespace {

TEST(ParallelFor, VisitsEachIndexOnce) {
  std::vector<std::atomic<int>> visits(1000);
  parallelFor(visits.size(), 4, [&](std::size_t i) { ++visits[i]; });
  for (auto& count : visits)
    EXPECT_EQ(count, 1);
}

TEST(ParallelFor, RethrowsAndStops) {
  std::atomic<int> started = 0;
  auto run = [&] {
    parallelFor(100'000, 2, [&](std::size_t) {
      ++started;
      throw std::runtime_error("x");
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_LE(started, 2);
}

TEST(ParallelFor, NothingToDo) {
  parallelFor(0, 8, [](std::size_t) { FAIL(); });
}

} // namespace
} // namespace harness
