#include "harness/mma/multiplier.h"

#include "harness/mma/scalar.h"
#include "harness/mma/wide_dot.h"

#include <bit>
#include <cmath>
#include <limits>

namespace harness::mma {

namespace {

constexpr int kWordBits = 32; ///< elements of B1 in a word

std::size_t at(std::size_t stride, int row, int column) {
  return static_cast<std::size_t>(row) * stride + static_cast<std::size_t>(column);
}

void multiplyNarrow(const DotRule& rule, const Shape& size, const Operands& operands) {
  if (isWide(rule)) return multiplyWide(rule, size, operands);
  thread_local ScalarTile tile;
  tile.load(rule, size, operands);
  std::size_t cBytes = elementBytes(rule.c), dBytes = elementBytes(rule.model->accumulator);
  for (int i = 0; i < size.m; ++i)
    for (int j = 0; j < size.n; ++j)
      putCode(operands.d, dBytes, at(operands.dStride, i, j),
              tile.at(i, j, codeAt(operands.c, cBytes, at(operands.cStride, i, j))));
}

std::int32_t integerOf(Format format, std::uint8_t code) {
  switch (format) {
  case Format::S8: return static_cast<std::int8_t>(code);
  case Format::S4: return static_cast<std::int8_t>(code << 4) >> 4;
  case Format::U4: return code & 15;
  default: return code;
  }
}

void putSum(const Operands& operands, std::size_t place, std::int64_t sum, bool saturate) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min(),
                         kMost = std::numeric_limits<std::int32_t>::max();
  if (saturate) sum = sum < kLeast ? kLeast : sum > kMost ? kMost : sum;
  static_cast<std::uint32_t*>(operands.d)[place] = static_cast<std::uint32_t>(sum);
}

std::int64_t sumAt(const Operands& operands, std::size_t place) {
  return static_cast<const std::int32_t*>(operands.c)[place];
}

/// One instruction.
void multiplyIntegers(const Inputs& inputs, bool saturate, const Shape& size, const Operands& operands) {
  const auto* a = static_cast<const std::uint8_t*>(operands.a);
  const auto* b = static_cast<const std::uint8_t*>(operands.b);
  for (int i = 0; i < size.m; ++i)
    for (int j = 0; j < size.n; ++j) {
      std::int64_t sum = sumAt(operands, at(operands.cStride, i, j));
      for (int k = 0; k < size.k; ++k)
        sum += integerOf(inputs.a, a[at(operands.aStride, i, k)]) *
               integerOf(inputs.b, b[at(operands.bStride, k, j)]);
      putSum(operands, at(operands.dStride, i, j), sum, saturate);
    }
}

void multiplyBits(BitOperation operation, const Shape& size, const Operands& operands) {
  const auto* a = static_cast<const std::uint32_t*>(operands.a);
  const auto* b = static_cast<const std::uint32_t*>(operands.b);
  for (int i = 0; i < size.m; ++i)
    for (int j = 0; j < size.n; ++j) {
      std::int64_t sum = sumAt(operands, at(operands.cStride, i, j));
      for (int k = 0; k < size.k / kWordBits; ++k) {
        std::uint32_t x = a[at(operands.aStride, i, k)], y = b[at(operands.bStride, k, j)];
        sum += std::popcount(operation == BitOperation::Xor ? x ^ y : x & y);
      }
      putSum(operands, at(operands.dStride, i, j), sum, false);
    }
}

/// IEEE's fma; the payload of the first NaN stays, as in other f64 instructions.
double fusedMultiplyAdd(double a, double b, double c) {
  constexpr std::uint64_t kQuiet = 0x0008000000000000, kNan = 0xfff8000000000000;
  double result = std::fma(a, b, c);
  if (result == result) return result;
  for (double operand : {a, b, c})
    if (operand != operand) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(operand) | kQuiet);
  return std::bit_cast<double>(kNan);
}

void multiplyDoubles(const Shape& size, const Operands& operands) {
  const auto* a = static_cast<const double*>(operands.a);
  const auto* b = static_cast<const double*>(operands.b);
  for (int i = 0; i < size.m; ++i)
    for (int j = 0; j < size.n; ++j) {
      double sum = static_cast<const double*>(operands.c)[at(operands.cStride, i, j)];
      for (int k = 0; k < size.k; ++k)
        sum = fusedMultiplyAdd(a[at(operands.aStride, i, k)], b[at(operands.bStride, k, j)], sum);
      static_cast<double*>(operands.d)[at(operands.dStride, i, j)] = sum;
    }
}

void requireCFormat(const Model& model, const Options& options) {
  if (!options.c || *options.c == model.accumulator) return;
  bool narrow = isNarrowFloat(model.formats.front());
  if (narrow && model.accumulator == Format::F16 && *options.c == Format::F32) return;
  if (narrow && model.accumulator == Format::F32 && *options.c == Format::F16) return;
  throw UnknownModel("C cannot be " + std::string(toString(*options.c)) + " where D is " +
                     std::string(toString(model.accumulator)));
}

/// Limits of the code for narrow floats; the table is inside.
void requireComputable(const Model& model, const Shape& shape) {
  const Step& step = model.step;
  bool steps = model.arithmetic != Arithmetic::Integers && model.arithmetic != Arithmetic::Bits &&
               model.arithmetic != Arithmetic::FmaChain;
  int layout = layoutOf(model.accumulator).mantissaBits;
  if (steps && (step.products < 1 || step.products >= FusedStep::kMostTerms || step.fraction < 0 ||
                step.fraction > 36 || step.outFraction < 1 || step.outFraction > layout ||
                step.floor > 1000 || step.floor < -1000 || shape.k >= FusedStep::kMostTerms))
    throw UnknownModel("a step of " + std::to_string(step.products) + " products with " +
                       std::to_string(step.fraction) + " fraction bits cannot be computed");
}

} // namespace

Multiplier::Multiplier(const Model& model, const Inputs& inputs, const Shape& shape, const Options& options)
    : model_(model), inputs_(inputs), shape_(shape), options_(options) {
  if (!model.takes(inputs)) throw UnknownModel(model.name() + " does not multiply " + toString(inputs));
  if (!model.has(shape)) {
    std::string known;
    for (const Shape& one : model.shapes)
      known += ' ' + toString(one);
    throw UnknownModel(model.name() + " does not exist as " + toString(shape) + ':' + known);
  }
  requireCFormat(model, options);
  requireComputable(model, shape);
}

void Multiplier::operator()(void* d, const void* a, const void* b, const void* c, const std::uint8_t* aScales,
                            const std::uint8_t* bScales) const {
  std::size_t k =
      static_cast<std::size_t>(model_.arithmetic == Arithmetic::Bits ? shape_.k / kWordBits : shape_.k);
  std::size_t n = static_cast<std::size_t>(shape_.n);
  multiply(shape_, {d, a, b, c, n, k, n, n, aScales, bScales});
}

void Multiplier::multiply(const Shape& size, const Operands& operands) const {
  switch (model_.arithmetic) {
  case Arithmetic::FmaChain: return multiplyDoubles(size, operands);
  case Arithmetic::Bits: return multiplyBits(options_.bits, size, operands);
  case Arithmetic::Integers: break;
  default: return multiplyNarrow({&model_, inputs_, cFormat(), shape_.k}, size, operands);
  }
  Operands next = operands;
  for (int k = 0; k < size.k; k += shape_.k) { // each instruction clamps by itself
    Shape part = {size.m, size.n, shape_.k};
    multiplyIntegers(inputs_, options_.saturate, part, next);
    next.a = static_cast<const std::uint8_t*>(next.a) + shape_.k;
    next.b = static_cast<const std::uint8_t*>(next.b) + static_cast<std::size_t>(shape_.k) * next.bStride;
    next.c = next.d;
    next.cStride = next.dStride;
  }
}

} // namespace harness::mma
