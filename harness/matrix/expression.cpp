#include "harness/matrix/expression.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <llvm/ADT/StringExtras.h>

namespace harness {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxLength = 1000;

/// Recursive descent over the text; one function a level of precedence.
class Evaluator {
public:
  Evaluator(std::string_view text, const Variables& variables) : text_(text), variables_(variables) {}

  std::uint64_t run() {
    if (text_.size() > kMaxLength) failUsage("an expression is longer than {0} characters", kMaxLength);
    std::uint64_t value = sum();
    if (peek() != '\0') fail("unexpected '" + std::string(1, peek()) + "'");
    return value;
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    failUsage("in the expression '{0}': {1}", text_, what);
  }

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail("'" + std::string(1, c) + "' is missing");
  }

  std::uint64_t sum() {
    std::uint64_t value = product();
    for (;;) {
      if (take('+')) {
        if (__builtin_add_overflow(value, product(), &value)) fail("the sum does not fit 64 bits");
      } else if (take('-')) {
        if (__builtin_sub_overflow(value, product(), &value)) fail("the difference is below zero");
      } else {
        return value;
      }
    }
  }

  std::uint64_t product() {
    std::uint64_t value = operand();
    for (;;) {
      if (take('*')) {
        if (__builtin_mul_overflow(value, operand(), &value)) fail("the product does not fit 64 bits");
      } else if (take('/')) {
        value /= divisor(operand());
      } else if (take('%')) {
        value %= divisor(operand());
      } else {
        return value;
      }
    }
  }

  std::uint64_t divisor(std::uint64_t value) const {
    if (value == 0) fail("division by zero");
    return value;
  }

  std::uint64_t operand() {
    char c = peek();
    if (take('(')) {
      std::uint64_t value = nested();
      expect(')');
      return value;
    }
    if (llvm::isDigit(c)) return number();
    if (llvm::isAlpha(c) || c == '_') return nameOrCall();
    fail(c ? "unexpected '" + std::string(1, c) + "'" : "it ends where a value should be");
  }

  std::uint64_t nested() {
    if (++depth_ > kMaxDepth) fail("too many nested parentheses");
    std::uint64_t value = sum();
    --depth_;
    return value;
  }

  std::string_view word() {
    std::size_t from = at_;
    while (at_ < text_.size() && (llvm::isAlnum(text_[at_]) || text_[at_] == '_'))
      ++at_;
    return text_.substr(from, at_ - from);
  }

  std::uint64_t number() {
    std::string_view digits = word();
    int base = digits.starts_with("0x") || digits.starts_with("0X") ? 16 : 10;
    llvm::StringRef text(digits.data(), digits.size());
    std::uint64_t value = 0;
    if (text.drop_front(base == 16 ? 2 : 0).getAsInteger(base, value))
      fail("'" + std::string(digits) + "' is no number of at most 64 bits");
    return value;
  }

  std::uint64_t nameOrCall() {
    std::string name(word());
    if (peek() == '(') return call(name);
    auto found = variables_.find(name);
    if (found != variables_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [variable, value] : variables_)
      known.push_back(variable);
    std::string near = nearest(name, known);
    fail("unknown variable '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  std::uint64_t call(const std::string& name) {
    if (name != "ceildiv") fail("unknown function '" + name + "'; there is ceildiv(a, b)");
    expect('(');
    std::uint64_t value = nested();
    expect(',');
    std::uint64_t by = divisor(nested());
    expect(')');
    return value / by + (value % by != 0);
  }

  std::string_view text_;
  const Variables& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

std::uint64_t evaluateExpression(std::string_view text, const Variables& variables) {
  return Evaluator(text, variables).run();
}

} // namespace harness
