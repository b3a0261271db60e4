#include "harness/mma/probe_questions.h"

#include <algorithm>
#include <cmath>

namespace harness::mma {

namespace {

constexpr int kUe8m0Bias = 127;
constexpr std::uint8_t kUe4m3One = 0x38;
constexpr int kUe4m3LeastNormal = -6;

/// Scales of one block can be these powers.
struct ScalePowers {
  int least, greatest;
};
ScalePowers scalePowers(Scaling scaling) {
  return scaling == Scaling::Nvf4 ? ScalePowers{-9, 8} : ScalePowers{-100, 100};
}

std::uint8_t scaleCode(Scaling scaling, int power) {
  if (scaling == Scaling::Nvf4)
    return static_cast<std::uint8_t>(power < kUe4m3LeastNormal ? 1 << (power + 9) : kUe4m3One + 8 * power);
  return static_cast<std::uint8_t>(kUe8m0Bias + power);
}

} // namespace

Questions::Questions(const Subject& subject) : subject_(subject) {
  const FloatLayout &a = layoutOf(subject.inputs().a), &b = layoutOf(subject.inputs().b);
  blocks_ = subject.inputs().scaling != Scaling::None && subject.inputs().scaling != Scaling::Mxf8f6f4;
  auto least = [](const FloatLayout& layout) { return 1 - layout.bias - layout.mantissaBits; };
  auto greatest = [](const FloatLayout& layout) {
    return (1 << layout.exponentBits) - 1 - layout.bias - (layout.hasInfinity ? 1 : 0);
  };
  significandBits_ = 1 + std::min(a.mantissaBits, b.mantissaBits);
  leastElement_ = std::max(least(a), least(b));
  greatestElement_ = std::min(greatest(a), greatest(b));
  terms_ = subject.k();
  leastPower_ = 2 * leastElement_;
  greatestPower_ = 2 * greatestElement_;
  if (blocks_) {
    ScalePowers powers = scalePowers(subject.inputs().scaling);
    terms_ = subject.k() / blockOf(subject.inputs().scaling);
    leastPower_ = 2 * (powers.least - 1); // two elements of 0.5
    greatestPower_ = 2 * powers.greatest;
  }
}

Question Questions::zeros() const {
  Question question;
  question.a.resize(static_cast<std::size_t>(subject_.k()));
  question.b.resize(static_cast<std::size_t>(subject_.k()));
  Scaling scaling = subject_.inputs().scaling;
  if (int block = blockOf(scaling)) {
    // Blocks that are not used do not take part.
    std::uint8_t scale = blocks_ ? 0 : scaleCode(scaling, 0);
    question.aScales.assign(static_cast<std::size_t>(subject_.k() / block), scale);
    question.bScales = question.aScales;
  }
  return question;
}

std::optional<std::uint32_t> Questions::element(const TermValue& value) const {
  double number = std::ldexp(value.times, value.power);
  auto code = static_cast<std::uint32_t>(fromDouble(subject_.inputs().a, number));
  if (toDouble(subject_.inputs().a, code) != number) return std::nullopt;
  return code;
}

bool Questions::putScaled(Question& question, int term, const TermValue& value) const {
  ScalePowers powers = scalePowers(subject_.inputs().scaling);
  int half = value.power < 2 * powers.least ? 1 : 0, scale = value.power + 2 * half;
  int a = std::clamp(scale - scale / 2, powers.least, powers.greatest), b = scale - a;
  auto x = element({-half, value.times}), y = element({-half, 1});
  if (b < powers.least || b > powers.greatest || !x || !y) return false;
  std::size_t place = static_cast<std::size_t>(term),
              k = place * static_cast<std::size_t>(blockOf(subject_.inputs().scaling));
  question.a[k] = *x;
  question.b[k] = *y;
  question.aScales[place] = scaleCode(subject_.inputs().scaling, a);
  question.bScales[place] = scaleCode(subject_.inputs().scaling, b);
  return true;
}

bool Questions::put(Question& question, int term, const TermValue& value) const {
  if (term >= terms_) return false;
  if (blocks_) return putScaled(question, term, value);
  int a = std::clamp(value.power / 2, leastElement_, greatestElement_);
  int b = std::clamp(value.power - a, leastElement_, greatestElement_);
  return putProduct(question, term, {value.power - b, value.times}, {b, 1});
}

bool Questions::putProduct(Question& question, int term, const TermValue& a, const TermValue& b) const {
  if (term >= terms_ || blocks_) return false;
  auto x = element(a);
  double number = std::ldexp(b.times, b.power);
  auto y = static_cast<std::uint32_t>(fromDouble(subject_.inputs().b, number));
  if (!x || toDouble(subject_.inputs().b, y) != number) return false;
  question.a[static_cast<std::size_t>(term)] = *x;
  question.b[static_cast<std::size_t>(term)] = y;
  return true;
}

bool Questions::putC(Question& question, double value) const {
  question.c = static_cast<std::uint32_t>(fromDouble(subject_.accumulator(), value));
  double back = toDouble(subject_.accumulator(), question.c);
  return back == value || std::isnan(value);
}

} // namespace harness::mma
