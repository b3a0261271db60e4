#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace harness::ptx {

/// How sums of products are rounded, as far as PTX says (9.7.14.5.14, "Precision and rounding").
struct SumRule {
  int precision;   ///< significand bits of an accumulator
  int leastBit;    ///< exponent of the last bit of its least number
  int endExponent; ///< numbers are below 2 to this
  /// .f64: products are added by fused multiply-adds that round so (FE_…); only their order is open. Else it
  /// is 0, and rounding is open too.
  bool fused = false;
  int rounding = 0;
};

/// D = A·B + C, element by element, where PTX leaves the order of a sum open, and of all but f64 its rounding
/// ("at least single precision").
///
/// A sum is certain if no order and rounding changes it: if all terms, and all sums of some of them, are
/// numbers of the accumulator. That is so when the sum of their magnitudes has no more bits above the lowest
/// one of any term than a significand. A result that is not finite because a term is none is certain too.
/// Subnormal operands count, as on all hardware that is known; PTX leaves that open as well.
class OpenSums {
public:
  /// A m×k and C m×n row after row, B k×n row after row. All are exact, scales included.
  OpenSums(const SumRule& rule, std::size_t m, std::size_t n, std::size_t k, std::vector<double> a,
           std::span<const double> b, std::vector<double> c);

  bool isOpen(std::size_t row, std::size_t column) const;
  /// Another result that PTX allows, with the precision of the rule: an order and roundings that the seed
  /// chooses. Of seeds 4i + 1 and 4i + 2 the greatest and the least of some orders, one along k among them:
  /// whatever these orders give, however rounded, lies between. The same for the same operands.
  double other(std::size_t row, std::size_t column, std::uint64_t seed) const;

private:
  struct Operand {
    std::vector<double> values; ///< rows of A, columns of B
    std::vector<int> lowest;    ///< the exponent of the lowest bit
    std::vector<bool> special;  ///< rows, columns: one is not finite
  };
  static Operand operandOf(std::vector<double> values, std::size_t length);
  double otherFused(std::size_t row, std::size_t column, std::uint64_t seed) const;

  SumRule rule_;
  std::size_t n_, k_;
  Operand a_, b_;
  std::vector<double> c_;
};

} // namespace harness::ptx
