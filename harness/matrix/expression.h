#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace harness {

/// Shape variables by name.
using Variables = std::map<std::string, std::uint64_t>;

/// The value of an expression over shape variables, in unsigned 64-bit integers: `rows * ceildiv(cols, 32) *
/// 34`. Decimal and 0x numbers, names, + - * / % with the usual precedence, parentheses, ceildiv(a, b).
/// Whatever would wrap around, fall below zero or divide by zero is an error, never a value. Throws
/// Error(Usage) that quotes `text`, says what is wrong with it and suggests the nearest variable.
std::uint64_t evaluateExpression(std::string_view text, const Variables& variables);

} // namespace harness
