#include "harness/mma/wide.h"

#include "harness/mma/wide_dot.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace harness::mma {

namespace {

constexpr int kFloatBias = 127;
constexpr int kMostWideFraction = 25, kMostWideProducts = 64;

std::vector<const WideCode*> wideCodes() {
  std::vector<const WideCode*> codes = {&kWideBaseline};
#ifdef HARNESS_MMA_X86
  if (__builtin_cpu_supports("x86-64-v3")) codes.push_back(&kWideV3);
  if (__builtin_cpu_supports("x86-64-v4")) codes.push_back(&kWideV4);
#endif
  if (const char* name = std::getenv("HARNESS_ISA"))
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (std::string_view(codes[i]->name) == name) codes.resize(i + 1);
  return codes;
}

/// The widest code whose vectors `columns` fill.
const WideCode& codeFor(int columns) {
  static const std::vector<const WideCode*> codes = wideCodes();
  const WideCode* best = codes.front();
  for (const WideCode* code : codes)
    if (code->lanes <= std::max(columns, 4) || code->lanes == 8) best = code;
  return *best;
}

WideLayout layoutFor(Format format) {
  const FloatLayout& layout = layoutOf(format);
  return {static_cast<int>(elementBytes(format)),
          format == Format::TF32 ? 13 : 0,
          layout.mantissaBits,
          layout.exponentBits,
          layout.bias,
          layout.hasInfinity,
          layout.hasNan};
}

std::size_t roundedUp(std::size_t count, int lanes) {
  std::size_t step = static_cast<std::size_t>(lanes);
  return (count + step - 1) / step * step;
}

/// Grows only; its contents are anything.
template <typename T> class Scratch {
public:
  T* of(std::size_t count) {
    if (values_.size() < count) values_.resize(count);
    return values_.data();
  }

private:
  std::vector<T> values_;
};

/// Elements taken apart, row after row; a row may end in zeros.
struct WideMatrix {
  Scratch<float> values;
  Scratch<std::int32_t> exponents, odd;

  /// `count` elements from `codes` to the place `at`; what is behind them up to full lanes is overwritten.
  /// True if any is odd.
  bool load(const WideCode& code, Format format, const void* codes, std::size_t count, std::size_t at,
            std::size_t oddAt, int exponentBias = 0) {
    std::size_t lanes = static_cast<std::size_t>(code.lanes), bytes = elementBytes(format),
                whole = count / lanes * lanes;
    auto part = [&](const void* from, std::size_t offset, std::size_t length) {
      return code.load({layoutFor(format), exponentBias, from, length, values.of(0) + at + offset,
                        exponents.of(0) + at + offset, odd.of(0) + oddAt + offset});
    };
    bool any = whole && part(codes, 0, whole);
    if (whole == count) return any;
    alignas(64) std::uint32_t tail[16] = {};
    std::memcpy(tail, static_cast<const char*>(codes) + whole * bytes, (count - whole) * bytes);
    return part(tail, whole, lanes) || any;
  }
};

/// What a thread keeps for the next product.
struct Workspace {
  WideMatrix a, b, c;
  std::vector<char> oddRows;
  ScalarTile scalar;
};

/// Exact f16 as floats to f16.
void toHalves(const float* from, std::uint16_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = std::bit_cast<std::uint32_t>(from[i]), magnitude = bits & 0x7fffffff;
    std::uint32_t normal = std::min((magnitude >> 13) - (112u << 10), 0x7c00u);
    auto subnormal = static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::bit_cast<float>(std::min(magnitude, 0x38800000u)) * 0x1p24f));
    to[i] = static_cast<std::uint16_t>((bits >> 16 & 0x8000) | (magnitude < 0x38800000 ? subnormal : normal));
  }
}

/// One product by the wide code.
class WideProduct {
public:
  WideProduct(const DotRule& rule, const Shape& size, const Operands& operands, Workspace& space)
      : rule_(rule), size_(size), operands_(operands), space_(space), code_(codeFor(size.n)),
        m_(static_cast<std::size_t>(size.m)), n_(static_cast<std::size_t>(size.n)),
        k_(static_cast<std::size_t>(size.k)), columns_(roundedUp(n_, code_.lanes)) {}

  void run() {
    bool odd = loadA();
    odd |= loadB();
    odd |= loadC();
    odd |= code_.multiply(task());
    if (odd)
      storeWithOdd();
    else
      store();
  }

private:
  bool loadA() {
    WideMatrix& a = space_.a;
    std::size_t padded = m_ * k_ + 16, bytes = elementBytes(rule_.inputs.a);
    a.values.of(padded);
    a.exponents.of(padded);
    std::fill_n(a.odd.of(padded), padded, 0);
    bool dense = operands_.aStride == k_;
    std::size_t rows = dense ? 1 : m_, count = dense ? m_ * k_ : k_;
    oddA_ = false;
    for (std::size_t row = 0; row < rows; ++row)
      oddA_ |= a.load(code_, rule_.inputs.a,
                      static_cast<const char*>(operands_.a) + row * operands_.aStride * bytes, count,
                      row * k_, row * k_);
    return oddA_;
  }

  bool loadB() {
    WideMatrix& b = space_.b;
    std::size_t bytes = elementBytes(rule_.inputs.b);
    b.values.of(k_ * columns_);
    b.exponents.of(k_ * columns_);
    std::fill_n(b.odd.of(columns_), columns_, 0);
    bool odd = false;
    for (std::size_t k = 0; k < k_; ++k)
      odd |=
          b.load(code_, rule_.inputs.b, static_cast<const char*>(operands_.b) + k * operands_.bStride * bytes,
                 n_, k * columns_, 0, kFloatBias);
    return odd;
  }

  bool loadC() {
    WideMatrix& c = space_.c;
    std::size_t count = m_ * columns_;
    float* values = c.values.of(count);
    std::fill_n(c.odd.of(count), count, 0);
    if (rule_.c == Format::F16) {
      c.exponents.of(count);
      bool odd = false;
      for (std::size_t row = 0; row < m_; ++row)
        odd |= c.load(code_, Format::F16,
                      static_cast<const std::uint16_t*>(operands_.c) + row * operands_.cStride, n_,
                      row * columns_, row * columns_);
      return odd;
    }
    if (columns_ != n_) std::fill_n(values, count, 0.0f);
    for (std::size_t row = 0; row < m_; ++row)
      std::memcpy(values + row * columns_, static_cast<const float*>(operands_.c) + row * operands_.cStride,
                  n_ * sizeof(float));
    return false;
  }

  WideTask task() {
    const Step& step = rule_.model->step;
    WideTask task;
    task.rows = size_.m;
    task.columns = static_cast<int>(columns_);
    task.k = size_.k;
    task.products = std::min(step.products, rule_.instructionK);
    task.fraction = step.fraction;
    task.floor = std::max(step.floor, kLeastAlignment);
    task.half = rule_.model->accumulator == Format::F16;
    task.resultMask = ~((1u << (23 - std::min(step.outFraction, 23))) - 1);
    task.leastExponentOfC = rule_.c == Format::F16 ? -14 : -126;
    task.aValues = space_.a.values.of(0);
    task.aExponents = space_.a.exponents.of(0);
    task.bValues = space_.b.values.of(0);
    task.bExponents = space_.b.exponents.of(0);
    task.d = space_.c.values.of(0);
    task.odd = space_.c.odd.of(0);
    return task;
  }

  void store() {
    const float* values = space_.c.values.of(0);
    for (std::size_t row = 0; row < m_; ++row)
      if (rule_.model->accumulator == Format::F16)
        toHalves(values + row * columns_, static_cast<std::uint16_t*>(operands_.d) + row * operands_.dStride,
                 n_);
      else
        std::memcpy(static_cast<float*>(operands_.d) + row * operands_.dStride, values + row * columns_,
                    n_ * sizeof(float));
  }

  /// The outputs that the wide code leaves open come from the scalar code.
  void storeWithOdd() {
    space_.scalar.load(rule_, size_, operands_);
    std::size_t dBytes = elementBytes(rule_.model->accumulator), cBytes = elementBytes(rule_.c);
    const std::int32_t* oddA = space_.a.odd.of(0);
    for (std::size_t row = 0; row < m_; ++row) {
      const std::int32_t* ofRow = oddA + row * k_;
      bool oddRow = oddA_ && std::any_of(ofRow, ofRow + k_, [](std::int32_t odd) { return odd != 0; });
      for (std::size_t column = 0; column < n_; ++column) {
        std::size_t at = row * columns_ + column;
        std::uint32_t result;
        if (oddRow || space_.b.odd.of(0)[column] || space_.c.odd.of(0)[at])
          result = space_.scalar.at(static_cast<int>(row), static_cast<int>(column),
                                    codeAt(operands_.c, cBytes, row * operands_.cStride + column));
        else if (dBytes == 2)
          result = halfAt(at);
        else
          result = std::bit_cast<std::uint32_t>(space_.c.values.of(0)[at]);
        putCode(operands_.d, dBytes, row * operands_.dStride + column, result);
      }
    }
  }

  std::uint16_t halfAt(std::size_t at) {
    std::uint16_t half;
    toHalves(space_.c.values.of(0) + at, &half, 1);
    return half;
  }

  const DotRule& rule_;
  const Shape& size_;
  const Operands& operands_;
  Workspace& space_;
  const WideCode& code_;
  std::size_t m_, n_, k_, columns_;
  bool oddA_ = false;
};

} // namespace

bool isWide(const DotRule& rule) {
  const Model& model = *rule.model;
  if (model.arithmetic != Arithmetic::Fused || model.scaling != Scaling::None) return false;
  bool half = model.accumulator == Format::F16;
  int products = std::min(model.step.products, rule.instructionK);
  return model.step.fraction <= kMostWideFraction && products <= kMostWideProducts &&
         rule.instructionK % products == 0 &&
         // What toFloatTowardZero() and the C that stays give.
         model.step.rounding == (half ? Rounding::NearestEven : Rounding::TowardZero) &&
         (half ? model.step.outFraction == 10 : model.step.floor <= kLeastAlignment) &&
         (half || (model.step.outFraction <= 23 && model.step.fraction >= model.step.outFraction));
}

void multiplyWide(const DotRule& rule, const Shape& size, const Operands& operands) {
  thread_local Workspace space;
  WideProduct(rule, size, operands, space).run();
}

std::vector<std::string_view> wideIsas() {
  std::vector<std::string_view> names;
  for (const WideCode* code : wideCodes())
    names.push_back(code->name);
  return names;
}

} // namespace harness::mma
