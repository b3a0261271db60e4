#pragma once

#include "harness/ptx/lexer.h"

#include <cstdint>
#include <string>

namespace harness::ptx {

/// What a constant expression comes to: a number, or a symbol and an offset from it.
struct Constant {
  Number number;          ///< with a symbol: the offset, in bytes
  std::string symbol;     ///< or empty
  std::string selector;   ///< of `symbol.selector`
  bool generic = false;   ///< generic(symbol)
  std::uint64_t mask = 0; ///< mask(symbol); 0 = none

  bool isNumber() const { return symbol.empty(); }
  bool isInteger() const {
    return isNumber() && (number.kind == Number::Kind::Signed || number.kind == Number::Kind::Unsigned);
  }
  bool isDouble() const { return isNumber() && number.kind == Number::Kind::Double; }
};

/// Evaluates a constant expression (PTX ISA, section 4.5.3): the operators of C on s64 and u64, casts,
/// WARP_SZ, and a symbol plus or minus numbers. Arithmetic wraps. Throws Error(Usage) for all that is no
/// constant: division by 0, a shift by 64 or more, other operators on floats, parentheses nested
/// deeper than `depth`.
Constant parseConstant(Lexer& lexer, unsigned depth);

/// The same for the integers of directives. Throws also if it is negative or larger than `most`; `what` names
/// it in the message.
std::uint64_t parseCount(Lexer& lexer, unsigned depth, std::uint64_t most, const char* what);

} // namespace harness::ptx
