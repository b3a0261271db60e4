// Mutated kernels: each is refused with Error(Usage), or ends as an execution may.

#include "harness/base/error.h"
#include "harness/ptx/executor.h"

#include "tests/ptx/fuzz.h"
#include "tests/ptx/fuzz_kernels.h"
#include "tests/ptx/sample_modules.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace harness::ptx {
namespace {

using namespace test;

constexpr std::byte kFill{0x3c};
constexpr std::uint64_t kBufferBytes = 4096;

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// A piece whose labels, `NAME@`, are its own.
std::string numbered(std::string_view piece, std::size_t number) {
  std::string text;
  for (char c : piece)
    text +=
        c == '@' && !text.empty() && isWord(text.back()) ? "_" + std::to_string(number) : std::string(1, c);
  return text;
}

std::string anyKernel(Random& random) {
  std::string instructions;
  for (std::size_t i = 0, count = 1 + below(random, 4); i < count; ++i)
    instructions += numbered(anyOf(random, fuzzPieces()), i);
  return kernelOf(instructions);
}

/// What a token may be exchanged for and still mean something.
int classOf(const std::vector<std::string>& tokens, std::size_t at) {
  char first = tokens[at].front();
  if (first == '%' && tokens[at].size() > 1) return 100 + tokens[at][1];
  if (std::isdigit(static_cast<unsigned char>(first))) return 2;
  if (isWord(first)) return at > 0 && tokens[at - 1] == "." ? 3 : 4;
  return 5;
}

constexpr std::string_view kNumbers[] = {"0",          "1",          "2",
                                         "3",          "7",          "8",
                                         "15",         "16",         "31",
                                         "32",         "33",         "63",
                                         "64",         "127",        "255",
                                         "256",        "1023",       "1024",
                                         "4095",       "65536",      "1048576",
                                         "2147483647", "2147483648", "4294967295",
                                         "4294967296", "-1",         "9223372036854775808",
                                         "0f7fc00000", "0f00000001", "0d7fefffffffffffff"};

constexpr std::string_view kModifiers[] = {
    "u8",   "u16",  "u32",    "u64",    "s8",    "s16",       "s32",    "s64",  "b8",   "b16",
    "b32",  "b64",  "b128",   "f16",    "f16x2", "bf16",      "bf16x2", "f32",  "f64",  "f32x2",
    "pred", "v2",   "v4",     "v8",     "rn",    "rz",        "rm",     "rp",   "ftz",  "sat",
    "relu", "NaN",  "global", "shared", "local", "param",     "const",  "cc",   "sync", "aligned",
    "uni",  "wide", "hi",     "lo",     "trans", "satfinite", "e4m3x2", "u16x2"};

std::string mutatedKernel(Random& random, const std::string& text, const std::string& other) {
  std::vector<std::string> tokens = tokensOf(text), donors = tokensOf(other);
  // The head has been seen often.
  std::size_t head = random() % 8 ? tokens.size() / 2 : 0;
  for (std::size_t n = below(random, 4); n > 0; --n) {
    std::size_t at = head + below(random, tokens.size() - head);
    int kind = classOf(tokens, at);
    auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    unsigned choice = random() % 16;
    if (choice == 0) {
      std::swap(tokens[at], tokens[below(random, tokens.size())]);
    } else if (choice == 1) {
      auto end = std::find(place, tokens.end(), ";");
      if (end != tokens.end()) tokens.erase(place, end + 1);
    } else if (choice == 2) {
      std::size_t from = below(random, donors.size()), to = std::min(from + below(random, 40), donors.size());
      tokens.insert(place, donors.begin() + static_cast<std::ptrdiff_t>(from),
                    donors.begin() + static_cast<std::ptrdiff_t>(to));
    } else if (kind == 2 && choice < 14) {
      tokens[at] = anyOf(random, kNumbers);
    } else if (kind == 3 && choice < 9) {
      tokens[at] = anyOf(random, kModifiers);
    } else {
      // Another of the same kind.
      for (int tries = 0; tries < 50; ++tries) {
        std::size_t donor = below(random, donors.size());
        if (classOf(donors, donor) != kind) continue;
        tokens[at] = donors[donor];
        break;
      }
    }
  }
  std::string result;
  for (const std::string& token : tokens)
    result += token;
  return result;
}

Launch anyLaunch(const Program& program, const std::string& kernel, const GlobalMemory& memory,
                 Random& random) {
  static constexpr std::uint32_t kBlocks[] = {64, 64, 64, 32, 33, 96, 1};
  Launch launch;
  launch.grid = {2, 1, 1};
  launch.block = {anyOf(random, kBlocks), 1, 1};
  launch.dynamicShared = 64;
  for (std::size_t size : program.parameterSizes(kernel)) {
    std::vector<std::byte>& argument = launch.args.emplace_back(size);
    if (size == 8) {
      std::uint64_t pointer = memory.allocations()[launch.args.size() % 2].address;
      if (random() % 16 == 0) pointer += random() % kBufferBytes;
      std::memcpy(argument.data(), &pointer, 8);
    } else {
      for (std::byte& byte : argument)
        byte = static_cast<std::byte>(random() % 4 ? 0 : random());
    }
  }
  return launch;
}

struct Outcomes {
  std::uint64_t refused = 0, completed = 0, other = 0, executed = 0;
};

void executeEverything(const std::string& text, Random& random, Outcomes& outcomes) {
  try {
    Program program(parseModule(text, "fuzz.ptx"), "fuzz.ptx");
    for (const std::string& kernel : program.kernels()) {
      ExecutionOptions options;
      options.maxWarpInstructions = 20'000;
      options.scheduleSeed = random();
      options.approximationSeed = random() % 2;
      options.poisonSeed = random() % 2;
      for (Schedule schedule : kSchedules) {
        options.schedule = schedule;
        GlobalMemory memory;
        for (const char* name : {"a", "b"})
          memory.allocate(name, kBufferBytes, kFill);
        Random contents(1);
        for (std::size_t i = 0; i < kBufferBytes; ++i)
          memory.allocations()[0].host[i] = static_cast<std::byte>(contents());
        Launch launch = anyLaunch(program, kernel, memory, random);
        ExecutionResult result = execute(program, kernel, launch, memory, options);
        EXPECT_LE(result.warpInstructions, options.maxWarpInstructions + 1);
        EXPECT_EQ(result.end == ExecutionEnd::Completed, result.message.empty()) << result.message;
        for (int i : {0, 1}) // the byte behind a buffer
          EXPECT_EQ(memory.bytes(i ? "b" : "a").data()[kBufferBytes], kFill);
        outcomes.executed += result.warpInstructions;
        ++(result.end == ExecutionEnd::Completed ? outcomes.completed : outcomes.other);
      }
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
    EXPECT_EQ(std::string_view(error.what()).substr(0, 8), "fuzz.ptx") << error.what();
    ++outcomes.refused;
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

/// Else the mutations of a piece would show little.
TEST(PtxExecutorFuzz, PiecesAreUnderstood) {
  for (std::string_view piece : fuzzPieces()) {
    Program program(parseModule(kernelOf(numbered(piece, 0)), "fuzz.ptx"), "fuzz.ptx");
    for (Schedule schedule : kSchedules) {
      ExecutionOptions options;
      options.schedule = schedule;
      options.maxWarpInstructions = 20'000;
      GlobalMemory memory;
      Launch launch;
      launch.block = {64, 1, 1};
      launch.dynamicShared = 64;
      launch.args.resize(3, std::vector<std::byte>(8));
      launch.args[2].resize(4);
      for (std::size_t i : {0, 1})
        std::memcpy(launch.args[i].data(), &memory.allocate(i ? "b" : "a", kBufferBytes, kFill).address, 8);
      EXPECT_EQ(execute(program, "k", launch, memory, options).message, "") << piece;
    }
  }
}

TEST(PtxExecutorFuzz, MutatedKernels) {
  std::uint64_t first = firstFuzzSeed(), count = fuzzIterations(400);
  Outcomes outcomes;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::string text = anyKernel(random), other = anyKernel(random);
    unsigned choice = random() % 32;
    std::string mutated = mutatedKernel(random, text, other);
    if (choice == 0) mutated = mutatedTokens(random, text, anyOf(random, sampleModules()));
    if (choice == 1) mutated = mutatedKernel(random, std::string(anyOf(random, sampleModules())), text);
    trying(seed, mutated);
    executeEverything(mutated, random, outcomes);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ":\n" << mutated;
  }
  triedAll();
  RecordProperty("refused", std::to_string(outcomes.refused));
  RecordProperty("completed", std::to_string(outcomes.completed));
  RecordProperty("other", std::to_string(outcomes.other));
  if (count < 400) return;
  EXPECT_GT(outcomes.completed, count / 10); // else the mutations are too coarse to reach far
  EXPECT_GT(outcomes.other, count / 10);
}

} // namespace
} // namespace harness::ptx
