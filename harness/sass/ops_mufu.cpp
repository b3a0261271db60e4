// MUFU: approximate functions. No bit-exact model of the hardware's tables is public, so each result is a
// stand-in: rounded correctly, subnormals flushed as the functions do. What is certain to be the hardware's
// value is `exact`; the rest is counted, and moved by an ulp when the execution asks for it, so that an
// answer that hangs on an approximation can be told from a wrong one.

#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"
#include "harness/sass/small_float.h"

#include <llvm/Support/xxhash.h>

#include <array>
#include <cmath>

namespace harness::sass {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A stand-in. Special values and results that are powers of two (or integers, of LG2) because the argument
/// is one are exact: there the hardware's interpolation starts [known of RCP; assumed of the others].
struct Approximation {
  u32 bits;
  bool exact;
};

constexpr u32 kOne = 0x3f800000;

bool isPowerOfTwo(u32 bits) {
  return (bits & 0x7fffff) == 0 && (bits & 0x7f800000) != 0 && (bits & 0x7f800000) != 0x7f800000;
}

/// Neither zero, infinite nor NaN, and not below the normal numbers.
bool isNormal(u32 bits) {
  u32 exponent = bits & 0x7f800000;
  return exponent != 0 && exponent != 0x7f800000;
}

/// f(x) rounded once to T. Double precision decides unless its error of a few ulp reaches across the middle
/// between two results; then long double does, 11 bits more on x86-64.
template <typename F> float roundedOnce(F f, double x) {
  constexpr double kMargin = 0x1p-49;
  double y = f(x);
  auto low = static_cast<float>(y * (1 - kMargin)), high = static_cast<float>(y * (1 + kMargin));
  return asBits(low) == asBits(high) ? low : static_cast<float>(f(static_cast<long double>(x)));
}

/// The result of f at a flushed argument, flushed.
template <typename F> u32 flushedResult(F f, u32 x) {
  return flush(canonical(asBits(roundedOnce(f, asFloat(x)))));
}

// ---- f32

Approximation reciprocal(u32 bits) {
  u32 x = flush(bits), y = flushedResult([](auto v) { return 1 / v; }, x);
  return {y, isPowerOfTwo(x)};
}

Approximation reciprocalRoot(u32 bits) {
  u32 x = flush(bits), y = flushedResult([](auto v) { return 1 / std::sqrt(v); }, x);
  return {y, isPowerOfTwo(x) && isPowerOfTwo(y)};
}

Approximation squareRoot(u32 bits) {
  u32 x = flush(bits), y = flushedResult([](auto v) { return std::sqrt(v); }, x);
  return {y, isPowerOfTwo(x) && isPowerOfTwo(y)};
}

Approximation exponential(u32 bits) {
  u32 x = flush(bits), y = flushedResult([](auto v) { return std::exp2(v); }, x);
  return {y, std::trunc(asFloat(x)) == asFloat(x)};
}

Approximation logarithm(u32 bits) {
  u32 x = flush(bits), y = flushedResult([](auto v) { return std::log2(v); }, x);
  return {y, isPowerOfTwo(x)};
}

/// sin(2πa) for 0 ≤ a ≤ 1/8, or the cosine.
template <typename T> T octant(T a, bool cosine) {
  constexpr auto kTurn = static_cast<T>(6.283185307179586476925286766559005768L);
  return cosine ? std::cos(kTurn * a) : std::sin(kTurn * a);
}

/// SIN and COS count in turns (ptxas multiplies by 1/2π before). The argument's distance from an integer is
/// exact, and so is what remains of it within an octant.
Approximation turn(u32 bits, bool cosine) {
  u32 x = flush(bits);
  if ((x & 0x7f800000) == 0x7f800000) return {kCanonicalNan, true};
  double value = asFloat(x), part = std::fabs(value - std::nearbyint(value)); // 0 … 1/2
  double quarters = 4 * value;
  bool exact = std::trunc(quarters) == quarters;
  auto f = [part, cosine]<typename T>(T) {
    T a = part;
    if (part <= 0.125) return octant(a, cosine);
    if (part >= 0.375) return cosine ? -octant(T{0.5} - a, true) : octant(T{0.5} - a, false);
    T fromQuarter = octant(std::fabs(T{0.25} - a), !cosine);
    return cosine && part > 0.25 ? -fromQuarter : fromQuarter;
  };
  u32 y = flush(asBits(roundedOnce(f, value)));
  if (cosine) return {y, exact};
  bool below = value - std::floor(value) > 0.5 || (y == 0 && (x >> 31)); // a zero has its argument's sign
  return {below ? y | 0x80000000u : y, exact};
}

Approximation sine(u32 bits) {
  return turn(bits, false);
}
Approximation cosine(u32 bits) {
  return turn(bits, true);
}

/// A subnormal is its own tangent (PTX ISA).
Approximation hyperbolicTangent(u32 bits) {
  if (flush(bits) != bits) return {bits, true};
  u32 y = canonical(asBits(roundedOnce([](auto v) { return std::tanh(v); }, asFloat(bits))));
  return {y, !isNormal(bits)};
}

// ---- the upper word of an f64

double fromUpper(u32 bits) {
  u64 wide = (bits & 0x7ff00000) ? u64{bits} << 32 : u64{bits & 0x80000000} << 32;
  return std::bit_cast<double>(wide);
}

/// Rounded to the upper word; the argument's lower word counts as zero. PTX ISA (rcp and
/// rsqrt.approx.ftz.f64): subnormals are flushed, a NaN becomes canonical.
u32 toUpper(double value) {
  if (std::isnan(value)) return kCanonicalNan;
  u64 bits = std::bit_cast<u64>(value);
  u64 half = 0x7fffffff + (bits >> 32 & 1);
  auto upper = static_cast<u32>((std::isinf(value) ? bits : bits + half) >> 32);
  return (upper & 0x7ff00000) ? upper : upper & 0x80000000;
}

bool isPowerOfTwo64(u32 upper) {
  return (upper & 0xfffff) == 0 && (upper & 0x7ff00000) != 0 && (upper & 0x7ff00000) != 0x7ff00000;
}

Approximation reciprocal64(u32 bits) {
  return {toUpper(1 / fromUpper(bits)), isPowerOfTwo64(bits)};
}

Approximation reciprocalRoot64(u32 bits) {
  u32 y = toUpper(1 / std::sqrt(fromUpper(bits)));
  return {y, isPowerOfTwo64(bits) && isPowerOfTwo64(y)};
}

// ---- f16 and bf16; the result in the low half, zeros above

/// Rounded so that a second rounding to fewer bits comes out as one.
float roundedToOdd(double value) {
  auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value || std::isnan(value) || std::isinf(rounded)) return rounded;
  u32 bits = asBits(rounded);
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(value)) --bits;
  return asFloat(bits | 1);
}

u32 toBfloat(float value) {
  u32 bits = asBits(value);
  if (std::isnan(value)) return 0x7fff;
  return std::isinf(value) ? bits >> 16 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

Approximation exponentialHalf(u32 bits) {
  float x = halfToFloat(static_cast<u16>(bits));
  u32 y = narrow(roundedToOdd(std::exp2(double{x})), kHalf, Rounding::Nearest);
  return {y, std::trunc(x) == x};
}

Approximation tangentHalf(u32 bits) {
  float x = halfToFloat(static_cast<u16>(bits));
  u32 y = narrow(roundedToOdd(std::tanh(double{x})), kHalf, Rounding::Nearest);
  return {(bits & 0x7c00) ? y : bits & 0xffff, (bits & 0x7c00) == 0};
}

Approximation exponentialBfloat(u32 bits) {
  u32 x = flush(bits << 16), y = toBfloat(roundedToOdd(std::exp2(double{asFloat(x)})));
  return {flush(y << 16) >> 16, std::trunc(asFloat(x)) == asFloat(x)};
}

Approximation tangentBfloat(u32 bits) {
  u32 x = bits << 16, y = toBfloat(roundedToOdd(std::tanh(double{asFloat(x)})));
  return flush(x) == x ? Approximation{y, !isNormal(x)} : Approximation{x >> 16, true};
}

// ---- what the hardware may give instead

/// rcp.rn, .rm, .rp and .rz are RCP and one Newton step, the last operation rounded as asked, without a
/// correction; PTX documents them as correctly rounded. So the hardware's RCP gives nothing from which that
/// step goes astray, as an ulp above or below does for a few mantissas (to nearest: 32 of the 2^23 above, all
/// ones below).
bool reciprocalMayBe(u32 argument, u32 exact, u32 moved) {
  // The same for every exponent: 1 ≤ x < 2, in units of 2^-23; y in units of 2^-24.
  float x = asFloat((argument & 0x7fffff) | kOne);
  float y = asFloat(asBits(static_cast<float>(1 / double{x})) + moved - exact);
  auto error = static_cast<std::int64_t>(-std::fma(x, y, -1.0f) * 0x1p47f);
  auto wide = static_cast<unsigned __int128>(y * 0x1p24f) * static_cast<u64>((std::int64_t{1} << 47) + error);
  // Whatever the rounding: y + y·error lies between the same two of all floats and their middles as 1/x.
  constexpr u64 kHalfUlp = u64{1} << 46;
  return static_cast<u64>(wide / kHalfUlp) == (u64{1} << 48) / static_cast<u64>(x * 0x1p23f) &&
         wide % kHalfUlp != 0;
}

/// Sine, cosine and tangent do not leave [-1, 1].
template <u32 One, u32 Magnitude = 0x7fffffff> bool withinOne(u32, u32, u32 moved) {
  return (moved & Magnitude) <= One;
}

bool anywhere(u32, u32, u32) {
  return true;
}

// ---- the instruction

/// Magnitudes of a format between which results are approximate; beyond are zero, infinity, NaN.
struct Format {
  std::string_view name;
  u32 magnitude, smallest, largest;

  bool holds(u32 bits) const { return (bits & magnitude) >= smallest && (bits & magnitude) <= largest; }
};

constexpr Format kSingle = {"", 0x7fffffff, 0x00800000, 0x7f7fffff};
constexpr Format kUpper = {"", 0x7fffffff, 0x00100000, 0x7fefffff};
constexpr Format kHalf = {"F16", 0x7fff, 1, 0x7bff};
constexpr Format kBfloat = {"BF16", 0x7fff, 0x80, 0x7f7f};

struct Function {
  std::string_view name;
  Format format;
  Approximation (*evaluate)(u32);
  /// Whether the hardware may give `moved` where the stand-in is `exact`.
  bool (*mayBe)(u32 argument, u32 exact, u32 moved);
};

constexpr Function kFunctions[] = {
    {"RCP", kSingle, reciprocal, reciprocalMayBe},
    {"RSQ", kSingle, reciprocalRoot, anywhere},
    {"SQRT", kSingle, squareRoot, anywhere},
    {"EX2", kSingle, exponential, anywhere},
    {"LG2", kSingle, logarithm, anywhere},
    {"SIN", kSingle, sine, withinOne<kOne>},
    {"COS", kSingle, cosine, withinOne<kOne>},
    {"TANH", kSingle, hyperbolicTangent, withinOne<kOne>},
    {"RCP64H", kUpper, reciprocal64, anywhere},
    {"RSQ64H", kUpper, reciprocalRoot64, anywhere},
    {"EX2", kHalf, exponentialHalf, anywhere},
    {"TANH", kHalf, tangentHalf, withinOne<0x3c00, 0x7fff>},
    {"EX2", kBfloat, exponentialBfloat, anywhere},
    {"TANH", kBfloat, tangentBfloat, withinOne<0x3f80, 0x7fff>},
};

/// -1, 0 or +1 ulp, for each lane of each execution of the instruction.
u32 stepOf(const Warp& w, const Op& op, unsigned lane) {
  const auto& block = w.block.index;
  const auto& grid = w.machine.launch.grid;
  std::array<u64, 6> key = {w.machine.options.approximationSeed,
                            block[0] + u64{grid[0]} * (block[1] + u64{grid[1]} * block[2]),
                            w.index,
                            lane,
                            u64{op.line} * 16,
                            w.approximated};
  auto bytes = llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(key.data()), sizeof key);
  return static_cast<u32>(llvm::xxh3_64bits(bytes) % 3) - 1;
}

u32 moved(const Function& function, u32 argument, u32 bits, u32 step) {
  u32 neighbour = bits + step;
  return function.format.holds(neighbour) && function.mayBe(argument, bits, neighbour) ? neighbour : bits;
}

void runMufu(Warp& w, const Op& op, LaneMask mask) {
  const Function& function = kFunctions[op.option[0]];
  bool moves = w.machine.options.approximationSeed != 0;
  Lanes s0, out;
  const u32* a = w.fetch(op.src[0], s0);
  for (unsigned i = 0; i < kLanes; ++i) {
    out.v[i] = 0;
    if (!(mask >> i & 1)) continue;
    u32 argument = a[i] >> op.option[1];
    Approximation result = function.evaluate(argument);
    out.v[i] = result.bits;
    if (result.exact || !function.format.holds(result.bits)) continue;
    ++w.block.approximations;
    if (moves) out.v[i] = moved(function, argument, result.bits, stepOf(w, op, i));
  }
  ++w.approximated;
  w.write(op.dst, out.v, mask);
}

/// R4, or R4.H1 for the upper half; option[1] is the shift.
Source takeHalf(Binder& b) {
  const TextOperand* operand = b.peek();
  if (!operand || operand->suffixes != std::vector<std::string>{"H1"}) {
    Source source = b.real();
    if (source.kind != Source::Kind::Register || source.transform != Transform::None) b.refuse();
    return source;
  }
  b.any();
  if (operand->kind != OperandKind::Register || operand->negated || operand->inverted || operand->absolute)
    b.refuse();
  b.op.option[1] = 16;
  Source source;
  source.kind = Source::Kind::Register;
  source.index = static_cast<std::uint8_t>(operand->index);
  return source;
}

void bindMufu(Binder& b) {
  std::string name = b.nextModifier();
  std::string_view format = b.take("F16") ? kHalf.name : b.take("BF16") ? kBfloat.name : "";
  u32 place = 0;
  while (place < std::size(kFunctions) &&
         (kFunctions[place].name != name || kFunctions[place].format.name != format))
    ++place;
  if (place == std::size(kFunctions)) {
    b.refuse();
    return;
  }
  b.op.option[0] = place;
  b.op.dst = b.destination();
  b.op.src[0] = format.empty() ? b.real() : takeHalf(b);
  b.op.run = runMufu;
}

constexpr OpcodeRow kRows[] = {{"MUFU", bindMufu}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::mufuOpcodes() {
  return kRows;
}

} // namespace harness::sass
