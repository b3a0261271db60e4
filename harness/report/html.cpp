#include "harness/report/html.h"

#include <llvm/Support/ConvertUTF.h>

namespace harness {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool isForbidden(char32_t c) {
  bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c <= 0x9F);
  bool noncharacter = (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
  bool turns = c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || noncharacter || turns;
}

/// Takes the first code point off `text`; U+FFFF, which is forbidden, for a byte that begins none.
char32_t takeCodePoint(std::string_view& text) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.data());
  const llvm::UTF8* at = begin;
  llvm::UTF32 codePoint = 0;
  if (llvm::convertUTF8Sequence(&at, begin + text.size(), &codePoint, llvm::strictConversion) !=
      llvm::conversionOK) {
    text.remove_prefix(1);
    return 0xFFFF;
  }
  text.remove_prefix(static_cast<std::size_t>(at - begin));
  return codePoint;
}

} // namespace

std::string htmlText(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    std::string_view from = text;
    char32_t c = takeCodePoint(text);
    if (isForbidden(c))
      escaped += kReplacement;
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (c == '\'')
      escaped += "&#39;";
    else
      escaped += from.substr(0, from.size() - text.size());
  }
  return escaped;
}

std::string htmlElement(std::string_view tag, std::string_view text, std::string_view attributes) {
  std::string name(tag);
  return "<" + name + std::string(attributes) + ">" + htmlText(text) + "</" + name + ">";
}

} // namespace harness
