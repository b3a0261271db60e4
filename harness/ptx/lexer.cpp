#include "harness/ptx/lexer.h"

#include "harness/base/error.h"
#include "harness/ptx/quote.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace harness::ptx {
namespace {

enum : std::uint8_t { kBlank = 1, kWord = 2, kDigit = 4, kHex = 8, kNameStart = 16 };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (char c : {' ', '\t', '\r', '\n', '\v', '\f'})
    classes[static_cast<unsigned char>(c)] |= kBlank;
  for (int c = '0'; c <= '9'; ++c)
    classes[static_cast<std::size_t>(c)] |= kWord | kDigit | kHex;
  for (int c = 'a'; c <= 'z'; ++c) {
    classes[static_cast<std::size_t>(c)] |= kWord | kNameStart;
    classes[static_cast<std::size_t>(c - 'a' + 'A')] |= kWord | kNameStart;
  }
  for (int c = 'a'; c <= 'f'; ++c) {
    classes[static_cast<std::size_t>(c)] |= kHex;
    classes[static_cast<std::size_t>(c - 'a' + 'A')] |= kHex;
  }
  classes['_'] |= kWord | kNameStart;
  classes['$'] |= kWord | kNameStart;
  return classes;
}();

constexpr bool is(char c, std::uint8_t classes) {
  return kClasses[static_cast<unsigned char>(c)] & classes;
}

constexpr std::size_t kLongestName = 1 << 16;

constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
constexpr std::string_view kSingles = ",;:()[]{}@?!~+-*/%<>&|^=";

} // namespace

Lexer::Lexer(std::string_view text, std::string_view name) : text_(text), name_(name) {
  while (!text_.empty() && text_.back() == '\0')
    text_.remove_suffix(1);
  current_ = read();
}

const Token& Lexer::peekSecond() {
  if (!second_) second_ = read();
  return *second_;
}

Token Lexer::next() {
  Token token = current_;
  if (second_) {
    current_ = *second_;
    second_.reset();
  } else {
    current_ = read();
  }
  return token;
}

std::string_view Lexer::between(const Token& first, const Token& last) const {
  auto offset = [this](const Token& token) {
    return static_cast<std::size_t>(token.text.data() - text_.data());
  };
  std::size_t begin = offset(first) - (first.kind == Token::Kind::Modifier ? 1 : 0);
  return text_.substr(begin, offset(last) + last.text.size() - begin);
}

void Lexer::fail(std::uint32_t line, const std::string& message) const {
  failUsage("{0}:{1}: {2}", name_, line, message);
}

Token Lexer::token(Token::Kind kind, std::size_t length) const {
  return {kind, line_, text_.substr(position_, length), {}};
}

void Lexer::skipBlockComment() {
  std::size_t end = text_.find("*/", position_ + 2);
  if (end == std::string_view::npos) fail(line_, "this /* comment has no end");
  for (; position_ < end; ++position_)
    line_ += text_[position_] == '\n';
  position_ = end + 2;
}

void Lexer::skipBlanks() {
  while (position_ < text_.size()) {
    char c = text_[position_];
    if (is(c, kBlank)) {
      line_ += c == '\n';
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && at(1) == '*') {
      skipBlockComment();
    } else {
      return;
    }
  }
}

Token Lexer::read() {
  skipBlanks();
  if (position_ == text_.size()) return token(Token::Kind::End, 0);
  char c = text_[position_];
  Token read;
  // Before a number such as .5 comes an operator; before a modifier such as .2d, a name.
  bool fraction = c == '.' && is(at(1), kDigit) && previous_ == Token::Kind::Punctuation;
  if (is(c, kNameStart) || (c == '%' && is(at(1), kWord)))
    read = readName();
  else if (is(c, kDigit) || fraction)
    read = readNumber();
  else if (c == '.')
    read = readModifier();
  else if (c == '"')
    read = readText();
  else
    read = readPunctuation();
  previous_ = read.kind;
  return read;
}

void Lexer::checkLength(std::size_t length) const {
  if (length > kLongestName)
    fail(line_, llvm::formatv("the name {0} has {1} characters; at most {2} are accepted",
                              quote(shown(length)), length, kLongestName)
                    .str());
}

Token Lexer::readName() {
  std::size_t length = 1;
  while (is(at(length), kWord))
    ++length;
  checkLength(length);
  Token name = token(Token::Kind::Name, length);
  position_ += length;
  return name;
}

Token Lexer::readModifier() {
  ++position_;
  std::size_t length = 0;
  do {
    std::size_t start = length;
    while (is(at(length), kWord))
      ++length;
    if (length == start) fail(line_, "a name is missing after '" + std::string(start ? "::" : ".") + "'");
    if (at(length) != ':' || at(length + 1) != ':') break;
    length += 2;
  } while (true);
  checkLength(length);
  Token modifier = token(Token::Kind::Modifier, length);
  position_ += length;
  return modifier;
}

Token Lexer::readFloatBits(unsigned digits, Number::Kind kind) {
  Token number = token(Token::Kind::Number, 2 + digits);
  number.number.kind = kind;
  for (std::size_t i = 2; i < 2 + digits; ++i) {
    if (!is(at(i), kHex))
      fail(line_, llvm::formatv("0{0} needs {1} hexadecimal digits", at(1), digits).str());
    number.number.bits = number.number.bits << 4 | llvm::hexDigitValue(at(i));
  }
  return number;
}

Token Lexer::readDecimalFloat() {
  double value = 0;
  const char* begin = text_.data() + position_;
  auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  Token number = token(Token::Kind::Number, static_cast<std::size_t>(end - begin));
  if (error != std::errc())
    fail(line_, "the number " + shown(number.text.size()) + " does not fit into an f64");
  number.number = {Number::Kind::Double, std::bit_cast<std::uint64_t>(value)};
  return number;
}

Token Lexer::readInteger(unsigned base, std::size_t start, std::size_t length) {
  const char* begin = text_.data() + position_;
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(begin + start, begin + length, value, static_cast<int>(base));
  if (error == std::errc::result_out_of_range)
    fail(line_, "the number " + shown(length) + " needs more than 64 bits");
  if (end != begin + length || length == start) fail(line_, "'" + shown(length + 1) + "' is no number");
  bool isUnsigned = at(length) == 'U';
  Token number = token(Token::Kind::Number, length + isUnsigned);
  number.number = {isUnsigned || value >> 63 ? Number::Kind::Unsigned : Number::Kind::Signed, value};
  return number;
}

Token Lexer::readNumber() {
  char prefix = at(0) == '0' ? llvm::toLower(at(1)) : '\0';
  Token number;
  if (prefix == 'f') {
    number = readFloatBits(8, Number::Kind::Single);
  } else if (prefix == 'd') {
    number = readFloatBits(16, Number::Kind::Double);
  } else if (prefix == 'x' || prefix == 'b') {
    number = readInteger(prefix == 'x' ? 16 : 2, 2, digits(2, prefix == 'x' ? kHex : kDigit));
  } else {
    std::size_t length = digits(0, kDigit);
    bool fraction = at(length) == '.' && (is(at(length + 1), kDigit) || !is(at(length + 1), kWord));
    bool exponent = llvm::toLower(at(length)) == 'e';
    number = fraction || exponent ? readDecimalFloat() : readInteger(at(0) == '0' ? 8 : 10, 0, length);
  }
  if (is(at(number.text.size()), kWord)) fail(line_, "'" + shown(number.text.size() + 1) + "' is no number");
  position_ += number.text.size();
  return number;
}

/// Where the digits end that begin `start` characters from here.
std::size_t Lexer::digits(std::size_t start, std::uint8_t classes) const {
  while (is(at(start), classes))
    ++start;
  return start;
}

std::string Lexer::shown(std::size_t length) const {
  return std::string(text_.substr(position_, std::min<std::size_t>(length, 40)));
}

Token Lexer::readText() {
  std::size_t length = text_.find_first_of(std::string_view("\"\n\0", 3), position_ + 1) - position_;
  if (at(length) != '"') fail(line_, "this string has no end");
  Token text = token(Token::Kind::Text, length + 1);
  position_ += length + 1;
  return text;
}

Token Lexer::readPunctuation() {
  std::string_view two = text_.substr(position_, 2);
  for (std::string_view pair : kPairs) {
    if (two != pair) continue;
    Token read = token(Token::Kind::Punctuation, 2);
    position_ += 2;
    return read;
  }
  char c = text_[position_];
  if (kSingles.find(c) == std::string_view::npos) {
    std::string shown = llvm::isPrint(c)
                            ? std::string("the character '") + c + "'"
                            : llvm::formatv("the byte 0x{0:x-2}", static_cast<unsigned char>(c)).str();
    fail(line_, shown + " has no meaning here");
  }
  Token read = token(Token::Kind::Punctuation, 1);
  ++position_;
  return read;
}

} // namespace harness::ptx
