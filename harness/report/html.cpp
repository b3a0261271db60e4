#include "harness/report/html.h"

#include "harness/report/markup.h"

namespace harness {

namespace {

bool isForbidden(char32_t c) {
  bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c <= 0x9F);
  bool noncharacter = (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
  bool turns = c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || noncharacter || turns;
}

} // namespace

std::string htmlText(std::string_view text) {
  return markupText(text, {isForbidden, '\'', "&#39;"});
}

std::string htmlElement(std::string_view tag, std::string_view text, std::string_view attributes) {
  std::string name(tag);
  return "<" + name + std::string(attributes) + ">" + htmlText(text) + "</" + name + ">";
}

} // namespace harness
