// Approximate functions, and the div, rcp and sqrt that are not.
//
// PTX bounds the errors of approximate functions and names results of special operands, no more. Each result
// here is a stand-in: the function rounded correctly after the steps that PTX describes (a quotient is
// a·(1/b), the upper word of an f64 counts), scaled by powers of two where a step would leave the range. It
// is counted, and moved by an ulp when the execution asks for it, so that an answer that hangs on it can be
// told from a wrong one. PTX allows more than an ulp to div (2 ulp), sin, cos, lg2 (absolute errors) and
// tanh.
//
// Without .ftz subnormals are supported (9.7.3, and so does ptxas); the tables of special operands in the
// manual show them flushed, which is what .ftz does.

#include "harness/ptx/floats.h"
#include "harness/ptx/lanes.h"
#include "harness/ptx/ops_real.h"

#include <llvm/Support/xxhash.h>

#include <array>
#include <limits>

namespace harness::ptx {

namespace {

/// What a function gives, and whether that is certain: special operands, and powers of two (integers, of
/// ex2), where the tables that hardware interpolates begin.
struct Approximation {
  std::uint64_t bits = 0;
  bool exact = false;
};

constexpr float kLeastNormal = 0x1p-126f;

float settled(float value) {
  return value == value ? value : std::bit_cast<float>(kNan32);
}

Approximation result(float value, bool exact, bool ftz) {
  return {bitsFrom(settled(ftz ? flushed(value) : value)), exact};
}

template <typename T> bool isPowerOfTwo(T value) {
  int exponent = 0;
  return std::fabs(std::frexp(value, &exponent)) == T{0.5};
}

bool isSpecial(float value) {
  return value == 0 || !std::isfinite(value);
}

/// f(x) rounded to f32: computed in f64, and in long double where its error might change the result.
template <typename F> float rounded(F f, double x) {
  constexpr double kError = 0x1p-50;
  double value = f(x);
  auto low = static_cast<float>(value - value * kError), high = static_cast<float>(value + value * kError);
  return low == high ? static_cast<float>(value) : static_cast<float>(f(static_cast<long double>(x)));
}

// ---- f32

float reciprocalOf(float x) {
  return flushed(rounded([](auto v) { return 1 / v; }, x));
}

template <bool Ftz> Approximation reciprocal(std::uint64_t bits, std::uint64_t) {
  float x = Ftz ? flushed(as<float>(bits)) : as<float>(bits);
  float scale = Ftz ? 1 : std::fabs(x) < kLeastNormal ? 0x1p24f : std::fabs(x) > 0x1p126f ? 0x1p-2f : 1;
  return result(reciprocalOf(x * scale) * scale, isSpecial(x) || isPowerOfTwo(x), Ftz);
}

/// a·(1/b); Full: scaled so that 1/b is no subnormal.
template <bool Ftz, bool Full> Approximation quotient(std::uint64_t first, std::uint64_t second) {
  float a = as<float>(first), b = as<float>(second);
  if (Ftz) {
    a = flushed(a);
    b = flushed(b);
  }
  float scale = 1;
  if (Full && std::fabs(b) > 0x1p126f) scale = 0x1p-2f;
  if (!Ftz && std::fabs(b) < kLeastNormal) scale = 0x1p24f;
  float scaled = Ftz ? flushed(a * scale) : a * scale;
  return result(scaled * reciprocalOf(b * scale), isSpecial(a) || isSpecial(b) || isPowerOfTwo(b), Ftz);
}

template <bool Ftz> Approximation squareRoot(std::uint64_t bits, std::uint64_t) {
  float x = Ftz ? flushed(as<float>(bits)) : as<float>(bits);
  bool small = std::fabs(x) < kLeastNormal;
  float root = rounded([](auto v) { return std::sqrt(v); }, small ? x * 0x1p24f : x);
  return result(small ? root * 0x1p-12f : root,
                isSpecial(x) || x < 0 || (isPowerOfTwo(x) && isPowerOfTwo(root)), Ftz);
}

template <bool Ftz> Approximation reciprocalRoot(std::uint64_t bits, std::uint64_t) {
  float x = Ftz ? flushed(as<float>(bits)) : as<float>(bits);
  bool small = std::fabs(x) < kLeastNormal;
  float root = rounded([](auto v) { return 1 / std::sqrt(v); }, small ? x * 0x1p24f : x);
  return result(small ? root * 0x1p12f : root,
                isSpecial(x) || x < 0 || (isPowerOfTwo(x) && isPowerOfTwo(root)), Ftz);
}

template <bool Ftz> Approximation logarithm(std::uint64_t bits, std::uint64_t) {
  float x = Ftz ? flushed(as<float>(bits)) : as<float>(bits);
  bool small = std::fabs(x) < kLeastNormal;
  float log = rounded([](auto v) { return std::log2(v); }, small ? x * 0x1p24f : x);
  return result(small ? log - 24 : log, isSpecial(x) || x < 0 || isPowerOfTwo(x), Ftz);
}

template <bool Ftz> Approximation exponential(std::uint64_t bits, std::uint64_t) {
  float x = as<float>(bits);
  bool small = !Ftz && x < -126; // the result may be subnormal
  float exponent = flushed(small ? x / 2 : x);
  float power = rounded([](auto v) { return std::exp2(v); }, exponent);
  return result(small ? power * power : power, exponent == std::trunc(exponent) || x != x, Ftz);
}

/// x in turns, truncated; subnormals are zeros.
float turns(float x) {
  double exact = double{x} * 0x1.45f306p-3;
  auto nearest = static_cast<float>(exact);
  if (std::fabs(double{nearest}) > std::fabs(exact)) nearest = std::nextafter(nearest, 0.0f);
  return flushed(nearest);
}

/// sin(2πv) for |v| ≤ 1/4
struct SineOfTurns {
  template <typename T> T operator()(T v) const {
    return std::sin(v * static_cast<T>(6.28318530717958647692528676655900577L));
  }
};

Approximation sineOf(double turn, double sign) {
  // The distance from a multiple of a half turn is exact.
  double part = turn - std::nearbyint(turn);
  double folded = std::fabs(part) > 0.25 ? std::copysign(0.5, part) - part : part;
  float sine = rounded(SineOfTurns{}, folded);
  return result(sine == 0 ? std::copysign(0.0f, static_cast<float>(sign)) : sine,
                folded == 0 || std::fabs(folded) == 0.25, true);
}

Approximation sine(std::uint64_t bits, std::uint64_t) {
  float x = as<float>(bits);
  if (!std::isfinite(x)) return {kNan32, true};
  float turn = turns(x);
  return sineOf(turn, x);
}

Approximation cosine(std::uint64_t bits, std::uint64_t) {
  float x = as<float>(bits);
  if (!std::isfinite(x)) return {kNan32, true};
  double turn = turns(x), part = std::fabs(turn - std::nearbyint(turn));
  return sineOf(0.25 - part, 1);
}

Approximation tangent(std::uint64_t bits, std::uint64_t) {
  float x = as<float>(bits);
  if (flushed(x) != x || isSpecial(x))
    return {bitsFrom(settled(std::isinf(x) ? std::copysign(1.0f, x) : x)), true};
  return result(rounded([](auto v) { return std::tanh(v); }, x), false, false);
}

// ---- f64

constexpr std::uint64_t kUpperNan = 0x7fffffff00000000;

bool isSpecial(double value) {
  return value == 0 || !std::isfinite(value);
}

double upperOf(std::uint64_t bits) {
  std::uint64_t upper = bits & 0xffffffff00000000;
  return std::bit_cast<double>(upper &
                               ((upper & 0x7ff0000000000000) ? ~std::uint64_t{0} : 0x8000000000000000));
}

/// Rounded to the upper word, flushed.
std::uint64_t toUpper(double value) {
  if (value != value) return kUpperNan;
  auto bits = std::bit_cast<std::uint64_t>(value);
  if (!std::isinf(value)) bits += 0x7fffffff + (bits >> 32 & 1);
  return bitsFrom(upperOf(bits));
}

Approximation upperReciprocal(std::uint64_t bits, std::uint64_t) {
  double x = upperOf(bits);
  return {toUpper(1 / x), isSpecial(x) || isPowerOfTwo(x)};
}

Approximation upperReciprocalRoot(std::uint64_t bits, std::uint64_t) {
  double x = upperOf(bits), root = 1 / std::sqrt(x);
  return {toUpper(root), isSpecial(x) || x < 0 || (isPowerOfTwo(x) && isPowerOfTwo(root))};
}

Approximation reciprocalRoot64(std::uint64_t bits, std::uint64_t) {
  double x = as<double>(bits);
  if (x != x) return {bits | 0x0008000000000000, true};
  if (x < 0) return {kNan64, true};
  auto root = static_cast<double>(1 / std::sqrt(static_cast<long double>(x)));
  return {bitsFrom(root), isSpecial(x) || (isPowerOfTwo(x) && isPowerOfTwo(root))};
}

// ---- f16 and bf16

Approximation exponentialHalf(std::uint64_t bits, std::uint64_t) {
  double x = fromHalf(bits);
  return {toHalf(std::exp2(x)), x != x || x == std::trunc(x)};
}

Approximation exponentialBfloat(std::uint64_t bits, std::uint64_t) {
  double x = fromBfloat(flushedHalf<0x7f80>(bits));
  return {flushedHalf<0x7f80>(toBfloat(std::exp2(x))), x != x || x == std::trunc(x)};
}

/// A subnormal is its own tangent.
Approximation tangentHalf(std::uint64_t bits, std::uint64_t) {
  double x = fromHalf(bits);
  if (flushedHalf(bits) != bits) return {bits, true};
  return {toHalf(std::tanh(x)), isSpecial(x)};
}

Approximation tangentBfloat(std::uint64_t bits, std::uint64_t) {
  double x = fromBfloat(bits);
  if (flushedHalf<0x7f80>(bits) != bits) return {bits, true};
  return {toBfloat(std::tanh(x)), isSpecial(x)};
}

// ---- the instructions

/// Magnitudes that an approximate result can have; zero, infinity and NaN are beyond. `unit` is its ulp.
struct Range {
  std::uint64_t magnitude, least, largest, unit = 1;

  bool holds(std::uint64_t bits) const {
    return (bits & magnitude) >= least && (bits & magnitude) <= largest;
  }
};

constexpr Range kSingle = {0x7fffffff, 1, 0x7f7fffff};
constexpr Range kSingleFtz = {0x7fffffff, 0x00800000, 0x7f7fffff};
constexpr Range kSingleToOne = {0x7fffffff, 0x00800000, 0x3f800000};
constexpr Range kDouble = {0x7fffffffffffffff, 1, 0x7fefffffffffffff};
constexpr Range kUpper = {0x7fffffff00000000, 0x0010000000000000, 0x7fefffff00000000, std::uint64_t{1} << 32};
constexpr Range kHalf = {0x7fff, 1, 0x7bff};
constexpr Range kHalfToOne = {0x7fff, 1, 0x3c00};
constexpr Range kBfloat = {0x7fff, 0x80, 0x7f7f};
constexpr Range kBfloatToOne = {0x7fff, 0x80, 0x3f80};

struct Function {
  std::string_view name;
  Type type;
  bool ftz;
  bool full = false; ///< div.full
  Range range;
  Approximation (*evaluate)(std::uint64_t, std::uint64_t);
};

constexpr Function kFunctions[] = {
    {"rcp", Type::F32, false, false, kSingle, reciprocal<false>},
    {"rcp", Type::F32, true, false, kSingleFtz, reciprocal<true>},
    {"rcp", Type::F64, true, false, kUpper, upperReciprocal},
    {"div", Type::F32, false, false, kSingle, quotient<false, false>},
    {"div", Type::F32, true, false, kSingleFtz, quotient<true, false>},
    {"div", Type::F32, false, true, kSingle, quotient<false, true>},
    {"div", Type::F32, true, true, kSingleFtz, quotient<true, true>},
    {"sqrt", Type::F32, false, false, kSingle, squareRoot<false>},
    {"sqrt", Type::F32, true, false, kSingleFtz, squareRoot<true>},
    {"rsqrt", Type::F32, false, false, kSingle, reciprocalRoot<false>},
    {"rsqrt", Type::F32, true, false, kSingleFtz, reciprocalRoot<true>},
    {"rsqrt", Type::F64, false, false, kDouble, reciprocalRoot64},
    {"rsqrt", Type::F64, true, false, kUpper, upperReciprocalRoot},
    {"sin", Type::F32, false, false, kSingleToOne, sine},
    {"sin", Type::F32, true, false, kSingleToOne, sine},
    {"cos", Type::F32, false, false, kSingleToOne, cosine},
    {"cos", Type::F32, true, false, kSingleToOne, cosine},
    {"lg2", Type::F32, false, false, kSingle, logarithm<false>},
    {"lg2", Type::F32, true, false, kSingleFtz, logarithm<true>},
    {"ex2", Type::F32, false, false, kSingle, exponential<false>},
    {"ex2", Type::F32, true, false, kSingleFtz, exponential<true>},
    {"ex2", Type::F16, false, false, kHalf, exponentialHalf},
    {"ex2", Type::BF16, true, false, kBfloat, exponentialBfloat},
    {"tanh", Type::F32, false, false, kSingleToOne, tangent},
    {"tanh", Type::F16, false, false, kHalfToOne, tangentHalf},
    {"tanh", Type::BF16, false, false, kBfloatToOne, tangentBfloat},
};

/// The neighbour that the seed chooses: the same for the same operands.
std::uint64_t moved(const Function& function, std::uint64_t seed, std::uint64_t a, std::uint64_t b,
                    std::uint64_t bits) {
  std::array<std::uint64_t, 4> key = {seed, static_cast<std::uint64_t>(&function - kFunctions), a, b};
  auto bytes = llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(key.data()), sizeof key);
  std::uint64_t neighbour = bits + (llvm::xxh3_64bits(bytes) % 3 - 1) * function.range.unit;
  return function.range.holds(neighbour) ? neighbour : bits;
}

std::uint64_t evaluate(Warp& w, const Function& function, std::uint64_t a, std::uint64_t b) {
  Approximation result = function.evaluate(a, b);
  if (result.exact || !function.range.holds(result.bits)) return result.bits;
  ++w.approximated;
  std::uint64_t seed = w.machine.options.approximationSeed;
  return seed ? moved(function, seed, a, b, result.bits) : result.bits;
}

/// option[0] = the function, option[1]: of both halves, option[2] = bits of an operand.
void run(Warp& w, const Op& op, LaneMask mask) {
  const Function& function = kFunctions[op.option[0]];
  Lanes s0, s1, out;
  const std::uint64_t* a = w.fetch(op.src[0], s0);
  const std::uint64_t* b = w.fetch(op.src[op.sources - 1], s1);
  std::uint64_t keep = (std::uint64_t{2} << (op.option[2] - 1)) - 1;
  for (unsigned i = 0; i < kLanes; ++i) {
    out.v[i] = 0;
    if (!(mask >> i & 1)) continue;
    out.v[i] = evaluate(w, function, a[i] & keep, op.sources == 2 ? b[i] & keep : 0);
    if (op.option[1]) out.v[i] |= evaluate(w, function, a[i] >> 16 & keep, 0) << 16;
  }
  w.write(op.dst[0], out.v, mask);
}

Type elementOf(Type type) {
  return type == Type::F16x2 ? Type::F16 : type == Type::BF16x2 ? Type::BF16 : type;
}

void bindApproximate(Binder& b) {
  bool full = b.instruction().opcode == "div" && b.take("full");
  if (!full && !b.take("approx")) return b.refuse();
  bool ftz = b.take("ftz");
  Type type = b.type(), element = elementOf(type);
  std::uint32_t place = 0;
  for (const Function& f : kFunctions) {
    if (f.name == b.instruction().opcode && f.type == element && f.ftz == ftz && f.full == full) break;
    ++place;
  }
  if (place == std::size(kFunctions)) return b.refuse();
  b.op.option[0] = place;
  b.op.option[1] = element != type;
  b.op.option[2] = bitsOf(element);
  b.destination(type);
  b.source(type);
  if (b.instruction().opcode == "div") b.source(type);
  b.op.run = run;
}

/// Approximate, if it says so, or rounded.
template <void (*Rounded)(Binder&)> void bindEither(Binder& b) {
  return b.has("approx") || b.has("full") ? bindApproximate(b) : Rounded(b);
}

constexpr OpcodeRow kRows[] = {
    {"cos", TypeClass::Real, bindApproximate},
    {"div", TypeClass::Real, bindEither<bindRoundedDivision>},
    {"ex2", TypeClass::Half, bindApproximate},
    {"ex2", TypeClass::Real, bindApproximate},
    {"lg2", TypeClass::Real, bindApproximate},
    {"rcp", TypeClass::Real, bindEither<bindRoundedReciprocal>},
    {"rsqrt", TypeClass::Real, bindApproximate},
    {"sin", TypeClass::Real, bindApproximate},
    {"sqrt", TypeClass::Real, bindEither<bindRoundedRoot>},
    {"tanh", TypeClass::Half, bindApproximate},
    {"tanh", TypeClass::Real, bindApproximate},
};

} // namespace

std::span<const OpcodeRow> approximateOpcodes() {
  return kRows;
}

} // namespace harness::ptx
