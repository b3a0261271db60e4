#pragma once

#include <string>
#include <string_view>

namespace harness {

/// What a kind of markup does not take as it stands, beside & < > and the double quote.
struct MarkupRules {
  bool (*isForbidden)(char32_t codePoint); ///< becomes U+FFFD, as malformed UTF-8 does
  char escaped;                            ///< one more character, that is written as
  std::string_view escape;                 ///< this
};

/// `text` for that markup, between tags and in quoted attributes.
std::string markupText(std::string_view text, const MarkupRules& rules);

} // namespace harness
