#pragma once

#include "tests/ptx/snippet.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace harness::ptx {

/// An exact integer, so that a formula is mathematics first and cut to its width last.
__extension__ typedef __int128 Exact;

/// The value of the lower `bits` of a register.
Exact valueOf(std::uint64_t bits, unsigned width, bool isSigned);
/// The lower `width` bits.
std::uint64_t cut(Exact value, unsigned width);
Exact clampTo(Exact value, unsigned width, bool isSigned);
/// The lower and upper 64 bits of a product of 64-bit numbers.
std::uint64_t productHigh(std::uint64_t a, std::uint64_t b, bool isSigned);

/// "u16" … "s64"
struct IntegerType {
  std::string name;
  unsigned bits;
  bool isSigned;
  std::string untyped() const { return "b" + std::to_string(bits); }
  Exact value(std::uint64_t x) const { return valueOf(x, bits, isSigned); }
};
const std::vector<IntegerType>& integerTypes();

/// What threads give to a formula: the inputs of one thread, in order.
using Inputs = std::span<const std::uint64_t>;
using Formula = std::function<std::uint64_t(Inputs)>;

/// The snippet leaves in its output, in every thread, what the formula says.
void expectFormula(const std::string& body, const std::vector<SnippetInput>& inputs,
                   const SnippetOutput& output, const Formula& formula);

/// The executor does not know the snippet, which reads the registers a, b, c (b32), ah, bh (b16), al, bl
/// (b64) and writes d (b32), dh (b16), dl (b64).
void expectUnknown(const std::string& body);
/// It knows it, and runs it to its end.
void expectKnown(const std::string& body);

/// All 2^bits values, for bits up to 16.
SnippetInput everyValue(const std::string& name, unsigned bits);

} // namespace harness::ptx
