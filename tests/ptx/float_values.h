#pragma once

#include "tests/ptx/snippet.h"
#include <llvm/ADT/APFloat.h>

#include <cstdint>
#include <string>
#include <vector>

namespace harness::ptx {

/// A floating-point type of PTX, by the means of LLVM.
struct FloatType {
  std::string name;
  unsigned bits = 32;
  const llvm::fltSemantics* semantics = nullptr;
  std::uint64_t sign = 0, infinity = 0, leastNormal = 0;

  std::string container() const { return "b" + std::to_string(bits); }
  llvm::APFloat value(std::uint64_t bits) const;
  std::uint64_t bitsOf(const llvm::APFloat& value) const { return value.bitcastToAPInt().getZExtValue(); }
  bool isNan(std::uint64_t value) const { return (value & ~sign) > infinity; }
  bool isSubnormal(std::uint64_t value) const {
    return (value & ~sign) < leastNormal && (value & ~sign) != 0;
  }
  std::uint64_t flushed(std::uint64_t value) const { return isSubnormal(value) ? value & sign : value; }
  /// What PTX says a NaN result is, or what this executor takes where it leaves it open.
  std::uint64_t nan() const;
  std::uint64_t one() const { return bitsOf(llvm::APFloat::getOne(*semantics)); }
  /// Clamped to [0, 1], NaN and -0 become +0.
  std::uint64_t saturated(std::uint64_t value) const;
};

const FloatType& f32();
const FloatType& f64();
const FloatType& f16();
const FloatType& bf16();

/// Values at which floating-point instructions go wrong, of both signs: zeros, subnormals, numbers an ulp
/// beside powers of two, halfway cases, the largest, infinity, quiet and signalling NaN with payload.
std::vector<std::uint64_t> floatEdges(const FloatType& type);

/// Every value of `all` with every one of `few`, as inputs a and b.
std::vector<SnippetInput> product(const std::string& type, const std::vector<std::uint64_t>& all,
                                  const std::vector<std::uint64_t>& few);
std::vector<std::uint64_t> all16();

/// The instruction, with register inputs of 16 to 64 bits, is not accepted.
void expectUnsupported(const std::string& body);

} // namespace harness::ptx
