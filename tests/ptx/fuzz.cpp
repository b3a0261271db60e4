#include "tests/ptx/fuzz.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <utility>

// There in a build with AddressSanitizer.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());
// UndefinedBehaviorSanitizer asks for this; SIGABRT then tells what was tried.
extern "C" const char* __ubsan_default_options() {
  return "abort_on_error=1:print_stacktrace=1";
}

namespace harness::ptx::test {
namespace {

std::string tried;

void printTried() {
  std::string_view text = tried;
  while (!text.empty()) {
    ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void die(int signal) {
  printTried();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 0) : otherwise;
}

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        ";",
                                        ":",
                                        ",",
                                        "@",
                                        "!",
                                        "|",
                                        "+",
                                        "-",
                                        "<",
                                        ">",
                                        "=",
                                        "?",
                                        "*/",
                                        "/*",
                                        "//",
                                        "\"",
                                        "0",
                                        "-1",
                                        "2147483648",
                                        "4294967296",
                                        "0x8000000000000000",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "0f00000000",
                                        "0d7FF0000000000000",
                                        "0f",
                                        "08",
                                        "1.5",
                                        "1e999",
                                        ".5",
                                        ".",
                                        "::",
                                        "%",
                                        "_",
                                        "WARP_SZ",
                                        "generic(",
                                        "0xff(",
                                        "(.s64)",
                                        "(.u64)",
                                        "<<",
                                        ">>",
                                        "/0",
                                        ".v4",
                                        ".v8",
                                        ".b128",
                                        ".align",
                                        ".ptr",
                                        ".reg",
                                        ".global",
                                        ".func",
                                        ".entry",
                                        ".section",
                                        ".loc",
                                        ".file",
                                        ".pragma",
                                        ".callprototype",
                                        ".branchtargets",
                                        ".alias",
                                        ".attribute",
                                        "=",
                                        "{{{{{{{{{{{{{{{{",
                                        "((((((((((((((((",
                                        "----------------",
                                        "[4294967296]",
                                        "[]",
                                        "<4294967295>",
                                        "call",
                                        "\n",
                                        "\xff"};

} // namespace

std::uint64_t fuzzIterations(std::uint64_t otherwise) {
  return fromEnvironment("HARNESS_FUZZ_ITERATIONS", otherwise);
}

std::uint64_t firstFuzzSeed() {
  return fromEnvironment("HARNESS_FUZZ_SEED", 0);
}

void trying(std::uint64_t seed, std::string input) {
  static const bool watched = [] {
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
      std::signal(signal, die);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(printTried);
    return true;
  }();
  tried.clear();
  alarm(0);
  if (!watched || input.empty()) return;
  tried = "HARNESS_FUZZ_SEED=" + std::to_string(seed) + "\n" + std::move(input) + "\n";
  alarm(60);
}

std::vector<std::string> tokensOf(std::string_view text) {
  auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$';
  };
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool joins = !tokens.empty() && word(tokens.back().back()) && word(text[i]);
    if (!joins) tokens.emplace_back();
    tokens.back() += text[i];
  }
  return tokens;
}

std::string mutatedTokens(Random& random, std::string_view text, std::string_view other) {
  std::vector<std::string> tokens = tokensOf(text), donors = tokensOf(other);
  for (std::size_t n = 1 + below(random, 4); n > 0; --n) {
    std::size_t at = below(random, tokens.size());
    auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 6) {
    case 0: tokens[at] = anyOf(random, kTokens); break;
    case 1: tokens[at] = anyOf(random, donors); break;
    case 2: std::swap(tokens[at], tokens[below(random, tokens.size())]); break;
    case 3: tokens[at].clear(); break;
    case 4: tokens.insert(place, std::string(anyOf(random, kTokens))); break;
    case 5: { // a stretch of the other module
      std::size_t from = below(random, donors.size()), count = below(random, 20);
      std::size_t to = std::min(from + count, donors.size());
      tokens.insert(place, donors.begin() + static_cast<std::ptrdiff_t>(from),
                    donors.begin() + static_cast<std::ptrdiff_t>(to));
      break;
    }
    }
  }
  std::string result;
  for (const std::string& token : tokens)
    result += token;
  return result;
}

std::string mutatedBytes(Random& random, std::string text) {
  for (std::size_t n = 1 + below(random, 4); n > 0 && !text.empty(); --n) {
    std::size_t at = below(random, text.size());
    switch (random() % 5) {
    case 0: text[at] = static_cast<char>(random()); break;
    case 1: text[at] = static_cast<char>(text[at] ^ (1 << random() % 8)); break;
    case 2: text.erase(at, 1 + below(random, 16)); break;
    case 3: text.insert(at, text, below(random, text.size()), below(random, 64)); break;
    case 4:
      if (random() % 8 == 0) text.resize(at);
      break;
    }
  }
  return text;
}

} // namespace harness::ptx::test
