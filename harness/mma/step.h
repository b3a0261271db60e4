#pragma once

#include "harness/mma/model.h"

#include <cstdint>

namespace harness::mma {

inline constexpr std::uint32_t kNanF32 = 0x7fffffff;
inline constexpr std::uint32_t kNanF16 = 0x7fff;

/// One fused step: add() its terms, then round(). Scalar, of any model; what is wider must give the same.
class FusedStep {
public:
  /// At most kMostTerms terms are added before round().
  static constexpr int kMostTerms = 65;

  explicit FusedStep(const Step& step) : step_(step), greatest_(step.floor) {}

  /// The accumulator, or any number that is a term by itself.
  void add(const Number& number, int fractionBits) {
    if (number.kind == Kind::Finite)
      addFinite(number.magnitude, fractionBits, number.exponent, number.negative);
    else
      addSpecial(number.kind, number.negative);
  }
  /// a · b · 2^scale.
  void addProduct(const Number& a, const Number& b, int fractionBits, int scale = 0) {
    if (a.kind == Kind::Finite && b.kind == Kind::Finite)
      addFinite(std::uint64_t{a.magnitude} * b.magnitude, fractionBits, a.exponent + b.exponent + scale,
                a.negative != b.negative);
    else
      addSpecialProduct(a, b);
  }
  /// ±magnitude · 2^(exponent − fractionBits). A magnitude of 0 is a term too: its exponent counts.
  void addFinite(std::uint64_t magnitude, int fractionBits, int exponent, bool negative) {
    if (exponent > greatest_) greatest_ = exponent;
    terms_[count_++] = {magnitude, exponent, static_cast<std::int16_t>(step_.fraction - fractionBits),
                        negative};
  }
  void addNan() { nan_ = true; }

  /// The sum, as an f32 or f16.
  std::uint32_t round(Format out) const;

private:
  struct Term {
    std::uint64_t magnitude;
    int exponent;
    std::int16_t shift; ///< left, of a term whose exponent is the greatest
    bool negative;
  };

  void addSpecial(Kind kind, bool negative);
  void addSpecialProduct(const Number& a, const Number& b);

  Step step_;
  int greatest_, count_ = 0;
  bool nan_ = false, infinite_[2] = {false, false}; ///< of either sign
  Term terms_[kMostTerms];
};

/// ±magnitude · 2^exponent as an f32 with `fraction` fraction bits, or an f16 (10). Zero is +0, whatever the
/// sign; too large is infinity, by RZ too.
std::uint32_t roundTo(Format out, int fraction, Rounding rounding, std::uint64_t magnitude, int exponent,
                      bool negative);

/// IEEE sums, to nearest, with the canonical NaN.
std::uint32_t addRounded(Format format, std::uint32_t a, std::uint32_t b);

} // namespace harness::mma
