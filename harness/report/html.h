#pragma once

#include <string>
#include <string_view>

namespace harness {

/// `text` for HTML, between tags and in quoted attributes. What HTML must not hold (control characters,
/// noncharacters, malformed UTF-8), and what turns the direction of the text after it, becomes U+FFFD.
std::string htmlText(std::string_view text);

/// `<tag>text</tag>`, the text escaped; `attributes` are taken as they are, e.g. ` class="x"`.
std::string htmlElement(std::string_view tag, std::string_view text, std::string_view attributes = "");

} // namespace harness
