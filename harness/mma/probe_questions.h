#pragma once

#include "harness/mma/probe.h"

namespace harness::mma {

/// A power of two times a small whole number.
struct TermValue {
  int power;
  int times = 1; ///< odd; negative for a negative value
};

/// Writes questions whose terms are chosen freely. A term is one product, or one block of scaled FP4.
class Questions {
public:
  explicit Questions(const Subject& subject);

  int terms() const { return terms_; }
  /// Powers of two that a term can be.
  int leastPower() const { return leastPower_; }
  int greatestPower() const { return greatestPower_; }
  /// How far apart two terms can be.
  int range() const { return greatestPower_ - leastPower_; }
  /// Significand bits of an element.
  int significandBits() const { return significandBits_; }

  /// Everything is 0.
  Question zeros() const;
  /// False if the formats have no such value.
  bool put(Question& question, int term, const TermValue& value) const;
  /// Element times element, both as whole numbers times powers.
  bool putProduct(Question& question, int term, const TermValue& a, const TermValue& b) const;
  bool putC(Question& question, double value) const;

private:
  std::optional<std::uint32_t> element(const TermValue& value) const;
  bool putScaled(Question& question, int term, const TermValue& value) const;

  const Subject& subject_;
  bool blocks_;
  int terms_, leastElement_, greatestElement_, leastPower_, greatestPower_, significandBits_;
};

} // namespace harness::mma
