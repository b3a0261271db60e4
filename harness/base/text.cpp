#include "harness/base/text.h"

#include "harness/base/error.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/GlobPattern.h>

#include <ctime>

namespace harness {

namespace {
llvm::StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}
} // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(separator, from)) != std::string_view::npos; from = at + 1)
    parts.emplace_back(text.substr(from, at - from));
  parts.emplace_back(text.substr(from));
  return parts;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) joined += separator;
    joined += parts[i];
  }
  return joined;
}

std::string joinFew(std::span<const std::string> parts, std::string_view separator, std::size_t most) {
  std::string text = join(parts.first(std::min(most, parts.size())), separator);
  if (parts.size() > most) text += " and " + std::to_string(parts.size() - most) + " more";
  return text;
}

std::string_view trim(std::string_view text) {
  llvm::StringRef trimmed = ref(text).trim();
  return {trimmed.data(), trimmed.size()};
}

std::string nowUtc() {
  std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string shellCommand(std::span<const std::string> argv) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string line;
  for (const std::string& word : argv) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kSafe) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word)
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  unsigned bestDistance = static_cast<unsigned>(word.size()) / 3 + 2;
  for (const std::string& candidate : candidates) {
    unsigned distance = ref(word).edit_distance_insensitive(candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

bool globMatch(std::string_view pattern, std::string_view text) {
  auto glob = llvm::GlobPattern::create(ref(pattern), /*MaxSubPatterns=*/1024);
  if (!glob) failUsage("bad pattern '{0}': {1}", pattern, llvm::toString(glob.takeError()));
  return glob->match(ref(text));
}

} // namespace harness
