#pragma once

#include "tests/base/fuzzing.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx::test {

using namespace harness::test;

/// Words, and other characters one by one, with their blanks.
std::vector<std::string> tokensOf(std::string_view text);

/// The text with a few tokens changed, moved, removed, or taken from the other text.
std::string mutatedTokens(Random& random, std::string_view text, std::string_view other);
/// The text with a few bytes changed.
std::string mutatedBytes(Random& random, std::string text);

} // namespace harness::ptx::test
