#pragma once

#include "harness/mma/multiplier.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness::mma {

/// The operands of one output, as stored. Scales: one for each block of k, where there are any.
struct Question {
  std::vector<std::uint32_t> a, b;
  std::uint32_t c = 0;
  std::vector<std::uint8_t> aScales, bScales;
};

/// What is probed: an instruction of narrow floats, of which nothing is known but what it takes. A model, or
/// a device.
class Subject {
public:
  Subject(const Inputs& inputs, Format accumulator, int k)
      : inputs_(inputs), accumulator_(accumulator), k_(k) {}
  virtual ~Subject() = default;
  const Inputs& inputs() const { return inputs_; }
  Format accumulator() const { return accumulator_; } ///< of C and D
  int k() const { return k_; }

  /// D of each. A probe asks a few times for many.
  virtual std::vector<std::uint32_t> ask(const std::vector<Question>& questions) = 0;

private:
  Inputs inputs_;
  Format accumulator_;
  int k_;
};

class ModelSubject : public Subject {
public:
  explicit ModelSubject(const Multiplier& multiplier)
      : Subject(multiplier.inputs(), multiplier.model().accumulator, multiplier.shape().k),
        multiplier_(multiplier) {}
  std::vector<std::uint32_t> ask(const std::vector<Question>& questions) override;

private:
  Multiplier multiplier_;
};

enum class SeenRounding : std::uint8_t { TowardZero, NearestEven, NearestAway, Up, Down, Other };
std::string_view toString(SeenRounding rounding);

/// What was found. Empty where the formats do not let it be seen.
struct Findings {
  /// The terms that are added at once, in the order in which the sums are made; terms are ks, or blocks of k
  /// that share a scale. Empty: the range of the formats is too small.
  std::vector<std::vector<int>> groups;
  bool ordered = true; ///< each group takes the result of the one before it; else they are summed alone
  std::optional<bool> cIsATerm; ///< of the first group; else it is added afterwards
  std::optional<int> products;  ///< of a step
  std::optional<int> fraction;  ///< bits below the greatest exponent that count
  std::optional<int> outFraction;
  std::optional<SeenRounding> rounding;
  std::optional<bool> normalisedOnce; ///< after the sum: no bit is lost between two terms
  std::optional<bool>
      productsAsTheyAre; ///< products are aligned by the sum of exponents, not normalised before
  std::optional<bool> subnormalInputs, subnormalC, subnormalResults; ///< count
  std::optional<int> floor;               ///< the greatest exponent is at least this
  bool infinityStays;                     ///< whatever finite is added
  std::optional<bool> cancelsBeyondRange; ///< products too large for an f32 cancel each other within a step
  std::uint32_t nan, zero;                ///< what a NaN, and −0 + −0, become
  std::vector<std::string> fits;          ///< rows of the table that answered every question alike
  std::size_t questions = 0;
};

/// Throws UnknownModel if the subject is no instruction of narrow floats.
Findings probe(Subject& subject);

} // namespace harness::mma
