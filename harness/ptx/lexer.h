#pragma once

#include "harness/ptx/syntax.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace harness::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    End,
    Name,        ///< foo, %r1, $L__BB0_1, _
    Modifier,    ///< .global, .shared::cta, .2d: a directive, type or modifier; `text` is without its dot
    Number,      ///< without a sign
    Text,        ///< "…": `text` is with its quotes; a backslash has no meaning
    Punctuation, ///< an operator of C, or one of , ; : ( ) [ ] { } @ ?
  };
  Kind kind = Kind::End;
  std::uint32_t line = 1;
  std::string_view text; ///< in the lexer's text
  Number number;         ///< Number

  bool is(char punctuation) const {
    return kind == Kind::Punctuation && text.size() == 1 && text[0] == punctuation;
  }
};

/// Takes the text of a module apart (PTX ISA, sections 4.1 to 4.5). Comments of both kinds are white space,
/// and so are zero bytes at the very end. Throws Error(Usage) "NAME:LINE: …" at the first character that
/// starts no token, at numbers that are none or need more than 64 bits, at names longer than 65,536
/// characters, and at comments and strings without an end.
class Lexer {
public:
  /// Both outlive the lexer.
  Lexer(std::string_view text, std::string_view name);

  /// The token to come, and the one after it. At the end: End, again and again.
  const Token& peek() const { return current_; }
  const Token& peekSecond();
  /// Returns the token to come and goes on.
  Token next();

  /// What stands in the text from the start of one token to the end of a later one.
  std::string_view between(const Token& first, const Token& last) const;

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const;

private:
  Token read();
  void skipBlanks();
  void skipBlockComment();
  Token readName();
  void checkLength(std::size_t length) const;
  Token readModifier();
  Token readNumber();
  Token readFloatBits(unsigned digits, Number::Kind kind);
  Token readDecimalFloat();
  Token readInteger(unsigned base, std::size_t start, std::size_t length);
  std::size_t digits(std::size_t start, std::uint8_t classes) const;
  /// The next characters, for a message.
  std::string shown(std::size_t length) const;
  Token readText();
  Token readPunctuation();
  Token token(Token::Kind kind, std::size_t length) const;
  char at(std::size_t ahead) const {
    return ahead < text_.size() - position_ ? text_[position_ + ahead] : '\0';
  }

  std::string_view text_, name_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  Token::Kind previous_ = Token::Kind::End; ///< of what was read last
  Token current_;
  std::optional<Token> second_;
};

} // namespace harness::ptx
