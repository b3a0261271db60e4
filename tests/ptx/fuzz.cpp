#include "tests/ptx/fuzz.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace harness::ptx::test {
namespace {

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
