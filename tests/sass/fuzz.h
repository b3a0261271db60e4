#pragma once

#include "harness/sass/executor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace harness::sass::test {

using Random = std::mt19937_64;

/// How many inputs a fuzz test tries: HARNESS_FUZZ_ITERATIONS, or `otherwise`. The seeds are 0, 1, 2 …, or
/// from HARNESS_FUZZ_SEED on.
std::uint64_t fuzzIterations(std::uint64_t otherwise);
std::uint64_t firstFuzzSeed();

/// Remembers what is tried now: if the process dies over it, or takes more than a minute, both are printed.
void trying(std::uint64_t seed, std::string input);

/// A test that calls `trying`.
class Fuzz : public testing::Test {
protected:
  ~Fuzz() override; ///< nothing is tried any more
};

/// True in one of `n` cases.
inline bool oneIn(Random& random, unsigned n) {
  return random() % n == 0;
}

/// An element of an array, a vector, a span or a string.
template <typename C> const auto& anyOf(Random& random, const C& container) {
  return container[random() % std::size(container)];
}

/// A number at which things go wrong, or any.
std::uint64_t anyNumber(Random& random);

/// Executes the kernels of `program` on a random launch with pointers to three small buffers where they take
/// 8 bytes, for at most 10,000 warp instructions, under every schedule. A test failure if it throws anything
/// but Error(Usage), or ends otherwise than an execution may. Returns how many instructions were executed.
std::uint64_t executeAnyhow(const Program& program, Random& random);

} // namespace harness::sass::test
