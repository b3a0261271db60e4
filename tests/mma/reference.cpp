#include "tests/mma/reference.h"

#include <gmpxx.h>

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace harness::mma::test {

namespace {

/// All numbers are integers times 2^-kUnit.
constexpr long kUnit = 2400;

mpz_class powerOfTwo(long exponent) {
  return mpz_class(1) << static_cast<mp_bitcnt_t>(exponent + kUnit);
}

struct Value {
  mpz_class units;   ///< of a finite one
  long exponent = 0; ///< not that of the leading bit, but of the format's exponent field
  bool nan = false, infinite = false, negative = false;
};

struct Fields {
  int exponent, mantissa;
  bool infinity, nan;
};

Fields fieldsOf(Format format) {
  switch (format) {
  case Format::F16: return {5, 10, true, true};
  case Format::BF16: return {8, 7, true, true};
  case Format::TF32: return {8, 10, true, true};
  case Format::F32: return {8, 23, true, true};
  case Format::F64: return {11, 52, true, true};
  case Format::E4M3: return {4, 3, false, true};
  case Format::E5M2: return {5, 2, true, true};
  case Format::E2M3: return {2, 3, false, false};
  case Format::E3M2: return {3, 2, false, false};
  default: return {2, 1, false, false};
  }
}

Value valueOf(Format format, std::uint64_t code) {
  auto [exponentBits, mantissaBits, infinity, nan] = fieldsOf(format);
  if (format == Format::TF32) code >>= 13;
  std::uint64_t mantissa = code % (std::uint64_t{1} << mantissaBits);
  long field = static_cast<long>(code >> mantissaBits) % (1l << exponentBits);
  long bias = (1l << (exponentBits - 1)) - 1;
  Value value;
  value.negative = code >> (mantissaBits + exponentBits) & 1;
  bool top = field == (1l << exponentBits) - 1;
  if (top && infinity) {
    value.nan = mantissa != 0;
    value.infinite = mantissa == 0;
    return value;
  }
  if (top && nan && mantissa + 1 == std::uint64_t{1} << mantissaBits) {
    value.nan = true;
    return value;
  }
  value.exponent = (field ? field : 1) - bias;
  mpz_class significand = mpz_class(static_cast<unsigned long>(mantissa));
  if (field) significand += mpz_class(1) << static_cast<mp_bitcnt_t>(mantissaBits);
  value.units = significand << static_cast<mp_bitcnt_t>(kUnit + value.exponent - mantissaBits);
  if (value.negative) value.units = -value.units;
  return value;
}

/// The product in units; the low half is nothing, as no format goes below 2^(-kUnit/2).
mpz_class productOf(const mpz_class& a, const mpz_class& b) {
  mpz_class product = a * b;
  return product >> static_cast<mp_bitcnt_t>(kUnit);
}

/// To `fraction` fraction bits of a float with the fields of `out`.
std::uint64_t rounded(Format out, int fraction, bool nearest, const mpz_class& units) {
  if (units == 0) return 0;
  auto [exponentBits, mantissaBits, infinity, nan] = fieldsOf(out);
  long bias = (1l << (exponentBits - 1)) - 1;
  mpz_class magnitude = abs(units);
  long exponent = static_cast<long>(mpz_sizeinbase(magnitude.get_mpz_t(), 2)) - 1 - kUnit;
  if (exponent < 1 - bias) exponent = 1 - bias;
  mpz_class place = powerOfTwo(exponent - fraction), count = magnitude / place, rest = magnitude % place;
  if (nearest && (rest * 2 > place || (rest * 2 == place && mpz_odd_p(count.get_mpz_t())))) ++count;
  if (count == 0) return 0;
  if (count == mpz_class(1) << static_cast<mp_bitcnt_t>(fraction + 1)) {
    count >>= 1;
    ++exponent;
  }
  std::uint64_t sign = units < 0 ? std::uint64_t{1} << (exponentBits + mantissaBits) : 0;
  if (exponent > bias) return sign | ((std::uint64_t{1} << exponentBits) - 1) << mantissaBits;
  std::uint64_t significand = mpz_class(count << static_cast<mp_bitcnt_t>(mantissaBits - fraction)).get_ui();
  bool normal = significand >> mantissaBits;
  std::uint64_t field = normal ? static_cast<std::uint64_t>(exponent + bias) : 0;
  return sign | field << mantissaBits | (significand & ((std::uint64_t{1} << mantissaBits) - 1));
}

std::uint64_t nanOf(Format out) {
  return out == Format::F16 ? 0x7fff : 0x7fffffff;
}
std::uint64_t infinityOf(Format out, bool negative) {
  return out == Format::F16 ? (negative ? 0xfc00 : 0x7c00) : (negative ? 0xff800000 : 0x7f800000);
}

/// The terms of one step.
struct Terms {
  std::vector<Value> finite;
  bool nan = false, positive = false, negative = false; ///< an infinity

  void add(const Value& value) {
    nan |= value.nan;
    (value.negative ? negative : positive) |= value.infinite;
    if (!value.nan && !value.infinite && value.units != 0) finite.push_back(value);
  }
  void addProduct(const Value& a, const Value& b, long scale) {
    Value product;
    bool zero = (a.units == 0 && !a.infinite && !a.nan) || (b.units == 0 && !b.infinite && !b.nan);
    product.nan = a.nan || b.nan || ((a.infinite || b.infinite) && zero);
    product.infinite = a.infinite || b.infinite;
    product.negative = a.negative != b.negative;
    product.exponent = a.exponent + b.exponent + scale;
    product.units = productOf(a.units, b.units);
    if (scale >= 0)
      product.units <<= static_cast<mp_bitcnt_t>(scale);
    else
      product.units >>= static_cast<mp_bitcnt_t>(-scale);
    if (product.nan || product.infinite) product.units = 0;
    add(product);
  }

  std::uint64_t sum(const Step& step, Format out) const {
    if (nan || (positive && negative)) return nanOf(out);
    if (positive || negative) return infinityOf(out, negative);
    long greatest = step.floor;
    for (const Value& term : finite)
      greatest = std::max(greatest, term.exponent);
    mpz_class grid = powerOfTwo(greatest - step.fraction), sum = 0;
    for (const Value& term : finite)
      sum += mpz_class(term.units / grid) * grid; // mpz division is toward zero
    return rounded(out, step.outFraction, step.rounding == Rounding::NearestEven, sum);
  }
};

std::uint64_t plainSum(Format format, std::uint64_t x, std::uint64_t y) {
  Value a = valueOf(format, x), b = valueOf(format, y);
  if (a.nan || b.nan || (a.infinite && b.infinite && a.negative != b.negative)) return nanOf(format);
  if (a.infinite) return x;
  if (b.infinite) return y;
  mpz_class sum = a.units + b.units;
  if (sum == 0) return a.negative && b.negative ? x : 0;
  return rounded(format, fieldsOf(format).mantissa, true, sum);
}

class Dot {
public:
  Dot(const Model& model, const Inputs& inputs, const DotOperands& operands)
      : model_(model), inputs_(inputs), operands_(operands) {}

  /// A chain of steps over the ks named.
  std::uint64_t chain(const std::vector<std::size_t>& ks, std::size_t perStep, Format cFormat,
                      std::uint64_t c) const {
    std::size_t block = static_cast<std::size_t>(blockOf(inputs_.scaling));
    for (std::size_t from = 0; from < ks.size(); from += perStep) {
      Terms terms;
      terms.add(valueOf(cFormat, c));
      for (std::size_t i = from; i < std::min(from + perStep, ks.size()); ++i) {
        std::size_t k = ks[i];
        long scale = 0;
        if (block) {
          std::uint8_t a = operands_.aScales[k / block], b = operands_.bScales[k / block];
          terms.nan |= a == 255 || b == 255;
          scale = a + b - 254;
        }
        terms.addProduct(valueOf(inputs_.a, operands_.a[k]), valueOf(inputs_.b, operands_.b[k]), scale);
      }
      c = terms.sum(model_.step, model_.accumulator);
      cFormat = model_.accumulator;
    }
    return c;
  }

  std::uint64_t blocks(std::size_t begin, std::size_t end, Format cFormat, std::uint64_t c) const {
    std::size_t block = static_cast<std::size_t>(blockOf(inputs_.scaling));
    Value accumulator = valueOf(cFormat, c);
    std::vector<Value> groups;
    bool nan = accumulator.nan;
    for (std::size_t from = begin; from < end; from += 16) {
      Value a = scale(operands_.aScales[from / block]), b = scale(operands_.bScales[from / block]), group;
      nan |= a.nan || b.nan;
      if (a.nan || b.nan || a.units == 0 || b.units == 0) continue;
      for (std::size_t k = from; k < from + 16; ++k)
        group.units += productOf(valueOf(Format::E2M1, operands_.a[k]).units,
                                 valueOf(Format::E2M1, operands_.b[k]).units);
      group.units = productOf(productOf(group.units, a.units), b.units);
      group.exponent = a.exponent + b.exponent;
      groups.push_back(group);
    }
    if (nan) return 0x7fffffff;
    if (accumulator.infinite) return c;
    if (accumulator.units != 0) groups.push_back(accumulator);
    long greatest = model_.step.floor;
    for (const Value& group : groups)
      greatest = std::max(greatest, group.exponent);
    mpz_class grid = powerOfTwo(greatest - model_.step.fraction), sum = 0;
    for (const Value& group : groups)
      sum += mpz_class(group.units / grid) * grid;
    return rounded(Format::F32, 23, false, sum);
  }

private:
  Value scale(std::uint8_t code) const {
    if (inputs_.scaling == Scaling::Nvf4) return valueOf(Format::E4M3, code & 127);
    Value value;
    value.nan = code == 255;
    value.exponent = code - 127;
    value.units = powerOfTwo(value.exponent);
    return value;
  }

  const Model& model_;
  const Inputs& inputs_;
  const DotOperands& operands_;
};

long long integerOf(Format format, std::uint64_t code) {
  switch (format) {
  case Format::S8: return static_cast<std::int8_t>(code);
  case Format::U8: return static_cast<long long>(code & 255);
  case Format::S4:
    return (code & 8) ? static_cast<long long>(code & 7) - 8 : static_cast<long long>(code & 7);
  default: return static_cast<long long>(code & 15);
  }
}

std::uint64_t integers(const Inputs& inputs, bool saturate, std::size_t begin, std::size_t end,
                       const DotOperands& operands, std::uint64_t c) {
  mpz_class sum = static_cast<std::int32_t>(c);
  for (std::size_t k = begin; k < end; ++k)
    sum += static_cast<long>(integerOf(inputs.a, operands.a[k]) * integerOf(inputs.b, operands.b[k]));
  if (saturate && sum > std::numeric_limits<std::int32_t>::max())
    sum = std::numeric_limits<std::int32_t>::max();
  if (saturate && sum < std::numeric_limits<std::int32_t>::min())
    sum = std::numeric_limits<std::int32_t>::min();
  mpz_class wrapped;
  mpz_fdiv_r_2exp(wrapped.get_mpz_t(), sum.get_mpz_t(), 32);
  return wrapped.get_ui();
}

/// Of finite operands whose product is not too small.
std::uint64_t fmaOf(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  mpz_class sum =
      productOf(valueOf(Format::F64, a).units, valueOf(Format::F64, b).units) + valueOf(Format::F64, c).units;
  return rounded(Format::F64, 52, true, sum);
}

} // namespace

std::uint64_t referenceDot(const Model& model, const Inputs& inputs, int instructionK, Format cFormat,
                           bool saturate, const DotOperands& operands) {
  Dot dot(model, inputs, operands);
  std::size_t depth = static_cast<std::size_t>(instructionK);
  std::uint64_t c = operands.c;
  for (std::size_t begin = 0; begin < operands.a.size(); begin += depth) {
    std::size_t end = begin + depth;
    std::vector<std::size_t> all, low, high;
    for (std::size_t k = begin; k < end; ++k) {
      all.push_back(k);
      (k % 4 < 2 ? low : high).push_back(k);
    }
    std::size_t products = static_cast<std::size_t>(model.step.products);
    Format out = model.accumulator;
    switch (model.arithmetic) {
    case Arithmetic::Fused: c = dot.chain(all, products, cFormat, c); break;
    case Arithmetic::ExpandedChain:
      c = plainSum(out, dot.chain(high, products, out, dot.chain(low, products, out, 0)), c);
      break;
    case Arithmetic::ExpandedTree:
      c = plainSum(out, plainSum(out, dot.chain(low, products, out, 0), dot.chain(high, products, out, 0)),
                   c);
      break;
    case Arithmetic::ScaledBlocks: c = dot.blocks(begin, end, cFormat, c); break;
    case Arithmetic::Integers: c = integers(inputs, saturate, begin, end, operands, c); break;
    case Arithmetic::FmaChain:
      for (std::size_t k : all)
        c = fmaOf(operands.a[k], operands.b[k], c);
      break;
    case Arithmetic::Bits: break; // has a test of its own
    }
    cFormat = out;
  }
  return c;
}

} // namespace harness::mma::test
