#include "harness/ptx/parser.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::ptx {
namespace {

/// Those special registers whose elements %tid.x … are registers of their own.
constexpr std::string_view kSpecialVectors[] = {
    "%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

bool isSpecialVector(std::string_view name) {
  for (std::string_view special : kSpecialVectors)
    if (special == name) return true;
  return false;
}

void select(Operand& operand, std::string_view selector) {
  if (isSpecialVector(operand.name)) {
    operand.name += '.';
    operand.name += selector;
  } else {
    operand.selector = selector;
  }
}

/// Whether an operand ends before this token.
bool endsOperand(const Token& token) {
  return token.is(',') || token.is(';') || token.is('}') || token.is(']') || token.is(')');
}

} // namespace

Scope Parser::scope() {
  Deeper deeper(*this);
  Scope scope;
  Token open = expect('{', "of a scope");
  scope.line = open.line;
  while (!lexer_.peek().is('}')) {
    if (lexer_.peek().kind == Token::Kind::End) fail(open, "this '{' is never closed");
    statement(scope.statements);
  }
  lexer_.next();
  return scope;
}

void Parser::statement(std::vector<Statement>& statements) {
  if (take(';')) return;
  spend<Statement>();
  const Token& first = lexer_.peek();
  if (first.is('{')) {
    statements.emplace_back(std::make_unique<Scope>(scope()));
  } else if (first.kind == Token::Kind::Modifier) {
    directive(statements);
  } else if (first.kind == Token::Kind::Name && lexer_.peekSecond().is(':')) {
    labelled(statements);
  } else if (first.kind == Token::Kind::Name || first.is('@')) {
    statements.emplace_back(instruction());
  } else {
    unexpected("an instruction, a label or a directive");
  }
}

void Parser::directive(std::vector<Statement>& statements) {
  std::string_view word = lexer_.peek().text;
  if (word == "loc") {
    statements.emplace_back(location());
  } else if (word == "pragma") {
    statements.emplace_back(pragma());
  } else if (word == "file") {
    statements.emplace_back(file());
  } else if (word == "section") {
    statements.emplace_back(section());
  } else {
    std::string linkage;
    if (isLinkage(word)) linkage = lexer_.next().text;
    for (Variable& variable : variables(std::move(linkage)))
      statements.emplace_back(std::move(variable));
    expect(';', "after a declaration");
  }
}

void Parser::labelled(std::vector<Statement>& statements) {
  Token label = lexer_.next();
  lexer_.next();
  const Token& directive = lexer_.peek();
  if (directive.kind == Token::Kind::Modifier) {
    if (directive.text == "branchtargets" || directive.text == "calltargets") {
      statements.emplace_back(targetList(label, lexer_.next()));
      return;
    }
    if (directive.text == "callprototype") {
      statements.emplace_back(prototype(label, lexer_.next()));
      return;
    }
  }
  statements.emplace_back(Label{label.line, std::string(label.text)});
}

Targets Parser::targetList(const Token& label, const Token& directive) {
  Targets targets;
  targets.line = directive.line;
  targets.calls = directive.text == "calltargets";
  targets.name = label.text;
  do {
    spend<std::string>();
    targets.targets.emplace_back(expectName("the name of a target").text);
  } while (take(','));
  expect(';', "after a list of targets");
  return targets;
}

Prototype Parser::prototype(const Token& label, const Token& directive) {
  Prototype prototype;
  prototype.line = directive.line;
  prototype.name = label.text;
  if (lexer_.peek().is('(')) prototype.results = parameters();
  expectName("'_' in the place of a function's name");
  if (lexer_.peek().is('(')) prototype.parameters = parameters();
  for (const std::string& text : trailingDirectives()) {
    if (!prototype.attributes.empty()) prototype.attributes += ' ';
    prototype.attributes += text;
  }
  expect(';', "after a prototype");
  return prototype;
}

Guard Parser::guard() {
  lexer_.next();
  Guard guard;
  guard.negated = take('!');
  guard.name = expectName("a predicate after '@'").text;
  return guard;
}

Instruction Parser::instruction() {
  Instruction instruction;
  instruction.line = lexer_.peek().line;
  if (lexer_.peek().is('@')) instruction.guard = guard();
  instruction.opcode = expectName("an instruction").text;
  while (lexer_.peek().kind == Token::Kind::Modifier) {
    spend<std::string>();
    instruction.modifiers.emplace_back(lexer_.next().text);
  }
  bool call = instruction.opcode == "call";
  if (!lexer_.peek().is(';')) {
    do
      instruction.operands.push_back(call && lexer_.peek().is('(') ? list() : operand());
    while (take(','));
  }
  expect(';', "after an instruction");
  return instruction;
}

Operand Parser::operand() {
  spend<Operand>();
  const Token& first = lexer_.peek();
  if (first.kind == Token::Kind::Name) {
    const Token& second = lexer_.peekSecond();
    if (second.is('|') || endsOperand(second)) {
      Operand operand;
      operand.name = lexer_.next().text;
      if (operand.name == "WARP_SZ") {
        operand.name.clear();
        operand.kind = Operand::Kind::Number;
        operand.number.bits = 32;
      }
      return lexer_.peek().is('|') ? pair(std::move(operand)) : operand;
    }
    return constantOperand();
  }
  if (first.is('{')) return brace();
  if (first.is('[')) return address();
  bool sign = first.is('!') || first.is('-');
  if (sign && lexer_.peekSecond().kind == Token::Kind::Name && lexer_.peekSecond().text != "WARP_SZ") {
    Operand operand;
    operand.negated = true;
    operand.minus = lexer_.next().is('-');
    operand.name = lexer_.next().text;
    if (lexer_.peek().kind == Token::Kind::Modifier) select(operand, lexer_.next().text);
    return operand;
  }
  return constantOperand();
}

/// A number, or a name with a selector or an offset.
Operand Parser::constantOperand() {
  Token first = lexer_.peek();
  Constant constant = parseConstant(lexer_, limits_.depth);
  if (constant.generic || constant.mask)
    fail(first, "generic addresses and masks stand in initialisers only");
  Operand operand;
  if (constant.isNumber()) {
    operand.kind = Operand::Kind::Number;
    operand.number = constant.number;
  } else {
    operand.name = std::move(constant.symbol);
    operand.offset = static_cast<std::int64_t>(constant.number.bits);
    if (!constant.selector.empty()) select(operand, constant.selector);
  }
  return operand;
}

/// first|second
Operand Parser::pair(Operand first) {
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.elements.push_back(std::move(first));
  while (take('|')) {
    spend<Operand>();
    Operand& second = pair.elements.emplace_back();
    second.name = expectName("the name of a second destination").text;
  }
  return pair;
}

Operand Parser::brace() {
  Deeper deeper(*this);
  lexer_.next();
  Operand vector;
  vector.kind = Operand::Kind::Vector;
  elementsUntil('}', vector.elements);
  return lexer_.peek().is('|') ? pair(std::move(vector)) : vector;
}

/// (a, b) of a call
Operand Parser::list() {
  spend<Operand>();
  Deeper deeper(*this);
  lexer_.next();
  Operand list;
  list.kind = Operand::Kind::List;
  if (!take(')')) elementsUntil(')', list.elements);
  return list;
}

void Parser::elementsUntil(char end, std::vector<Operand>& elements) {
  do
    elements.push_back(operand());
  while (take(','));
  expect(end, "after a list of operands");
}

/// [name+offset], [number], [map, {x, y}, …]
Operand Parser::address() {
  Deeper deeper(*this);
  lexer_.next();
  Operand address = operand();
  if (address.kind == Operand::Kind::Number)
    address.offset = static_cast<std::int64_t>(address.number.bits);
  else if (address.kind != Operand::Kind::Name || address.negated)
    unexpected("the name of a register or variable, or a number, at the start of an address");
  address.number = {};
  address.kind = Operand::Kind::Address;
  if (take(',')) {
    elementsUntil(']', address.elements);
    return address;
  }
  expect(']', "after an address");
  if (lexer_.peek().kind == Token::Kind::Modifier && lexer_.peek().text == "unified")
    address.selector = lexer_.next().text;
  return address;
}

} // namespace harness::ptx
