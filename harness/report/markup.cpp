#include "harness/report/markup.h"

#include <llvm/Support/ConvertUTF.h>

#include <optional>

namespace harness {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Takes the first code point off `text`; a byte that begins none is taken off alone.
std::optional<char32_t> takeCodePoint(std::string_view& text) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.data());
  const llvm::UTF8* at = begin;
  llvm::UTF32 codePoint = 0;
  if (llvm::convertUTF8Sequence(&at, begin + text.size(), &codePoint, llvm::strictConversion) !=
      llvm::conversionOK) {
    text.remove_prefix(1);
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(at - begin));
  return codePoint;
}

} // namespace

std::string markupText(std::string_view text, const MarkupRules& rules) {
  std::string escaped;
  while (!text.empty()) {
    std::string_view from = text;
    std::optional<char32_t> c = takeCodePoint(text);
    if (!c || rules.isForbidden(*c))
      escaped += kReplacement;
    else if (*c == '&')
      escaped += "&amp;";
    else if (*c == '<')
      escaped += "&lt;";
    else if (*c == '>')
      escaped += "&gt;";
    else if (*c == '"')
      escaped += "&quot;";
    else if (*c == static_cast<unsigned char>(rules.escaped))
      escaped += rules.escape;
    else
      escaped += from.substr(0, from.size() - text.size());
  }
  return escaped;
}

} // namespace harness
