#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx::test {

using Random = std::mt19937_64;

/// How many inputs a fuzz test tries: HARNESS_FUZZ_ITERATIONS, or `otherwise`. The seeds are 0, 1, 2 …, or
/// from HARNESS_FUZZ_SEED on.
std::uint64_t fuzzIterations(std::uint64_t otherwise);
std::uint64_t firstFuzzSeed();

/// Remembers what is tried now: if the process dies over it, or takes more than a minute, both are printed.
/// An empty input: nothing is tried any more.
void trying(std::uint64_t seed, std::string input);

inline std::size_t below(Random& random, std::size_t n) {
  return n ? random() % n : 0;
}

/// An element of an array, a vector, a span or a string.
template <typename C> const auto& anyOf(Random& random, const C& container) {
  return container[below(random, std::size(container))];
}

/// Words, and other characters one by one, with their blanks.
std::vector<std::string> tokensOf(std::string_view text);

/// The text with a few tokens changed, moved, removed, or taken from the other text.
std::string mutatedTokens(Random& random, std::string_view text, std::string_view other);
/// The text with a few bytes changed.
std::string mutatedBytes(Random& random, std::string text);

} // namespace harness::ptx::test
