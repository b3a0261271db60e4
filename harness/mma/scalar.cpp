#include "harness/mma/scalar.h"

#include <algorithm>

namespace harness::mma {

namespace {

constexpr std::uint8_t kNanUe8m0 = 0xff;
constexpr int kUe8m0Bias = 127;
constexpr int kBlock = 16; ///< products of a block of scaled FP4

/// The chain of steps of A and B from k = `begin` on, `products` each.
std::uint32_t fusedChain(const DotRule& rule, const Line& a, const Line& b, int begin, int end,
                         std::uint32_t c) {
  const Model& model = *rule.model;
  int products = std::min(model.step.products, rule.instructionK);
  int fractionBits = layoutOf(rule.inputs.a).mantissaBits + layoutOf(rule.inputs.b).mantissaBits;
  int block = blockOf(rule.inputs.scaling);
  Format format = rule.c;
  for (int from = begin; from < end; from += products) {
    FusedStep step(model.step);
    step.add(decode(format, c), layoutOf(format).mantissaBits);
    int to = std::min(from + products, end);
    for (int k = from; k < to; ++k) {
      int scale = 0;
      if (block) {
        std::uint8_t of[] = {a.scales[k / block * a.scaleStride], b.scales[k / block * b.scaleStride]};
        if (of[0] == kNanUe8m0 || of[1] == kNanUe8m0) step.addNan();
        scale = of[0] + of[1] - 2 * kUe8m0Bias;
      }
      step.addProduct(a.numbers[k], b.numbers[k], fractionBits, scale);
    }
    c = step.round(model.accumulator);
    format = model.accumulator;
  }
  return c;
}

/// The half of an expanded instruction that takes k mod 4 = offset, offset + 1.
std::uint32_t expandedHalf(const DotRule& rule, const Line& a, const Line& b, int begin, int offset,
                           std::uint32_t c) {
  Number halfA[FusedStep::kMostTerms], halfB[FusedStep::kMostTerms];
  int count = 0;
  for (int k = begin + offset; k < begin + rule.instructionK; k += 4)
    for (int i = 0; i < 2; ++i, ++count) {
      halfA[count] = a.numbers[k + i];
      halfB[count] = b.numbers[k + i];
    }
  DotRule inner = rule;
  inner.c = rule.model->accumulator;
  return fusedChain(inner, {halfA, nullptr, 0}, {halfB, nullptr, 0}, 0, count, c);
}

std::uint32_t expanded(const DotRule& rule, const Line& a, const Line& b, int begin, std::uint32_t c) {
  Format format = rule.model->accumulator;
  std::uint32_t low = expandedHalf(rule, a, b, begin, 0, 0);
  if (rule.model->arithmetic == Arithmetic::ExpandedChain)
    return addRounded(format, expandedHalf(rule, a, b, begin, 2, low), c);
  return addRounded(format, addRounded(format, low, expandedHalf(rule, a, b, begin, 2, 0)), c);
}

/// A scale of a block; its fraction bits are 0 (UE8M0) or 3.
Number scaleOf(Scaling scaling, std::uint8_t code) {
  if (scaling == Scaling::Nvf4) return decode(Format::E4M3, code & 0x7f);
  Number scale;
  scale.kind = code == kNanUe8m0 ? Kind::NotANumber : Kind::Finite;
  scale.magnitude = 1;
  scale.exponent = static_cast<std::int16_t>(code - kUe8m0Bias);
  return scale;
}

std::uint32_t scaledBlocks(const DotRule& rule, const Line& a, const Line& b, int begin, std::uint32_t c) {
  int block = blockOf(rule.inputs.scaling);
  int fractionBits = 2 + (rule.inputs.scaling == Scaling::Nvf4 ? 6 : 0);
  Number accumulator = decode(rule.c, c);
  FusedStep step(rule.model->step);
  bool nan = accumulator.kind == Kind::NotANumber;
  for (int from = begin; from < begin + rule.instructionK; from += kBlock) {
    std::int64_t sum = 0; // in quarters: exact
    for (int k = from; k < from + kBlock; ++k) {
      const Number &x = a.numbers[k], &y = b.numbers[k];
      std::int64_t product =
          (std::int64_t{x.magnitude} << x.exponent) * (std::int64_t{y.magnitude} << y.exponent);
      sum += x.negative != y.negative ? -product : product;
    }
    Number scales[] = {scaleOf(rule.inputs.scaling, a.scales[from / block * a.scaleStride]),
                       scaleOf(rule.inputs.scaling, b.scales[from / block * b.scaleStride])};
    nan |= scales[0].kind == Kind::NotANumber || scales[1].kind == Kind::NotANumber;
    if (scales[0].kind != Kind::Finite || scales[1].kind != Kind::Finite) continue;
    std::uint64_t magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    step.addFinite(magnitude * scales[0].magnitude * scales[1].magnitude, fractionBits,
                   scales[0].exponent + scales[1].exponent, sum < 0);
  }
  if (nan) return kNanF32;
  if (accumulator.kind == Kind::Infinite) return c;
  step.add(accumulator, layoutOf(rule.c).mantissaBits);
  return step.round(rule.model->accumulator);
}

} // namespace

std::uint32_t dot(const DotRule& rule, const Line& a, const Line& b, int k, std::uint32_t c) {
  DotRule next = rule; // of all instructions but the first
  for (int begin = 0; begin < k; begin += rule.instructionK) {
    switch (rule.model->arithmetic) {
    case Arithmetic::ExpandedChain:
    case Arithmetic::ExpandedTree: c = expanded(next, a, b, begin, c); break;
    case Arithmetic::ScaledBlocks: c = scaledBlocks(next, a, b, begin, c); break;
    default: c = fusedChain(next, a, b, begin, begin + rule.instructionK, c); break;
    }
    next.c = rule.model->accumulator;
  }
  return c;
}

void ScalarTile::load(const DotRule& rule, const Shape& size, const Operands& operands) {
  rule_ = rule;
  size_ = size;
  operands_ = operands;
  std::size_t m = static_cast<std::size_t>(size.m), n = static_cast<std::size_t>(size.n),
              k = static_cast<std::size_t>(size.k);
  std::size_t aBytes = elementBytes(rule.inputs.a), bBytes = elementBytes(rule.inputs.b);
  a_.resize(m * k);
  b_.resize(n * k);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t i = 0; i < k; ++i)
      a_[row * k + i] = decode(rule.inputs.a, codeAt(operands.a, aBytes, row * operands.aStride + i));
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t column = 0; column < n; ++column)
      b_[column * k + i] = decode(rule.inputs.b, codeAt(operands.b, bBytes, i * operands.bStride + column));
}

Line ScalarTile::line(const std::vector<Number>& numbers, int index) const {
  return {numbers.data() + static_cast<std::size_t>(index) * static_cast<std::size_t>(size_.k), nullptr, 0};
}

std::uint32_t ScalarTile::at(int row, int column, std::uint32_t c) const {
  Line a = line(a_, row), b = line(b_, column);
  if (int block = blockOf(rule_.inputs.scaling)) {
    std::size_t blocks = static_cast<std::size_t>(size_.k / block);
    a.scales = operands_.aScales + static_cast<std::size_t>(row) * blocks;
    a.scaleStride = 1;
    b.scales = operands_.bScales + column;
    b.scaleStride = static_cast<std::size_t>(size_.n);
  }
  return dot(rule_, a, b, size_.k, c);
}

} // namespace harness::mma
