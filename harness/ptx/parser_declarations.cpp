#include "harness/ptx/parser.h"
#include "harness/ptx/quote.h"

#include <llvm/ADT/bit.h>
#include <llvm/Support/FormatVariadic.h>

#include <limits>

namespace harness::ptx {
namespace {

struct SpaceName {
  std::string_view name;
  Space space;
};

constexpr SpaceName kSpaces[] = {{"reg", Space::Reg},     {"const", Space::Const}, {"global", Space::Global},
                                 {"local", Space::Local}, {"param", Space::Param}, {"shared", Space::Shared},
                                 {"tex", Space::Tex}};

/// Every name of a declaration gets a copy.
constexpr std::size_t kLongestAttribute = 256;

constexpr std::string_view kOpaque[] = {"texref", "samplerref", "surfref"};

const SpaceName* spaceNamed(std::string_view name) {
  for (const SpaceName& row : kSpaces)
    if (row.name == name) return &row;
  return nullptr;
}

bool isOpaque(std::string_view name) {
  for (std::string_view opaque : kOpaque)
    if (opaque == name) return true;
  return false;
}

unsigned vectorNamed(std::string_view name) {
  return name == "v2" ? 2 : name == "v4" ? 4 : name == "v8" ? 8 : 1;
}

/// How many elements each dimension has, those of a vector last; 0 = any number, of the first.
std::vector<std::uint64_t> extentsOf(const Variable& variable) {
  std::vector<std::uint64_t> extents = variable.dimensions;
  if (variable.vector > 1) extents.push_back(variable.vector);
  return extents;
}

/// How many elements `extents` from `level` on hold together; the parser has limited it.
std::uint64_t elementsOf(const std::vector<std::uint64_t>& extents, std::size_t level) {
  std::uint64_t product = 1;
  for (std::size_t i = level; i < extents.size(); ++i)
    product *= extents[i];
  return product;
}

} // namespace

std::string_view toString(Space space) {
  return kSpaces[static_cast<std::size_t>(space)].name;
}

std::vector<Variable> Parser::variables(std::string linkage) {
  const Variable head = variableHead(std::move(linkage));
  std::vector<Variable> all;
  do {
    spend<Statement>();
    declarator(all.emplace_back(head));
  } while (take(','));
  return all;
}

/// All up to the first name.
Variable Parser::variableHead(std::string linkage) {
  Variable variable;
  variable.linkage = std::move(linkage);
  bool spaced = false, typed = false;
  while (lexer_.peek().kind == Token::Kind::Modifier) {
    const SpaceName* space = spaceNamed(lexer_.peek().text);
    if (space && !spaced) {
      lexer_.next();
      variable.space = space->space;
      spaced = true;
    } else {
      headModifier(variable, typed);
    }
  }
  if (!spaced) unexpected("a state space such as '.reg'");
  if (!typed) unexpected("the type of a variable");
  return variable;
}

void Parser::headModifier(Variable& variable, bool& typed) {
  constexpr std::uint64_t kMostAlign = std::uint64_t{1} << 30;
  Token modifier = lexer_.next();
  std::string_view word = modifier.text;
  if (word == "align") {
    variable.align = parseCount(lexer_, limits_.depth, kMostAlign, "an alignment");
    if (!llvm::has_single_bit(variable.align)) fail(modifier, "an alignment must be a power of 2");
  } else if (vectorNamed(word) > 1) {
    variable.vector = vectorNamed(word);
  } else if (word == "attribute") {
    variable.attributes = ".attribute" + joinedInParentheses();
    if (variable.attributes.size() > kLongestAttribute)
      fail(modifier, llvm::formatv("an attribute of more than {0} characters", kLongestAttribute).str());
  } else if (word == "ptr") {
    variable.pointer = pointer();
  } else if (!typed && isOpaque(word)) {
    variable.opaque = word;
    variable.type = Type::B64;
    typed = true;
  } else if (std::optional<Type> type = typeNamed(word); type && !typed) {
    variable.type = *type;
    typed = true;
  } else {
    fail(modifier,
         quote("." + std::string(word.substr(0, 41)), 40) + " is no directive, or no part of a declaration");
  }
}

/// name<count>[dimension] = initialiser
void Parser::declarator(Variable& variable) {
  Token name = expectName("the name of a variable");
  variable.line = name.line;
  variable.name = name.text;
  if (take('<')) {
    Token count = lexer_.peek();
    if (count.kind != Token::Kind::Number) unexpected("a number of registers");
    lexer_.next();
    if (count.number.bits > limits_.registers || count.number.kind > Number::Kind::Unsigned)
      fail(count, llvm::formatv("{0} registers in one declaration; at most {1} are accepted",
                                count.text.substr(0, 40), limits_.registers)
                      .str());
    variable.count = static_cast<std::uint32_t>(count.number.bits);
    expect('>', "after a number of registers");
  }
  dimensions(variable);
  if (!take('=')) return;
  variable.initialised = true;
  if (variable.opaque.empty())
    initialiser(variable);
  else
    variable.opaque += " = " + opaqueFields();
}

void Parser::dimensions(Variable& variable) {
  std::uint64_t bytes = std::max(1u, bitsOf(variable.type) / 8) * variable.vector;
  while (lexer_.peek().is('[')) {
    Token open = lexer_.next();
    if (variable.dimensions.size() == limits_.depth) fail(open, "this array has too many dimensions");
    std::uint64_t extent = 0;
    if (!lexer_.peek().is(']'))
      extent = parseCount(lexer_, limits_.depth, limits_.variableBytes, "the size of an array");
    if (extent == 0 && !variable.dimensions.empty())
      fail(open, "only the first dimension of an array may be open");
    expect(']', "after the size of an array");
    variable.dimensions.push_back(extent);
    if (extent > limits_.variableBytes / bytes)
      fail(open,
           llvm::formatv("{0} is larger than {1} bytes", quote(variable.name), limits_.variableBytes).str());
    bytes *= std::max<std::uint64_t>(extent, 1);
  }
}

/// After `.ptr`: .global .align 16, both optional
std::string Parser::pointer() {
  std::string text = "ptr";
  const Token& space = lexer_.peek();
  if (space.kind == Token::Kind::Modifier && spaceNamed(space.text)) {
    text += ' ';
    text += lexer_.next().text;
  }
  if (lexer_.peek().kind == Token::Kind::Modifier && lexer_.peek().text == "align") {
    lexer_.next();
    std::uint64_t align = parseCount(lexer_, limits_.depth, std::uint64_t{1} << 30, "an alignment");
    text += " align " + std::to_string(align);
  }
  return text;
}

std::string Parser::joinedInParentheses() {
  if (!lexer_.peek().is('(')) unexpected("'('");
  return joinedUntilClosed();
}

/// { filter_mode = nearest }
std::string Parser::opaqueFields() {
  if (!lexer_.peek().is('{')) unexpected("'{'");
  return joinedUntilClosed();
}

void Parser::initialiser(Variable& variable) {
  std::vector<std::uint64_t> extents = extentsOf(variable);
  bool open = !extents.empty() && extents[0] == 0;
  std::uint64_t index = 0;
  if (lexer_.peek().is('{'))
    initialiserList(variable, extents, 0, index);
  else if (open || elementsOf(extents, 0) == 1)
    initialiserElement(variable, index, 1);
  else
    unexpected("'{' of an initialiser");
}

/// { element, … } of the array that `extents` from `level` on describe and that begins at `index`.
void Parser::initialiserList(Variable& variable, const std::vector<std::uint64_t>& extents, std::size_t level,
                             std::uint64_t& index) {
  Deeper deeper(*this);
  Token open = expect('{', "of an initialiser");
  if (level > extents.size()) fail(open, "an initialiser has more braces than the variable has dimensions");
  bool any = level == 0 && !extents.empty() && extents[0] == 0;
  std::uint64_t inner = elementsOf(extents, std::min(level + 1, extents.size()));
  std::uint64_t bytes = std::max(1u, bitsOf(variable.type) / 8);
  std::uint64_t end =
      index + (any ? limits_.variableBytes / bytes : elementsOf(extents, std::min(level, extents.size())));
  std::uint64_t start = index;
  while (!lexer_.peek().is('}')) {
    if (lexer_.peek().is('{')) {
      if ((index - start) % inner != 0) fail(lexer_.peek(), "inner braces begin within a row of the array");
      if (index >= end) fail(lexer_.peek(), "more initialisers than elements");
      initialiserList(variable, extents, level + 1, index);
    } else {
      initialiserElement(variable, index, end);
    }
    if (!take(',')) break;
  }
  expect('}', "after an initialiser");
  if (!any) index = end;
}

void Parser::initialiserElement(Variable& variable, std::uint64_t& index, std::uint64_t end) {
  spend<Initialiser>();
  if (index >= end) fail(lexer_.peek(), "more initialisers than elements");
  Token first = lexer_.peek();
  Constant constant = parseConstant(lexer_, limits_.depth);
  if (!constant.selector.empty()) fail(first, "an element of a vector is no constant");
  Initialiser& element = variable.initialisers.emplace_back();
  element.index = index++;
  element.generic = constant.generic;
  element.mask = constant.mask;
  if (constant.isNumber())
    element.value = constant.number;
  else
    element.value = SymbolOffset{std::move(constant.symbol), static_cast<std::int64_t>(constant.number.bits)};
}

} // namespace harness::ptx
