#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace harness::test {

using Random = std::mt19937_64;

/// How many inputs a fuzz test tries: HARNESS_FUZZ_ITERATIONS, or `otherwise`. The seeds are 0, 1, 2 …, or
/// from HARNESS_FUZZ_SEED on.
std::uint64_t fuzzIterations(std::uint64_t otherwise);
std::uint64_t firstFuzzSeed();

/// Remembers what is tried now: if the process dies over it, or takes more than a minute, both are printed.
void trying(std::uint64_t seed, std::string input);
/// Nothing is tried any more.
void triedAll();
/// What is tried now, with its seed; empty if nothing is.
const std::string& tried();

inline std::size_t below(Random& random, std::size_t n) {
  return n ? random() % n : 0;
}

/// An element of an array, a vector, a span or a string.
template <typename C> const auto& anyOf(Random& random, const C& container) {
  return container[below(random, std::size(container))];
}

} // namespace harness::test
