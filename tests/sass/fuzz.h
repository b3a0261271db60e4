#pragma once

#include "harness/sass/executor.h"

#include "tests/base/fuzzing.h"
#include <gtest/gtest.h>

#include <cstdint>

namespace harness::sass::test {

using namespace harness::test;

/// A test that calls `trying`.
class Fuzz : public testing::Test {
protected:
  ~Fuzz() override; ///< nothing is tried any more
};

/// True in one of `n` cases.
inline bool oneIn(Random& random, unsigned n) {
  return random() % n == 0;
}

/// A number at which things go wrong, or any.
std::uint64_t anyNumber(Random& random);

/// Executes the kernels of `program` on a random launch with pointers to three small buffers where they take
/// 8 bytes, for at most 10,000 warp instructions, under every schedule. A test failure if it throws anything
/// but Error(Usage), or ends otherwise than an execution may. Returns how many instructions were executed.
std::uint64_t executeAnyhow(const Program& program, Random& random);

} // namespace harness::sass::test
