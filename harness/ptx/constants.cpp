#include "harness/ptx/constants.h"

#include "harness/ptx/quote.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FormatVariadic.h>

#include <bit>

namespace harness::ptx {
namespace {

using Kind = Number::Kind;

struct Operator {
  std::string_view text;
  unsigned precedence; ///< binds closer if larger
};

constexpr unsigned kEquality = 6, kOrder = 7, kShift = 8;

constexpr Operator kOperators[] = {
    {"||", 1},         {"&&", 2},     {"|", 3},       {"^", 4},      {"&", 5},       {"==", kEquality},
    {"!=", kEquality}, {"<", kOrder}, {"<=", kOrder}, {">", kOrder}, {">=", kOrder}, {"<<", kShift},
    {">>", kShift},    {"+", 9},      {"-", 9},       {"*", 10},     {"/", 10},      {"%", 10}};

const Operator* operatorOf(const Token& token) {
  if (token.kind != Token::Kind::Punctuation) return nullptr;
  for (const Operator& op : kOperators)
    if (op.text == token.text) return &op;
  return nullptr;
}

class Evaluator {
public:
  Evaluator(Lexer& lexer, unsigned depth) : lexer_(lexer), depth_(depth) {}

  Constant conditional() {
    Deeper deeper(*this);
    Constant condition = binary(1);
    if (!lexer_.peek().is('?')) return condition;
    std::uint32_t line = lexer_.next().line;
    requireInteger(condition, line, "?");
    Constant yes = conditional();
    if (!lexer_.peek().is(':')) unexpected("':' of a conditional expression");
    lexer_.next();
    Constant no = conditional();
    if (!yes.isNumber() || !no.isNumber())
      lexer_.fail(line, "a conditional expression chooses between numbers only");
    Number chosen = (condition.number.bits ? yes : no).number;
    return number(chosen);
  }

private:
  /// One level of recursion.
  class Deeper {
  public:
    explicit Deeper(Evaluator& evaluator) : evaluator_(evaluator) {
      if (evaluator_.depth_ == 0)
        evaluator.lexer_.fail(evaluator.lexer_.peek().line, "this expression is nested too deeply");
      --evaluator_.depth_;
    }
    ~Deeper() { ++evaluator_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    Evaluator& evaluator_;
  };

  static Constant number(Number value) {
    Constant constant;
    constant.number = value;
    return constant;
  }

  [[noreturn]] void unexpected(const char* wanted) const {
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::End)
      lexer_.fail(token.line, llvm::formatv("{0} expected, but the text ends", wanted).str());
    lexer_.fail(token.line, llvm::formatv("{0} expected, not {1}", wanted, quote(token.text, 40)).str());
  }

  void requireInteger(const Constant& constant, std::uint32_t line, std::string_view op) const {
    if (!constant.isInteger())
      lexer_.fail(line, llvm::formatv("the operator '{0}' does not take these constants", op).str());
  }

  Constant binary(unsigned least) {
    Constant left = unary();
    for (;;) {
      const Operator* op = operatorOf(lexer_.peek());
      if (!op || op->precedence < least) return left;
      std::uint32_t line = lexer_.next().line;
      Constant right = binary(op->precedence + 1);
      left = combine(*op, left, right, line);
    }
  }

  Constant combine(const Operator& op, const Constant& left, const Constant& right,
                   std::uint32_t line) const {
    bool sum = op.text == "+", difference = op.text == "-";
    if (!left.isNumber() && right.isInteger() && (sum || difference)) return moved(left, right, difference);
    if (left.isDouble() && right.isDouble()) return number(calculateDouble(op, left, right, line));
    requireInteger(left, line, op.text);
    requireInteger(right, line, op.text);
    return number(calculate(op, left.number, right.number, line));
  }

  Number calculateDouble(const Operator& op, const Constant& left, const Constant& right,
                         std::uint32_t line) const {
    auto a = std::bit_cast<double>(left.number.bits), b = std::bit_cast<double>(right.number.bits);
    auto real = [](double value) { return Number{Kind::Double, std::bit_cast<std::uint64_t>(value)}; };
    if (op.text == "+") return real(a + b);
    if (op.text == "-") return real(a - b);
    if (op.text == "*") return real(a * b);
    if (op.text == "/") return real(a / b);
    if (op.precedence < kEquality || op.precedence > kOrder) requireInteger(left, line, op.text);
    return truth(compare(op.text, a, b));
  }

  static Constant moved(Constant symbol, const Constant& by, bool down) {
    symbol.number.bits += down ? -by.number.bits : by.number.bits;
    return symbol;
  }

  /// The types of operands and results are those of the manual's table of evaluation rules.
  Number calculate(const Operator& op, Number left, Number right, std::uint32_t line) const {
    bool isUnsigned = left.kind == Kind::Unsigned || right.kind == Kind::Unsigned;
    std::uint64_t a = left.bits, b = right.bits;
    auto usual = [&](std::uint64_t bits) { return Number{isUnsigned ? Kind::Unsigned : Kind::Signed, bits}; };
    if (op.text == "+") return usual(a + b);
    if (op.text == "-") return usual(a - b);
    if (op.text == "*") return usual(a * b);
    if (op.text == "&") return {Kind::Unsigned, a & b};
    if (op.text == "|") return {Kind::Unsigned, a | b};
    if (op.text == "^") return {Kind::Unsigned, a ^ b};
    if (op.text == "&&") return truth(a && b);
    if (op.text == "||") return truth(a || b);
    if (op.text == "/" || op.text == "%") {
      if (b == 0) lexer_.fail(line, "division by zero in a constant expression");
      return op.text == "/" ? usual(divide(a, b, isUnsigned)) : Number{Kind::Signed, a % b};
    }
    if (op.text == "<<" || op.text == ">>") {
      if (b >= 64) lexer_.fail(line, "a constant is shifted by less than 0 or more than 63 bits");
      if (op.text == "<<") return {left.kind, a << b};
      return {left.kind, left.kind == Kind::Unsigned
                             ? a >> b
                             : static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> b)};
    }
    if (isUnsigned) return truth(compare(op.text, a, b));
    return truth(compare(op.text, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
  }

  static Number truth(bool value) { return {Kind::Signed, value}; }

  template <typename T> static bool compare(std::string_view op, T a, T b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    return op == "<=" ? a <= b : a >= b;
  }

  static std::uint64_t divide(std::uint64_t a, std::uint64_t b, bool isUnsigned) {
    if (isUnsigned) return a / b;
    if (b == ~std::uint64_t{0}) return -a; // INT64_MIN / -1 wraps
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
  }

  Constant unary() {
    const Token& token = lexer_.peek();
    for (char op : {'-', '+', '!', '~'}) {
      if (!token.is(op)) continue;
      Deeper deeper(*this);
      std::uint32_t line = lexer_.next().line;
      return apply(op, unary(), line);
    }
    if (token.is('(')) return parenthesised();
    return primary();
  }

  Constant apply(char op, Constant operand, std::uint32_t line) const {
    Number& value = operand.number;
    bool sign = op == '-' || op == '+';
    if (!sign || !operand.isNumber()) requireInteger(operand, line, std::string_view(&op, 1));
    if (op == '!') value = {Kind::Signed, value.bits == 0};
    if (op == '~') value = {Kind::Unsigned, ~value.bits};
    if (op == '-') {
      if (value.kind == Kind::Single)
        value.bits ^= std::uint64_t{1} << 31;
      else if (value.kind == Kind::Double)
        value.bits ^= std::uint64_t{1} << 63;
      else
        value.bits = -value.bits;
    }
    return operand;
  }

  /// (expression), or a cast: (.s64)unary
  Constant parenthesised() {
    Deeper deeper(*this);
    lexer_.next();
    if (lexer_.peek().kind != Token::Kind::Modifier) {
      Constant inner = conditional();
      close();
      return inner;
    }
    Token type = lexer_.next();
    if (type.text != "s64" && type.text != "u64")
      lexer_.fail(type.line, "constants are cast to .s64 or .u64 only");
    close();
    Constant value = unary();
    requireInteger(value, type.line, "cast");
    value.number.kind = type.text == "u64" ? Kind::Unsigned : Kind::Signed;
    return value;
  }

  void close() {
    if (!lexer_.peek().is(')')) unexpected("')'");
    lexer_.next();
  }

  Constant primary() {
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::Number) {
      Number value = lexer_.next().number;
      return lexer_.peek().is('(') ? masked(value) : number(value);
    }
    if (token.kind != Token::Kind::Name) unexpected("a constant");
    Token name = lexer_.next();
    if (name.text == "WARP_SZ") return number({Kind::Signed, 32});
    if (name.text == "generic" && lexer_.peek().is('(')) return generic();
    Constant symbol;
    symbol.symbol = name.text;
    if (lexer_.peek().kind == Token::Kind::Modifier) symbol.selector = lexer_.next().text;
    return symbol;
  }

  /// A symbol, perhaps with an offset, in parentheses.
  Constant symbolInParentheses() {
    Deeper deeper(*this);
    std::uint32_t line = lexer_.next().line;
    Constant symbol = conditional();
    close();
    if (symbol.isNumber() || symbol.mask)
      lexer_.fail(line, "the name of a variable or function expected in these parentheses");
    return symbol;
  }

  Constant generic() {
    std::uint32_t line = lexer_.peek().line;
    Constant symbol = symbolInParentheses();
    if (symbol.generic) lexer_.fail(line, "generic() of generic()");
    symbol.generic = true;
    return symbol;
  }

  Constant masked(Number mask) {
    std::uint32_t line = lexer_.peek().line;
    Constant symbol = symbolInParentheses();
    if (mask.kind == Kind::Single || mask.kind == Kind::Double || mask.bits == 0)
      lexer_.fail(line, "the mask of an address is an integer other than 0");
    symbol.mask = mask.bits;
    return symbol;
  }

  Lexer& lexer_;
  unsigned depth_;
};

} // namespace

Constant parseConstant(Lexer& lexer, unsigned depth) {
  return Evaluator(lexer, depth).conditional();
}

std::uint64_t parseCount(Lexer& lexer, unsigned depth, std::uint64_t most, const char* what) {
  std::uint32_t line = lexer.peek().line;
  Constant constant = parseConstant(lexer, depth);
  if (!constant.isInteger()) lexer.fail(line, llvm::formatv("{0} must be an integer", what).str());
  bool negative = constant.number.kind == Kind::Signed && constant.number.bits >> 63;
  if (negative || constant.number.bits > most)
    lexer.fail(line, llvm::formatv("{0} is {1}; at most {2} is accepted", what,
                                   negative ? std::to_string(static_cast<std::int64_t>(constant.number.bits))
                                            : std::to_string(constant.number.bits),
                                   most)
                         .str());
  return constant.number.bits;
}

} // namespace harness::ptx
