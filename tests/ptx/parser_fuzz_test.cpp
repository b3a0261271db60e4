// Mutated modules: each is refused with Error(Usage), or prints as text that prints the same when parsed
// again.

#include "harness/base/error.h"
#include "harness/ptx/syntax.h"

#include "tests/ptx/fuzz.h"
#include "tests/ptx/sample_modules.h"
#include <gtest/gtest.h>

namespace harness::ptx {
namespace {

using namespace test;

/// Whether it was taken.
bool survives(const std::string& text) {
  std::string printed;
  try {
    printed = print(parseModule(text, "fuzz.ptx"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
    EXPECT_EQ(std::string_view(error.what()).substr(0, 9), "fuzz.ptx:");
    return false;
  }
  try {
    EXPECT_EQ(print(parseModule(printed, "printed")), printed);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what() << "\n" << printed;
  }
  return true;
}

TEST(PtxParserFuzz, MutatedModules) {
  std::uint64_t first = firstFuzzSeed();
  std::uint64_t count = fuzzIterations(2000), taken = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::string_view text = anyOf(random, test::sampleModules()),
                     other = anyOf(random, test::sampleModules());
    std::string mutated =
        random() % 2 ? mutatedTokens(random, text, other) : mutatedBytes(random, std::string(text));
    trying(seed, mutated);
    taken += survives(mutated);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ":\n" << mutated;
  }
  triedAll();
  RecordProperty("taken", std::to_string(taken));
  if (count >= 1000) {
    EXPECT_GT(taken, count / 100); // else the mutations are too coarse to reach far
    EXPECT_LT(taken, count);
  }
}

} // namespace
} // namespace harness::ptx
