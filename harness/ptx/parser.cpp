#include "harness/ptx/parser.h"

#include "harness/base/error.h"
#include "harness/ptx/quote.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace harness::ptx {
namespace {

std::string described(const Token& token) {
  constexpr std::size_t kMost = 40;
  if (token.kind == Token::Kind::End) return "the end of the text";
  if (token.kind != Token::Kind::Modifier) return quote(token.text, kMost);
  return quote("." + std::string(token.text.substr(0, kMost + 1)), kMost);
}

} // namespace

bool isLinkage(std::string_view word) {
  return word == "extern" || word == "visible" || word == "weak" || word == "common";
}

void appendToken(std::string& text, const Token& token) {
  bool closes = token.is(',') || token.is(')') || token.is(']') || token.is(';') || token.is('(');
  bool opened = !text.empty() && (text.back() == '(' || text.back() == '[');
  if (!text.empty() && !closes && !opened) text += ' ';
  if (token.kind == Token::Kind::Modifier) text += '.';
  text += token.text;
}

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > parser_.limits_.depth) {
    --parser_.depth_;
    parser_.fail(parser_.lexer_.peek(),
                 llvm::formatv("more than {0} nested scopes or braces", parser_.limits_.depth).str());
  }
}

void Parser::unexpected(const std::string& wanted) const {
  fail(lexer_.peek(), wanted + " expected, not " + described(lexer_.peek()));
}

Token Parser::expect(char punctuation, const char* where) {
  if (!lexer_.peek().is(punctuation)) unexpected(std::string("'") + punctuation + "' " + where);
  return lexer_.next();
}

Token Parser::expectName(const char* what) {
  if (lexer_.peek().kind != Token::Kind::Name) unexpected(what);
  return lexer_.next();
}

bool Parser::take(char punctuation) {
  if (!lexer_.peek().is(punctuation)) return false;
  lexer_.next();
  return true;
}

void Parser::spend(std::size_t bytes) {
  treeBytes_ += bytes;
  if (treeBytes_ > limits_.treeBytes)
    fail(lexer_.peek(),
         llvm::formatv("the statements, operands and initialisers up to here need more than the "
                       "{0} bytes of memory that a module may have",
                       limits_.treeBytes)
             .str());
}

/// From the '(' or '{' that comes to the one that closes it.
std::string Parser::joinedUntilClosed() {
  std::string text;
  Token first = lexer_.peek();
  unsigned open = 0;
  do {
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::End) fail(first, described(first) + " is never closed");
    if (token.is('(') || token.is('{')) ++open;
    if (token.is(')') || token.is('}')) --open;
    appendToken(text, lexer_.next());
  } while (open);
  return text;
}

Module Parser::module() {
  Module module;
  header(module);
  while (lexer_.peek().kind != Token::Kind::End)
    item(module);
  return module;
}

void Parser::header(Module& module) {
  const Token& first = lexer_.peek();
  if (first.kind != Token::Kind::Modifier || first.text != "version")
    unexpected("'.version' at the start of a module");
  version(module);
  const Token& second = lexer_.peek();
  if (second.kind != Token::Kind::Modifier || second.text != "target")
    unexpected("'.target' after '.version'");
}

void Parser::version(Module& module) {
  lexer_.next();
  const Token& number = lexer_.peek();
  const char* end = number.text.data() + number.text.size();
  auto major = std::from_chars(number.text.data(), end, module.versionMajor);
  bool good =
      number.kind == Token::Kind::Number && major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  if (good) {
    auto minor = std::from_chars(major.ptr + 1, end, module.versionMinor);
    good = minor.ec == std::errc() && minor.ptr == end;
  }
  if (!good) unexpected("a version such as 8.7 after '.version'");
  lexer_.next();
}

void Parser::targets(Module& module) {
  do {
    lexer_.next();
    spend<std::string>();
    module.targets.emplace_back(expectName("the name of a target such as sm_90a").text);
  } while (lexer_.peek().is(','));
}

void Parser::item(Module& module) {
  if (take(';')) return;
  Token first = lexer_.peek();
  if (first.kind != Token::Kind::Modifier) unexpected("a directive");
  spend<Item>();
  std::string linkage;
  if (isLinkage(first.text)) {
    linkage = lexer_.next().text;
    if (lexer_.peek().kind != Token::Kind::Modifier) unexpected("a directive after '." + linkage + "'");
  }
  std::string_view word = lexer_.peek().text;
  if (word == "entry" || word == "func") {
    module.items.emplace_back(function(std::move(linkage)));
  } else if (!linkage.empty()) {
    for (Variable& variable : variables(std::move(linkage)))
      module.items.emplace_back(std::move(variable));
    expect(';', "after a declaration");
  } else if (word == "target") {
    targets(module);
  } else if (word == "address_size") {
    lexer_.next();
    module.addressSize = static_cast<unsigned>(parseCount(lexer_, limits_.depth, 64, "the address size"));
    if (module.addressSize != 32 && module.addressSize != 64)
      fail(first, "the address size is neither 32 nor 64");
  } else if (word == "alias") {
    module.items.emplace_back(alias());
  } else if (word == "loc") {
    module.items.emplace_back(location());
  } else if (word == "pragma") {
    module.items.emplace_back(pragma());
  } else if (word == "file") {
    module.items.emplace_back(file());
  } else if (word == "section") {
    module.items.emplace_back(section());
  } else {
    for (Variable& variable : variables({}))
      module.items.emplace_back(std::move(variable));
    expect(';', "after a declaration");
  }
}

Function Parser::function(std::string linkage) {
  spend<Function>(); // and what it needs when it is bound
  Function function;
  Token first = lexer_.next();
  function.line = first.line;
  function.entry = first.text == "entry";
  function.linkage = std::move(linkage);
  function.directives = leadingDirectives();
  if (lexer_.peek().is('(')) function.results = parameters();
  function.name = expectName("the name of a function").text;
  if (lexer_.peek().is('(')) function.parameters = parameters();
  for (std::string& text : trailingDirectives())
    function.directives.push_back(std::move(text));
  if (take(';')) return function;
  if (!lexer_.peek().is('{')) unexpected("'{' or ';' after the head of a function");
  function.body = scope();
  return function;
}

/// Those between `.func` and its results or name: .attribute(…) and words alone.
std::vector<std::string> Parser::leadingDirectives() {
  std::vector<std::string> directives;
  while (lexer_.peek().kind == Token::Kind::Modifier) {
    spend<std::string>();
    std::string& text = directives.emplace_back();
    bool attribute = lexer_.peek().text == "attribute";
    appendToken(text, lexer_.next());
    if (attribute && lexer_.peek().is('(')) text += joinedUntilClosed();
  }
  return directives;
}

/// Those between parameters and body: .maxntid 32, 1, 1 and the like.
std::vector<std::string> Parser::trailingDirectives() {
  std::vector<std::string> directives;
  while (lexer_.peek().kind == Token::Kind::Modifier) {
    spend<std::string>();
    std::string& text = directives.emplace_back();
    appendToken(text, lexer_.next());
    for (;;) {
      const Token& token = lexer_.peek();
      if (token.is('(')) {
        text += joinedUntilClosed();
      } else if (token.kind == Token::Kind::Number || token.kind == Token::Kind::Text ||
                 token.kind == Token::Kind::Name || token.is(',')) {
        appendToken(text, lexer_.next());
      } else {
        break;
      }
    }
  }
  return directives;
}

/// ( declaration, declaration )
std::vector<Variable> Parser::parameters() {
  std::vector<Variable> all;
  expect('(', "before parameters");
  if (take(')')) return all;
  do {
    spend<Variable>();
    Variable& variable = all.emplace_back(variableHead({}));
    declarator(variable);
  } while (take(','));
  expect(')', "after parameters");
  return all;
}

Alias Parser::alias() {
  Alias alias;
  alias.line = lexer_.next().line;
  alias.name = expectName("the name of a function").text;
  expect(',', "between the names of an alias");
  alias.target = expectName("the name of a function").text;
  expect(';', "after an alias");
  return alias;
}

Location Parser::location() {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  Location location;
  location.line = lexer_.next().line;
  for (std::uint32_t* part : {&location.file, &location.sourceLine, &location.column}) {
    const Token& token = lexer_.peek();
    if (token.kind != Token::Kind::Number || token.number.bits > kMost)
      unexpected("file, line and column after '.loc'");
    *part = static_cast<std::uint32_t>(lexer_.next().number.bits);
  }
  while (lexer_.peek().is(',')) {
    appendToken(location.rest, lexer_.next());
    locationPart(location.rest);
  }
  return location;
}

/// function_name label+4  or  inlined_at 1 2 3
void Parser::locationPart(std::string& text) {
  Token word = expectName("'function_name' or 'inlined_at'");
  appendToken(text, word);
  if (word.text == "function_name") {
    appendToken(text, expectName("a label"));
    if (!lexer_.peek().is('+')) return;
    appendToken(text, lexer_.next());
  } else if (word.text != "inlined_at") {
    fail(word, "'function_name' or 'inlined_at' expected, not " + described(word));
  }
  for (int count = word.text == "inlined_at" ? 3 : 1; count > 0; --count) {
    if (lexer_.peek().kind != Token::Kind::Number) unexpected("a number in '.loc'");
    appendToken(text, lexer_.next());
  }
}

Remark Parser::pragma() {
  Remark remark;
  remark.line = lexer_.peek().line;
  appendToken(remark.text, lexer_.next());
  do {
    if (lexer_.peek().kind != Token::Kind::Text) unexpected("a string after '.pragma'");
    appendToken(remark.text, lexer_.next());
    if (lexer_.peek().is(',')) appendToken(remark.text, lexer_.peek());
  } while (take(','));
  expect(';', "after a pragma");
  return remark;
}

/// .file 1 "a.cu", 1700000000, 1234
Remark Parser::file() {
  Remark remark;
  remark.line = lexer_.peek().line;
  appendToken(remark.text, lexer_.next());
  if (lexer_.peek().kind != Token::Kind::Number) unexpected("a number after '.file'");
  appendToken(remark.text, lexer_.next());
  if (lexer_.peek().kind != Token::Kind::Text) unexpected("the name of a file");
  appendToken(remark.text, lexer_.next());
  while (lexer_.peek().is(',')) {
    appendToken(remark.text, lexer_.next());
    if (lexer_.peek().kind != Token::Kind::Number) unexpected("a number after ','");
    appendToken(remark.text, lexer_.next());
  }
  return remark;
}

/// .section .debug_info { … }
Remark Parser::section() {
  Token first = lexer_.next(), last = first;
  while (!lexer_.peek().is('{')) {
    const Token& token = lexer_.peek();
    if (token.kind != Token::Kind::Modifier && token.kind != Token::Kind::Name && !token.is(','))
      unexpected("'{' of a section");
    lexer_.next();
  }
  while (!lexer_.peek().is('}')) {
    if (lexer_.peek().kind == Token::Kind::End) fail(first, "this section has no end");
    lexer_.next();
  }
  last = lexer_.next();
  return {first.line, std::string(lexer_.between(first, last))};
}

Module parseModule(std::string_view text, std::string_view name, const ParseLimits& limits) {
  if (text.size() > limits.bytes)
    failUsage("{0}: {1} bytes of PTX; at most {2} are read", name, text.size(), limits.bytes);
  return Parser(text, name, limits).module();
}

} // namespace harness::ptx
