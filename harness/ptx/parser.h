#pragma once

#include "harness/ptx/constants.h"
#include "harness/ptx/lexer.h"
#include "harness/ptx/syntax.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx {

/// Recursive descent over one module. Use parseModule; this class exists so that its parts can stand in files
/// of their own.
class Parser {
public:
  Parser(std::string_view text, std::string_view name, const ParseLimits& limits)
      : lexer_(text, name), limits_(limits) {}

  Module module();

private:
  /// Of nested scopes, vectors, lists and braces: counts while it lives.
  class Deeper {
  public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    Parser& parser_;
  };

  // parser.cpp: the module and its functions
  void header(Module& module);
  void version(Module& module);
  void targets(Module& module);
  void item(Module& module);
  Function function(std::string linkage);
  std::vector<std::string> leadingDirectives();
  std::vector<std::string> trailingDirectives();
  std::vector<Variable> parameters();
  Alias alias();
  Location location();
  void locationPart(std::string& text);
  Remark pragma();
  Remark file();
  Remark section();

  // parser_declarations.cpp: variables
  /// .reg .b32 a, b — up to before the `;`
  std::vector<Variable> variables(std::string linkage);
  Variable variableHead(std::string linkage);
  void headModifier(Variable& variable, bool& typed);
  void declarator(Variable& variable);
  void dimensions(Variable& variable);
  std::string pointer();
  std::string joinedInParentheses();
  std::string opaqueFields();
  void initialiser(Variable& variable);
  void initialiserList(Variable& variable, const std::vector<std::uint64_t>& extents, std::size_t level,
                       std::uint64_t& index);
  void initialiserElement(Variable& variable, std::uint64_t& index, std::uint64_t end);

  // parser_instructions.cpp: what stands in a body
  Scope scope();
  void statement(std::vector<Statement>& statements);
  void directive(std::vector<Statement>& statements);
  void labelled(std::vector<Statement>& statements);
  Targets targetList(const Token& label, const Token& directive);
  Prototype prototype(const Token& label, const Token& directive);
  Instruction instruction();
  Guard guard();
  Operand operand();
  Operand brace();
  Operand list();
  Operand address();
  Operand pair(Operand first);
  Operand constantOperand();
  void elementsUntil(char end, std::vector<Operand>& elements);

  // What all use.
  Token expect(char punctuation, const char* where);
  Token expectName(const char* what);
  bool take(char punctuation);
  /// Counts what the tree grows by.
  void spend(std::size_t bytes);
  template <typename Node> void spend() { spend(sizeof(Node)); }
  std::string joinedUntilClosed();
  [[noreturn]] void fail(const Token& at, const std::string& message) const { lexer_.fail(at.line, message); }
  [[noreturn]] void unexpected(const std::string& wanted) const;

  Lexer lexer_;
  ParseLimits limits_;
  unsigned depth_ = 0;
  std::uint64_t treeBytes_ = 0;
};

/// extern, visible, weak, common
bool isLinkage(std::string_view word);

/// Appends one more to the text of tokens in one line, so that it reads as the same tokens.
void appendToken(std::string& text, const Token& token);

} // namespace harness::ptx
