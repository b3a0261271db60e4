#include "harness/ptx/open_sums.h"

#include "harness/ptx/floats.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace harness::ptx {

namespace {

constexpr int kNoBit = 1 << 20; ///< of a zero: later than any

/// The exponent of the lowest bit that is set.
int lowestBit(double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  auto mantissa = bits & 0x000fffffffffffff;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff || (exponent == 0 && mantissa == 0)) return kNoBit;
  if (exponent)
    mantissa |= std::uint64_t{1} << 52;
  else
    exponent = 1;
  return exponent - 1075 + std::countr_zero(mantissa);
}

/// sum + error, |error| less than the last bit of `sum`, rounded up or down to a number of the rule.
double directed(const SumRule& rule, double sum, double error, bool up) {
  if (sum == 0) return 0;
  double unit = std::ldexp(1, std::max(std::ilogb(sum) - (rule.precision - 1), rule.leastBit));
  double units = sum / unit, below = std::floor(units), rounded = sum;
  if (units != below || error != 0) {
    if (units == below && error < 0) --below;
    rounded = (up ? below + 1 : below) * unit;
  }
  double end = std::ldexp(1, rule.endExponent);
  if (std::fabs(rounded) < end) return rounded;
  double largest = end - std::ldexp(1, rule.endExponent - rule.precision);
  bool outward = up == (sum > 0);
  return std::copysign(outward ? std::numeric_limits<double>::infinity() : largest, sum);
}

double addDirected(const SumRule& rule, double a, double b, bool up) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  double bPart = sum - a, error = (a - (sum - bPart)) + (b - bPart);
  return directed(rule, sum, error, up);
}

std::uint64_t hashOf(std::span<const double> values, std::uint64_t seed) {
  auto bytes = llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes());
  std::uint64_t key[] = {llvm::xxh3_64bits(bytes), seed};
  return llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(key), sizeof key));
}

/// Numbers from a hash.
class Choices {
public:
  explicit Choices(std::uint64_t hash) : state_(hash | 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1d >> 32;
  }
  template <typename T> void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[next() % i]);
  }

private:
  std::uint64_t state_;
};

} // namespace

OpenSums::Operand OpenSums::operandOf(std::vector<double> values, std::size_t length) {
  Operand made;
  made.lowest.resize(values.size());
  made.special.resize(values.size() / length);
  for (std::size_t i = 0; i < values.size(); ++i) {
    made.lowest[i] = lowestBit(values[i]);
    if (!std::isfinite(values[i])) made.special[i / length] = true;
  }
  made.values = std::move(values);
  return made;
}

OpenSums::OpenSums(const SumRule& rule, std::size_t m, std::size_t n, std::size_t k, std::vector<double> a,
                   std::span<const double> b, std::vector<double> c)
    : rule_(rule), n_(n), k_(k), c_(std::move(c)) {
  a.resize(m * k);
  std::vector<double> columns(k * n);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < n; ++j)
      columns[j * k + i] = b[i * n + j];
  a_ = operandOf(std::move(a), k);
  b_ = operandOf(std::move(columns), k);
}

bool OpenSums::isOpen(std::size_t row, std::size_t column) const {
  double c = c_[row * n_ + column];
  if (a_.special[row] || b_.special[column] || !std::isfinite(c)) return false;
  const double *a = &a_.values[row * k_], *b = &b_.values[column * k_];
  const int *aLowest = &a_.lowest[row * k_], *bLowest = &b_.lowest[column * k_];
  double magnitude = std::fabs(c);
  int lowest = lowestBit(c), products = 0;
  bool negative = std::signbit(c);
  for (std::size_t i = 0; i < k_; ++i) {
    double product = a[i] * b[i];
    magnitude += std::fabs(product);
    lowest = std::min(lowest, aLowest[i] + bLowest[i]);
    products += a[i] != 0 && b[i] != 0;
    negative = negative && std::signbit(product);
  }
  if (magnitude == 0 && products == 0) return negative; // -0, or +0 as hardware has it
  if (rule_.fused && products <= 1) return false;       // rounded once in any order
  // The sum of magnitudes is exact here as long as it is below.
  bool exact = lowest >= rule_.leastBit && magnitude < std::ldexp(1, lowest + rule_.precision) &&
               std::ilogb(magnitude) < rule_.endExponent;
  return !exact;
}

double OpenSums::otherFused(std::size_t row, std::size_t column, std::uint64_t seed) const {
  const double *a = &a_.values[row * k_], *b = &b_.values[column * k_];
  std::vector<std::size_t> order(k_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (seed % 2)
    std::reverse(order.begin(), order.end());
  else
    Choices(hashOf({a, k_}, seed)).shuffle(order);
  RoundingScope rounding(rule_.rounding);
  double sum = c_[row * n_ + column];
  for (std::size_t i : order)
    sum = std::fma(a[i], b[i], sum);
  return sum;
}

namespace {

double addAll(const SumRule& rule, const std::vector<double>& terms, auto up) {
  double sum = 0;
  for (double term : terms)
    sum = addDirected(rule, sum, term, up());
  return sum;
}

/// The greatest, or least, of some orders: C last, first, and what is of one sign before the rest; every sum
/// rounded that way.
double outermost(const SumRule& rule, std::vector<double> terms, bool up) {
  double found = addAll(rule, terms, [up] { return up; });
  auto reach = [&] {
    double sum = addAll(rule, terms, [up] { return up; });
    found = up ? std::max(found, sum) : std::min(found, sum);
  };
  std::rotate(terms.rbegin(), terms.rbegin() + 1, terms.rend());
  reach();
  for (bool positive : {true, false}) {
    std::stable_partition(terms.begin(), terms.end(), [=](double term) { return (term > 0) == positive; });
    reach();
  }
  return found;
}

} // namespace

double OpenSums::other(std::size_t row, std::size_t column, std::uint64_t seed) const {
  if (rule_.fused) return otherFused(row, column, seed);
  const double *a = &a_.values[row * k_], *b = &b_.values[column * k_];
  std::vector<double> terms(k_ + 1);
  for (std::size_t i = 0; i < k_; ++i)
    terms[i] = a[i] * b[i];
  terms[k_] = c_[row * n_ + column];
  Choices choices(hashOf(terms, seed));
  if (std::all_of(terms.begin(), terms.end(), [](double term) { return term == 0; }))
    return choices.next() % 2 ? -0.0 : 0.0;
  if (seed % 4 == 1 || seed % 4 == 2) return outermost(rule_, std::move(terms), seed % 4 == 1);
  choices.shuffle(terms);
  return addAll(rule_, terms, [&] { return choices.next() % 2 != 0; });
}

} // namespace harness::ptx
