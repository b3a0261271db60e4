#include "harness/mma/step.h"

#include <algorithm>
#include <bit>

namespace harness::mma {

namespace {

std::uint32_t nanOf(Format out) {
  return out == Format::F16 ? kNanF16 : kNanF32;
}

std::uint32_t infinityOf(Format out, bool negative) {
  const FloatLayout& layout = layoutOf(out);
  std::uint32_t infinity = ((1u << layout.exponentBits) - 1) << layout.mantissaBits;
  return infinity | std::uint32_t{negative} << (layout.exponentBits + layout.mantissaBits);
}

} // namespace

void FusedStep::addSpecial(Kind kind, bool negative) {
  if (kind == Kind::NotANumber) nan_ = true;
  if (kind == Kind::Infinite) infinite_[negative] = true;
}

void FusedStep::addSpecialProduct(const Number& a, const Number& b) {
  bool nan = a.kind == Kind::NotANumber || b.kind == Kind::NotANumber;
  bool infinite = a.kind == Kind::Infinite || b.kind == Kind::Infinite;
  bool zero = a.kind == Kind::Zero || b.kind == Kind::Zero;
  if (nan || (infinite && zero))
    nan_ = true;
  else if (infinite)
    infinite_[a.negative != b.negative] = true;
}

std::uint32_t FusedStep::round(Format out) const {
  if (nan_ || (infinite_[0] && infinite_[1])) return nanOf(out);
  if (infinite_[0] || infinite_[1]) return infinityOf(out, infinite_[1]);
  std::int64_t sum = 0;
  for (const Term* term = terms_; term != terms_ + count_; ++term) {
    int right = greatest_ - term->exponent - term->shift;
    std::uint64_t cut = right <= 0 ? term->magnitude << -right : right > 63 ? 0 : term->magnitude >> right;
    sum += term->negative ? -static_cast<std::int64_t>(cut) : static_cast<std::int64_t>(cut);
  }
  bool negative = sum < 0;
  std::uint64_t magnitude = negative ? -static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
  return roundTo(out, step_.outFraction, step_.rounding, magnitude, greatest_ - step_.fraction, negative);
}

std::uint32_t roundTo(Format out, int fraction, Rounding rounding, std::uint64_t magnitude, int exponent,
                      bool negative) {
  if (!magnitude) return 0;
  const FloatLayout& layout = layoutOf(out);
  int leading = std::bit_width(magnitude) - 1;
  int top = std::max(leading + exponent, 1 - layout.bias);
  int drop = top - fraction - exponent; // bits below the last place
  if (drop > 63) return 0;
  std::uint64_t units = drop > 0 ? magnitude >> drop : magnitude << -drop;
  if (drop > 0 && rounding == Rounding::NearestEven) {
    std::uint64_t rest = magnitude & ((std::uint64_t{1} << drop) - 1), half = std::uint64_t{1} << (drop - 1);
    units += rest > half || (rest == half && (units & 1));
  }
  if (!units) return 0;
  units <<= layout.mantissaBits - fraction;
  // The leading bit of `units` carries into the exponent by itself.
  std::int64_t code = (static_cast<std::int64_t>(top + layout.bias - 1) << layout.mantissaBits) +
                      static_cast<std::int64_t>(units);
  if (code >= infinityOf(out, false)) return infinityOf(out, negative);
  return static_cast<std::uint32_t>(code) | (infinityOf(out, negative) & ~infinityOf(out, false));
}

std::uint32_t addRounded(Format format, std::uint32_t a, std::uint32_t b) {
  if (format == Format::F32) {
    float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    return sum == sum ? std::bit_cast<std::uint32_t>(sum) : kNanF32;
  }
  // Sums of two halves are exact in a double.
  double sum = toDouble(format, a) + toDouble(format, b);
  return sum == sum ? static_cast<std::uint32_t>(fromDouble(format, sum)) : kNanF16;
}

} // namespace harness::mma
