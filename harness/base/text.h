#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// The pieces between separators, empty ones included: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
/// The first `most`, and how many more there are: "a, b and 5 more".
std::string joinFew(std::span<const std::string> parts, std::string_view separator, std::size_t most = 20);
std::string_view trim(std::string_view text);

/// The time, UTC, ISO 8601: "2026-11-30T15:30:00Z".
std::string nowUtc();

/// Shell-quoted only where needed: a command line that can be pasted back.
std::string shellCommand(std::span<const std::string> argv);

/// The candidate nearest to `word` by edit distance, or empty if none is near enough to suggest.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// Shell-style match of the whole `text`: `*`, `?`, `[abc]`; `{a,b}` alternatives.
/// Throws Error(Usage) if `pattern` is malformed.
bool globMatch(std::string_view pattern, std::string_view text);

} // namespace harness
