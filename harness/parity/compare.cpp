#include "harness/parity/compare.h"

#include "harness/base/error.h"

#include <algorithm>
#include <array>

namespace harness {

namespace {

constexpr std::size_t kFirstDifferences = 16;
constexpr std::uint64_t kMaxHistogram = 4096;
/// A pattern must explain at least so many bits: a single byte fits many patterns by chance.
constexpr std::uint64_t kMinEvidenceBits = 16;

std::uint8_t byteAt(std::string_view bytes, std::uint64_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

std::uint64_t valueAt(std::string_view bytes, std::uint64_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t b = 0; b < size; ++b)
    value |= std::uint64_t{byteAt(bytes, at + b)} << (8 * b);
  return value;
}

/// One buffer, expected and found.
struct Outputs {
  std::string_view expected, actual, otherPoison;
  std::uint64_t record;
  ElementType type;

  /// The start of the `width`-byte field that holds `offset`, counted from the start of its record; nothing
  /// if the field would leave the record.
  std::optional<std::uint64_t> fieldStart(std::uint64_t offset, std::size_t width) const {
    std::uint64_t base = record ? offset / record * record : 0;
    std::uint64_t end = record ? std::min<std::uint64_t>(base + record, expected.size()) : expected.size();
    std::uint64_t start = base + (offset - base) / width * width;
    if (start + width > end) return std::nullopt;
    return start;
  }
};

/// Does the pattern explain the bad byte at `offset`?
using Explains = bool (*)(const Outputs&, std::uint64_t offset);

bool unwritten(const Outputs& o, std::uint64_t offset) {
  if (o.otherPoison.empty()) return false;
  std::uint8_t first = byteAt(o.actual, offset), second = byteAt(o.otherPoison, offset);
  return (first == kPoison[0] && second == kPoison[1]) || (first == kPoison[1] && second == kPoison[0]);
}

template <std::size_t Width> bool signExtended(const Outputs& o, std::uint64_t offset) {
  auto start = o.fieldStart(offset, Width);
  if (!start) return false;
  std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * Width);
  std::uint64_t expected = valueAt(o.expected, *start, Width), actual = valueAt(o.actual, *start, Width);
  for (std::size_t bits = 8; bits < 8 * Width; bits *= 2) {
    bool negative = expected >> (bits - 1) & 1;
    if (negative && actual == ((expected | ~std::uint64_t{0} << bits) & mask)) return true;
  }
  return false;
}

template <std::size_t Width> bool byteSwapped(const Outputs& o, std::uint64_t offset) {
  auto start = o.fieldStart(offset, Width);
  return start && std::equal(o.expected.begin() + *start, o.expected.begin() + *start + Width,
                             std::make_reverse_iterator(o.actual.begin() + *start + Width));
}

bool lowByteZero(const Outputs& o, std::uint64_t offset) {
  auto start = o.fieldStart(offset, 2);
  return start == offset && byteAt(o.actual, offset) == 0 && o.actual[offset + 1] == o.expected[offset + 1];
}

/// The element `Distance` elements away, as the reference has it.
template <int Distance> bool neighbour(const Outputs& o, std::uint64_t offset) {
  std::size_t size = sizeOf(o.type);
  std::uint64_t start = offset / size * size;
  std::int64_t from = static_cast<std::int64_t>(start) + Distance * static_cast<std::int64_t>(size);
  if (from < 0 || static_cast<std::uint64_t>(from) + size > o.expected.size()) return false;
  return o.actual.substr(start, size) == o.expected.substr(static_cast<std::uint64_t>(from), size);
}

/// The same offset of the record before or after.
template <int Distance> bool neighbourRecord(const Outputs& o, std::uint64_t offset) {
  std::int64_t from = static_cast<std::int64_t>(offset) + Distance * static_cast<std::int64_t>(o.record);
  if (!o.record || from < 0 || static_cast<std::uint64_t>(from) >= o.expected.size()) return false;
  return o.actual[offset] == o.expected[static_cast<std::uint64_t>(from)];
}

bool offByOne(const Outputs& o, std::uint64_t offset) {
  std::size_t size = sizeOf(o.type);
  std::uint64_t start = offset / size * size, mask = ~std::uint64_t{0} >> (64 - 8 * size);
  std::uint64_t expected = valueAt(o.expected, start, size), actual = valueAt(o.actual, start, size);
  return ((actual - expected) & mask) == 1 || ((expected - actual) & mask) == 1;
}

struct Pattern {
  std::string_view name;
  Explains explains;
  std::size_t elementSize; ///< only for elements of this size; 0 = any
  std::size_t evidence;    ///< bytes that one explained byte vouches for
};

/// The stronger claim first: of two that explain as much, the first is named. Byte buffers are taken for
/// records of packed fields, so they are tried for 16-bit and 32-bit fields too.
constexpr std::array kPatterns = {
    Pattern{"unwritten", unwritten, 0, 2},
    Pattern{"sign-extended", signExtended<2>, 2, 2},
    Pattern{"sign-extended", signExtended<4>, 4, 4},
    Pattern{"sign-extended", signExtended<8>, 8, 8},
    Pattern{"sign-extended", signExtended<2>, 1, 2},
    Pattern{"sign-extended", signExtended<4>, 1, 4},
    Pattern{"byte-swapped", byteSwapped<2>, 2, 2},
    Pattern{"byte-swapped", byteSwapped<4>, 4, 4},
    Pattern{"byte-swapped", byteSwapped<8>, 8, 8},
    Pattern{"byte-swapped", byteSwapped<2>, 1, 2},
    Pattern{"byte-swapped", byteSwapped<4>, 1, 4},
    Pattern{"got == ref & 0xff00", lowByteZero, 1, 2},
    Pattern{"got == ref & 0xff00", lowByteZero, 2, 2},
    Pattern{"neighbour's value", neighbour<-1>, 0, 1},
    Pattern{"neighbour's value", neighbour<1>, 0, 1},
    Pattern{"neighbour's value", neighbourRecord<-1>, 0, 1},
    Pattern{"neighbour's value", neighbourRecord<1>, 0, 1},
    Pattern{"off by one", offByOne, 0, 1},
};

/// Counts what each pattern explains, one bad byte at a time.
class PatternSearch {
public:
  explicit PatternSearch(const Outputs& outputs) : outputs_(outputs) {}

  void add(std::uint64_t offset) {
    for (std::size_t i = 0; i < kPatterns.size(); ++i) {
      const Pattern& pattern = kPatterns[i];
      if (pattern.elementSize && pattern.elementSize != sizeOf(outputs_.type)) continue;
      if (!pattern.explains(outputs_, offset)) continue;
      ++explained_[i];
      // A zero low byte says nothing of a field whose high byte is zero as well: the whole field may be lost.
      if (pattern.explains != lowByteZero || outputs_.expected[offset + 1] != 0) ++telling_[i];
    }
  }

  void finish(BufferComparison& result) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < kPatterns.size(); ++i)
      if (explained_[i] > explained_[best]) best = i;
    bool enough = telling_[best] * kPatterns[best].evidence * 8 >= kMinEvidenceBits;
    if (explained_[best] * 2 <= result.bad || !enough) return;
    result.pattern = kPatterns[best].name;
    result.patternBad = explained_[best];
  }

private:
  const Outputs& outputs_;
  std::array<std::uint64_t, kPatterns.size()> explained_{}, telling_{};
};

struct FloatLayout {
  unsigned exponentBits, mantissaBits;
  bool hasInfinity;
};

FloatLayout layoutOf(ElementType type) {
  switch (type) {
  case ElementType::F16: return {5, 10, true};
  case ElementType::BF16: return {8, 7, true};
  case ElementType::F32: return {8, 23, true};
  case ElementType::F64: return {11, 52, true};
  case ElementType::E4M3: return {4, 3, false};
  case ElementType::E5M2: return {5, 2, true};
  default: throw Error(ErrorKind::Internal, "an ulp comparison of an integer type");
  }
}

bool withinUlp(std::uint64_t a, std::uint64_t b, const FloatLayout& layout, std::uint64_t ulp) {
  unsigned magnitudeBits = layout.exponentBits + layout.mantissaBits;
  std::uint64_t magnitudeMask = (std::uint64_t{1} << magnitudeBits) - 1;
  std::uint64_t infinity = magnitudeMask ^ ((std::uint64_t{1} << layout.mantissaBits) - 1);
  std::uint64_t largestNumber = layout.hasInfinity ? infinity : magnitudeMask - 1;
  std::uint64_t x = a & magnitudeMask, y = b & magnitudeMask;
  if (x > largestNumber || y > largestNumber) return x > largestNumber && y > largestNumber;
  if (layout.hasInfinity && (x == infinity || y == infinity)) return a == b;
  bool sameSign = a >> magnitudeBits == b >> magnitudeBits;
  return (sameSign ? std::max(x, y) - std::min(x, y) : x + y) <= ulp;
}

} // namespace

std::string BufferComparison::describePattern() const {
  if (pattern.empty() || patternBad == bad) return pattern;
  return llvm::formatv("{0} ({1} of {2})", pattern, patternBad, bad).str();
}

BufferComparison compareBuffer(std::string_view name, std::string_view expected, std::string_view actual,
                               std::string_view actualOtherPoison, std::uint64_t record, ElementType type,
                               const CompareRule& rule) {
  if (expected.size() != actual.size() ||
      (!actualOtherPoison.empty() && actualOtherPoison.size() != actual.size()))
    throw Error(ErrorKind::Internal, "outputs of different sizes are compared");
  BufferComparison result;
  result.buffer = name;
  result.bytes = expected.size();
  result.record = record <= kMaxHistogram ? record : 0;
  result.histogram.resize(result.record);
  if (expected == actual) return result;

  Outputs outputs{expected, actual, actualOtherPoison, record, type};
  PatternSearch patterns(outputs);
  std::size_t step = sizeOf(type);
  bool byUlp = rule.kind == CompareRule::Kind::Ulp;
  for (std::uint64_t start = 0; start < expected.size(); start += step) {
    std::uint64_t end = std::min<std::uint64_t>(start + step, expected.size());
    if (expected.substr(start, step) == actual.substr(start, step)) continue;
    if (byUlp && end - start == step &&
        withinUlp(valueAt(expected, start, step), valueAt(actual, start, step), layoutOf(type), rule.ulp))
      continue;
    for (std::uint64_t at = start; at < end; ++at) {
      if (expected[at] == actual[at]) continue;
      ++result.bad;
      if (result.record) ++result.histogram[at % result.record];
      if (result.first.size() < kFirstDifferences)
        result.first.push_back({at, byteAt(expected, at), byteAt(actual, at)});
      patterns.add(at);
    }
  }
  patterns.finish(result);
  return result;
}

} // namespace harness
