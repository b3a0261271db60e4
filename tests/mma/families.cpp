#include "tests/mma/families.h"

#include <cstring>

namespace harness::mma::test {

namespace {

constexpr std::string_view kNames[] = {
    "random bits",       "normal",          "subnormals", "cancellation", "near overflow", "signed zeros",
    "tiny accumulators", "mixed magnitude", "LSB walk",   "specials"};

std::uint64_t below(Random& random, std::uint64_t n) {
  return random() % n;
}

/// An exponent field and the bits below and above it.
class Element {
public:
  Element(Format format, Random& random) : format_(format), random_(random) {
    if (format == Format::F64)
      exponentBits_ = 11, mantissaBits_ = 52;
    else
      exponentBits_ = layoutOf(format).exponentBits, mantissaBits_ = layoutOf(format).mantissaBits;
  }

  std::uint64_t top() const { return (std::uint64_t{1} << exponentBits_) - 1; }
  std::uint64_t bias() const { return top() / 2; }
  /// Random sign and mantissa, an exponent field in [low, high], cut to what is finite.
  std::uint64_t withField(std::int64_t low, std::int64_t high) {
    auto most = static_cast<std::int64_t>(top() - (hasInfinity() ? 1 : 0));
    low = std::max<std::int64_t>(0, std::min(low, most));
    high = std::max(low, std::min(high, most));
    std::uint64_t field =
        static_cast<std::uint64_t>(low) + below(random_, static_cast<std::uint64_t>(high - low + 1));
    std::uint64_t mantissa = random_() >> (64 - mantissaBits_);
    if (format_ == Format::E4M3 && field == top() && mantissa == 7) mantissa = 6;
    return put(random_() & 1, field, mantissa);
  }
  std::uint64_t put(std::uint64_t sign, std::uint64_t field, std::uint64_t mantissa) const {
    std::uint64_t code = (sign << exponentBits_ | field) << mantissaBits_ | mantissa;
    return format_ == Format::TF32 ? code << 13 | (random_() & 0x1fff) : code;
  }
  std::uint64_t any() {
    std::uint64_t code = random_() >> (63 - exponentBits_ - mantissaBits_);
    return format_ == Format::TF32 ? code << 13 | (random_() & 0x1fff) : code;
  }
  std::uint64_t special() {
    if (format_ == Format::E4M3) return put(random_() & 1, top(), 7);
    if (!hasInfinity()) return any();
    return put(random_() & 1, top(), below(random_, 2) ? 0 : random_() >> (64 - mantissaBits_));
  }
  std::uint64_t negated(std::uint64_t code) const {
    return code ^ std::uint64_t{1} << (exponentBits_ + mantissaBits_ + (format_ == Format::TF32 ? 13 : 0));
  }

private:
  bool hasInfinity() const { return format_ == Format::F64 || layoutOf(format_).hasInfinity; }

  Format format_;
  Random& random_;
  int exponentBits_, mantissaBits_;
};

std::uint64_t operandOf(Family family, Element& element, Random& random) {
  auto bias = static_cast<std::int64_t>(element.bias()), top = static_cast<std::int64_t>(element.top());
  switch (family) {
  case Family::RandomBits: return element.any();
  case Family::Normal: return element.withField(bias - 3, bias + 2);
  case Family::Subnormals: return element.withField(0, below(random, 4) ? 0 : bias + 4);
  case Family::Cancellation: return element.withField(below(random, 3) ? bias - 8 : bias + 3, bias + 6);
  case Family::NearOverflow: return element.withField(top - (below(random, 3) ? 3 : top / 2), top);
  case Family::SignedZeros:
    return below(random, 8) ? element.put(random() & 1, 0, 0) : element.withField(0, top);
  case Family::TinyAccumulators:
    return below(random, 4) ? element.put(random() & 1, 0, 0) : element.withField(0, bias / 2);
  case Family::MixedMagnitude: return element.withField(0, top);
  case Family::LsbWalk: return element.withField(bias - 14, bias - 10);
  case Family::Specials: return below(random, 16) ? element.withField(bias - 2, bias + 2) : element.special();
  }
  return 0;
}

std::uint64_t accumulatorOf(Family family, Format format, Random& random, std::uint64_t index) {
  if (format == Format::S32) {
    std::uint64_t edge = random() & 1 ? 0x7fffffff - below(random, 1000) : 0x80000000 + below(random, 1000);
    return family == Family::NearOverflow ? edge : random() & 0xffffffff;
  }
  Element element(format, random);
  auto bias = static_cast<std::int64_t>(element.bias()), top = static_cast<std::int64_t>(element.top());
  switch (family) {
  case Family::RandomBits: return element.any();
  case Family::Subnormals:
  case Family::TinyAccumulators: return element.withField(0, below(random, 2) ? 0 : bias / 2);
  case Family::NearOverflow: return element.withField(top - 3, top);
  case Family::SignedZeros: return element.put(random() & 1, 0, 0);
  case Family::MixedMagnitude: return element.withField(0, top);
  case Family::LsbWalk: return element.put(random() & 1, element.bias(), index % 1024);
  case Family::Specials: return below(random, 8) ? element.withField(bias - 2, bias + 2) : element.special();
  default: return below(random, 4) ? element.withField(bias - 6, bias + 6) : 0;
  }
}

std::uint8_t scaleOf(Family family, Scaling scaling, Random& random) {
  if (family == Family::RandomBits) return static_cast<std::uint8_t>(random());
  bool nvf4 = scaling == Scaling::Nvf4;
  if (family == Family::Subnormals)
    return static_cast<std::uint8_t>(nvf4 ? below(random, 12) : below(random, 30));
  if (family == Family::NearOverflow)
    return static_cast<std::uint8_t>(nvf4 ? 0x77 + below(random, 8) : 180 + below(random, 74));
  return static_cast<std::uint8_t>(nvf4 ? 0x20 + below(random, 0x40) : 107 + below(random, 40));
}

std::uint64_t inputOf(Family family, Format format, Random& random) {
  if (isInteger(format))
    return family == Family::NearOverflow ? (random() & 1 ? 0x80 : 0x7f) : random() & 0xff;
  Element element(format, random);
  return operandOf(family, element, random);
}

} // namespace

std::string_view toString(Family family) {
  return kNames[static_cast<std::size_t>(family)];
}

std::uint64_t elementAt(const std::vector<std::uint8_t>& data, Format format, std::size_t i) {
  std::uint64_t code = 0;
  std::memcpy(&code, data.data() + i * elementBytes(format), elementBytes(format));
  return code;
}

void putElement(std::vector<std::uint8_t>& data, Format format, std::size_t i, std::uint64_t code) {
  std::memcpy(data.data() + i * elementBytes(format), &code, elementBytes(format));
}

DotOperands Matrices::dot(const Inputs& inputs, Format cFormat, int row, int column) const {
  DotOperands operands;
  std::size_t i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
  std::size_t n = static_cast<std::size_t>(size.n), depth = static_cast<std::size_t>(size.k);
  for (std::size_t k = 0; k < depth; ++k) {
    operands.a.push_back(elementAt(a, inputs.a, i * depth + k));
    operands.b.push_back(elementAt(b, inputs.b, k * n + j));
  }
  operands.c = elementAt(c, cFormat, i * n + j);
  if (std::size_t block = static_cast<std::size_t>(blockOf(inputs.scaling)))
    for (std::size_t k = 0; k < depth / block; ++k) {
      operands.aScales.push_back(aScales[i * (depth / block) + k]);
      operands.bScales.push_back(bScales[k * n + j]);
    }
  return operands;
}

Matrices generate(Family family, const Inputs& inputs, Format cFormat, const Shape& size, Random& random) {
  std::size_t m = static_cast<std::size_t>(size.m), n = static_cast<std::size_t>(size.n),
              k = static_cast<std::size_t>(size.k);
  Matrices result;
  result.size = size;
  result.a.resize(m * k * elementBytes(inputs.a));
  result.b.resize(k * n * elementBytes(inputs.b));
  result.c.resize(m * n * elementBytes(cFormat));
  for (std::size_t i = 0; i < m * k; ++i)
    putElement(result.a, inputs.a, i, inputOf(family, inputs.a, random));
  for (std::size_t i = 0; i < k * n; ++i)
    putElement(result.b, inputs.b, i, inputOf(family, inputs.b, random));
  for (std::size_t i = 0; i < m * n; ++i)
    putElement(result.c, cFormat, i, accumulatorOf(family, cFormat, random, i));
  if (family == Family::Cancellation && !isInteger(inputs.a)) {
    // Half of the pairs of neighbours cancel each other, some far apart.
    for (std::size_t at = 0; at + 1 < k; at += 2) {
      if (random() & 1) continue;
      std::size_t other = random() & 1 ? at + 1 : (at + 1 + 2 * below(random, k / 2)) % k;
      Element element(inputs.a, random);
      for (std::size_t i = 0; i < m; ++i)
        putElement(result.a, inputs.a, i * k + other,
                   element.negated(elementAt(result.a, inputs.a, i * k + at)));
      for (std::size_t j = 0; j < n; ++j)
        putElement(result.b, inputs.b, other * n + j, elementAt(result.b, inputs.b, at * n + j));
    }
  }
  if (std::size_t block = static_cast<std::size_t>(blockOf(inputs.scaling))) {
    result.aScales.resize(m * (k / block));
    result.bScales.resize(n * (k / block));
    for (std::vector<std::uint8_t>* scales : {&result.aScales, &result.bScales})
      for (std::uint8_t& scale : *scales)
        scale = scaleOf(family, inputs.scaling, random);
  }
  return result;
}

} // namespace harness::mma::test
