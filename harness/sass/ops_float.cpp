#include "harness/sass/float_compare.h"
#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"
#include "harness/sass/small_float.h"

#include <cmath>
#include <span>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

// ---- FADD FMUL FFMA

constexpr u32 kFtz = 1, kSaturate = 2;

// The operations. A type each, so that every form of an opcode is a loop of its own.
struct Add {
  float operator()(float a, float b) const { return a + b; }
};
struct Multiply {
  float operator()(float a, float b) const { return a * b; }
};
struct MultiplyAdd {
  float operator()(float a, float b, float c) const { return std::fma(a, b, c); }
};

Rounding roundingOf(const Op& op) {
  return static_cast<Rounding>(op.option[0]);
}

/// Takes the rounding into option[0]; the rest is the form: `.FTZ`, and `.SAT` where there is one.
u32 takeArithmeticModifiers(Binder& b, bool saturates = true) {
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  return (b.take("FTZ") ? kFtz : 0) | (saturates && b.take("SAT") ? kSaturate : 0);
}

u32 saturate(u32 bits) {
  float value = asFloat(bits);
  if (!(value > 0)) return 0; // NaN and -0 too
  return value > 1 ? asBits(1.0f) : bits;
}

/// A result as the instruction leaves it.
u32 finish(float value, u32 form) {
  u32 bits = canonical(asBits(value));
  if (form & kFtz) bits = flush(bits);
  if (form & kSaturate) bits = saturate(bits);
  return bits;
}

float enter(u32 bits, u32 form) {
  return asFloat(form & kFtz ? flush(bits) : bits);
}

template <typename F, u32 Form> void run2(Warp& w, const Op& op, LaneMask mask) {
  RoundingScope scope(roundingOf(op));
  map2(w, op, mask, [](u32 a, u32 b) { return finish(F{}(enter(a, Form), enter(b, Form)), Form); });
}

template <typename F, u32 Form> void run3(Warp& w, const Op& op, LaneMask mask) {
  RoundingScope scope(roundingOf(op));
  map3(w, op, mask,
       [](u32 a, u32 b, u32 c) { return finish(F{}(enter(a, Form), enter(b, Form), enter(c, Form)), Form); });
}

template <typename F>
constexpr OpFunction kRun2[] = {run2<F, 0>, run2<F, kFtz>, run2<F, kSaturate>, run2<F, kFtz | kSaturate>};
template <typename F>
constexpr OpFunction kRun3[] = {run3<F, 0>, run3<F, kFtz>, run3<F, kSaturate>, run3<F, kFtz | kSaturate>};

/// Takes the destination and `count` f32 sources.
void takeOperands(Binder& b, unsigned count) {
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, count))
    source = b.real();
}

void bindFadd(Binder& b) {
  u32 form = takeArithmeticModifiers(b);
  takeOperands(b, 2);
  b.op.run = kRun2<Add>[form];
}

/// A product times a power of two, that ptxas makes of two multiplications when the source leaves the
/// rounding open (`mul.f32`). Whether the product is rounded (and flushed) before it is scaled is not known;
/// an operand for which that matters ends the launch.
void runScaledProduct(Warp& w, const Op& op, LaneMask mask) {
  u32 form = op.option[1];
  float scale = asFloat(op.option[2]);
  Lanes s0, s1, out;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  for (unsigned i = 0; i < kLanes; ++i) {
    double product = double{enter(a[i], form)} * enter(b[i], form); // exact
    u32 once = finish(static_cast<float>(product * scale), form);
    u32 twice = finish(asFloat(finish(static_cast<float>(product), form & kFtz)) * scale, form);
    if (once != twice && (mask >> i & 1))
      unsupported("a scaled product whose value depends on when it is rounded");
    out.v[i] = once;
  }
  w.write(op.dst, out.v, mask);
}

void bindFmul(Binder& b) {
  static constexpr float kScales[] = {0.5f, 0.25f, 0.125f, 2, 4, 8};
  unsigned scale = b.choice({"D2", "D4", "D8", "M2", "M4", "M8"}, std::size(kScales));
  u32 form = takeArithmeticModifiers(b);
  takeOperands(b, 2);
  b.op.run = kRun2<Multiply>[form];
  if (scale == std::size(kScales)) return;
  if (roundingOf(b.op) != Rounding::Nearest) b.refuse(); // not met
  b.op.option[1] = form;
  b.op.option[2] = asBits(kScales[scale]);
  b.op.run = runScaledProduct;
}

void bindFfma(Binder& b) {
  u32 form = takeArithmeticModifiers(b);
  takeOperands(b, 3);
  b.op.run = kRun3<MultiplyAdd>[form];
}

// ---- FADD2 FMUL2 FFMA2: two results in a pair of registers

// How a packed source is read, three bits a source in option[2].
constexpr u32 kPair = 1;    ///< a pair of registers, otherwise one value for both results
constexpr u32 kSwapped = 2; ///< `.LO_HI`: the upper register for the lower result
constexpr u32 kFlipped = 4; ///< `.NP`: what the upper result reads is negated (once more)

constexpr Transform flipped(Transform transform) {
  switch (transform) {
  case Transform::None: return Transform::FloatNegate;
  case Transform::FloatNegate: return Transform::None;
  case Transform::FloatAbs: return Transform::FloatNegateAbs;
  case Transform::FloatNegateAbs: return Transform::FloatAbs;
  default: return transform;
  }
}

/// R4.F32 (one value), R4.F32x2.HI_LO (a pair), with '-', |…| and `.NP`; a number stands for both. Settled by
/// what ptxas 13.5.37 makes of add, sub, mul and fma.rn.f32x2 of vectors with one element negated, both, or
/// swapped: the sign belongs to the result's place, not to the register.
Source takePacked(Binder& b, u32& reading) {
  const TextOperand* operand = b.peek();
  if (!operand || operand->kind == OperandKind::Number) return b.real();
  b.any();
  bool isRegister = operand->kind == OperandKind::Register;
  if ((!isRegister && operand->kind != OperandKind::UniformRegister) || operand->inverted) b.refuse();
  Source source;
  source.kind = isRegister ? Source::Kind::Register : Source::Kind::Uniform;
  source.index = static_cast<std::uint8_t>(operand->index);
  if (operand->absolute) source.transform = Transform::FloatAbs;
  if (operand->negated) source.transform = flipped(source.transform);
  std::span<const std::string> suffixes = operand->suffixes;
  auto take = [&suffixes](std::string_view name) {
    bool found = !suffixes.empty() && suffixes.front() == name;
    if (found) suffixes = suffixes.subspan(1);
    return found;
  };
  if (take("F32x2")) {
    reading |= kPair;
    if (take("LO_HI"))
      reading |= kSwapped;
    else if (!take("HI_LO"))
      b.refuse();
    if (source.index != kZeroRegister && (source.index % 2 || source.index > 252)) b.refuse();
  } else if (!take("F32")) {
    b.refuse();
  }
  if (take("NP")) reading |= kFlipped;
  if (!suffixes.empty()) b.refuse();
  return source;
}

/// What the lower (0) or upper (1) result reads of a source.
Source elementOf(const Op& op, unsigned place, unsigned element) {
  Source source = op.src[place];
  u32 reading = op.option[2] >> (3 * place);
  if ((reading & kPair) && source.index != kZeroRegister)
    source.index = static_cast<std::uint8_t>(source.index + (element ^ (reading & kSwapped ? 1 : 0)));
  if (element && (reading & kFlipped)) source.transform = flipped(source.transform);
  return source;
}

template <typename F, unsigned Sources> void runPacked(Warp& w, const Op& op, LaneMask mask) {
  RoundingScope scope(roundingOf(op));
  u32 form = op.option[1];
  Lanes out[2];
  for (unsigned element = 0; element < 2; ++element) {
    Lanes scratch[3];
    const u32* in[3] = {};
    for (unsigned s = 0; s < Sources; ++s)
      in[s] = w.fetch(elementOf(op, s, element), scratch[s]);
    for (unsigned i = 0; i < kLanes; ++i) {
      float value = 0;
      if constexpr (Sources == 3)
        value = F{}(enter(in[0][i], form), enter(in[1][i], form), enter(in[2][i], form));
      else
        value = F{}(enter(in[0][i], form), enter(in[1][i], form));
      out[element].v[i] = finish(value, form);
    }
  }
  Destination low = op.dst, high = op.dst;
  if (high.index != kZeroRegister) ++high.index;
  w.write(low, out[0].v, mask);
  w.write(high, out[1].v, mask);
}

template <typename F, unsigned Sources> void bindPacked(Binder& b) {
  b.op.option[1] = takeArithmeticModifiers(b, false);
  b.op.dst = b.destination64();
  for (unsigned s = 0; s < Sources; ++s) {
    u32 reading = 0;
    b.op.src[s] = takePacked(b, reading);
    b.op.option[2] |= reading << (3 * s);
  }
  b.op.run = runPacked<F, Sources>;
}

// ---- minimum, maximum, select

// Forms of FMNMX beside kFtz.
constexpr u32 kPropagatesNan = 4; ///< `.NAN`: a NaN wins
constexpr u32 kXorSign = 8;       ///< `.XORSIGN`: of magnitudes; the sign is that of the product

/// -0 is less than +0. A NaN loses against a number, unless it propagates.
[[gnu::always_inline]] inline u32 minMaxFloat(u32 a, u32 b, bool minimum, u32 form) {
  bool aIsNan = (a & 0x7fffffffu) > 0x7f800000u, bIsNan = (b & 0x7fffffffu) > 0x7f800000u;
  auto order = [](u32 x) {
    auto bits = static_cast<std::int32_t>(x);
    return bits ^ (bits >> 31 & 0x7fffffff);
  };
  u32 number = (order(a) < order(b)) == minimum ? a : b;
  number = aIsNan ? b : number;
  number = bIsNan ? a : number;
  bool isNan = form & kPropagatesNan ? aIsNan | bIsNan : aIsNan & bIsNan;
  return isNan ? kCanonicalNan : number;
}

/// PTX min/max.xorsign.abs: the sign of a NaN is not touched.
u32 minMaxXorSign(u32 a, u32 b, bool minimum, u32 form) {
  u32 magnitude = minMaxFloat(a & 0x7fffffffu, b & 0x7fffffffu, minimum, form);
  return magnitude > 0x7f800000u ? magnitude : magnitude | ((a ^ b) & 0x80000000u);
}

u32 takeMinMaxModifiers(Binder& b) {
  return (b.take("FTZ") ? kFtz : 0) | (b.take("NAN") ? kPropagatesNan : 0) |
         (b.take("XORSIGN") ? kXorSign : 0);
}

template <u32 (*Pick)(u32, u32, bool, u32)> void runMinMax(Warp& w, const Op& op, LaneMask mask) {
  LaneMask minimum = w.fetch(op.psrc[0]);
  u32 form = op.option[0];
  Lanes s0, s1;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  writeLanes(w, op.dst, mask, [=](unsigned i) {
    return Pick(asBits(enter(a[i], form)), asBits(enter(b[i], form)), minimum >> i & 1, form);
  });
}

void bindFmnmx(Binder& b) {
  b.op.option[0] = takeMinMaxModifiers(b);
  takeOperands(b, 2);
  b.op.psrc[0] = b.predicate();
  if (b.op.option[0] & kXorSign)
    // The bars are printed, yet the signs count: they are read before.
    for (Source& source : std::span(b.op.src, 2)) {
      if (source.transform != Transform::FloatAbs) b.refuse();
      source.transform = Transform::None;
    }
  b.op.run = b.op.option[0] & kXorSign ? runMinMax<minMaxXorSign> : runMinMax<minMaxFloat>;
}

/// Of three; a NaN counts as in FMNMX.
void bindFmnmx3(Binder& b) {
  b.op.option[0] = takeMinMaxModifiers(b);
  if (b.op.option[0] & kXorSign) b.refuse(); // not met
  takeOperands(b, 3);
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask minimum = w.fetch(op.psrc[0]);
    u32 form = op.option[0];
    Lanes s0, s1, s2, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* c = w.fetch(op.src[1], s1);
    const u32* d = w.fetch(op.src[2], s2);
    for (unsigned i = 0; i < kLanes; ++i) {
      bool least = minimum >> i & 1;
      u32 first = minMaxFloat(asBits(enter(a[i], form)), asBits(enter(c[i], form)), least, form);
      out.v[i] = minMaxFloat(first, asBits(enter(d[i], form)), least, form);
    }
    w.write(op.dst, out.v, mask);
  };
}

void bindFsel(Binder& b) {
  b.op.option[0] = b.take("FTZ") ? kFtz : 0;
  takeOperands(b, 2);
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask first = w.fetch(op.psrc[0]);
    Lanes s0, s1, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* c = w.fetch(op.src[1], s1);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = asBits(enter((first >> i & 1) ? a[i] : c[i], op.option[0]));
    w.write(op.dst, out.v, mask);
  };
}

// ---- comparison

/// Takes comparison, `.AND/.OR/.XOR` and `.FTZ` into option[0…2].
void takeComparisonModifiers(Binder& b) {
  b.op.option[0] = takeFloatCompare(b);
  b.op.option[1] = static_cast<u32>(takeBoolOp(b));
  b.op.option[2] = b.take("FTZ") ? kFtz : 0;
}

LaneMask compare(Warp& w, const Op& op) {
  u32 trueFor = op.option[0], form = op.option[2];
  return test2(w, op, [trueFor, form](u32 a, u32 c) {
    return (relation(enter(a, form), enter(c, form)) & trueFor) != 0;
  });
}

void bindFsetp(Binder& b) {
  takeComparisonModifiers(b);
  b.op.pdst[0] = b.predicateDestination();
  b.op.pdst[1] = b.predicateDestination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    writeComparison(w, op, mask, compare(w, op), static_cast<BoolOp>(op.option[1]));
  };
}

/// FSET.BF: 1.0 or 0 in a register.
void bindFset(Binder& b) {
  if (!b.take("BF")) b.refuse();
  takeComparisonModifiers(b);
  takeOperands(b, 2);
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask holds = combine(static_cast<BoolOp>(op.option[1]), compare(w, op), w.fetch(op.psrc[0]));
    Lanes out;
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = (holds >> i & 1) ? asBits(1.0f) : 0;
    w.write(op.dst, out.v, mask);
  };
}

/// FCHK says whether a/b needs the slow path. Which operands the hardware calls difficult is not known; both
/// paths give the right quotient, so what is not comfortable takes the slow one: the fast one computes with
/// normal numbers and exact remainders alone when both exponents lie within ±60.
void bindFchk(Binder& b) {
  b.take("DIVIDE");
  b.op.pdst[0] = b.predicateDestination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    auto comfortable = [](u32 bits) {
      u32 exponent = bits >> 23 & 0xff;
      return exponent >= 67 && exponent <= 187;
    };
    LaneMask difficult = test2(w, op, [&](u32 a, u32 c) { return !comfortable(a) || !comfortable(c); });
    w.write(op.pdst[0], difficult, mask);
  };
}

// ---- FRND: to an integer in the same format

template <typename T> T toIntegral(T value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest: return std::nearbyint(value);
  case Rounding::Down: return std::floor(value);
  case Rounding::Up: return std::ceil(value);
  case Rounding::Zero: return std::trunc(value);
  }
  return value;
}

u32 integralFloat(u32 bits, Rounding rounding) {
  return canonical(asBits(toIntegral(asFloat(bits), rounding)));
}

/// The half is the low one; zeros above.
u32 integralHalf(u32 bits, Rounding rounding) {
  float value = toIntegral(halfToFloat(static_cast<std::uint16_t>(bits)), rounding);
  return narrow(value, kHalf, Rounding::Nearest);
}

u32 integralBfloat(u32 bits, Rounding rounding) {
  return integralFloat(bits << 16, rounding) >> 16;
}

void runFrnd64(Warp& w, const Op& op, LaneMask mask) {
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
  std::uint64_t value[kLanes];
  w.fetch64(op.src[0], value);
  for (std::uint64_t& v : value) {
    double x = std::bit_cast<double>(v);
    v = std::isnan(x) ? v | kQuiet : std::bit_cast<std::uint64_t>(toIntegral(x, roundingOf(op)));
  }
  w.write64(op.dst, value, mask);
}

template <u32 (*Round)(u32, Rounding)> void runFrnd(Warp& w, const Op& op, LaneMask mask) {
  Rounding rounding = roundingOf(op);
  bool ftz = op.option[1];
  map1(w, op, mask, [=](u32 a) { return Round(ftz ? flush(a) : a, rounding); });
}

void bindFrnd(Binder& b) {
  static constexpr OpFunction kRuns[] = {runFrnd<integralHalf>, runFrnd<integralBfloat>, runFrnd64,
                                         runFrnd<integralFloat>};
  constexpr unsigned kF64 = 2, kF32 = 3;
  unsigned format = b.choice({"F16", "BF16", "F64"}, kF32);
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  b.op.option[1] = b.take("FTZ");
  if (b.op.option[1] && format != kF32) b.refuse();
  b.op.dst = format == kF64 ? b.destination64() : b.destination();
  b.op.src[0] = format == kF64 ? b.real64() : b.real();
  // A sign or a number of 16 bits has not been met.
  if (format < kF64 &&
      (b.op.src[0].transform != Transform::None || b.op.src[0].kind == Source::Kind::Immediate))
    b.refuse();
  b.op.run = kRuns[format];
}

constexpr OpcodeRow kRows[] = {
    {"FADD", bindFadd},
    {"UFADD", uniform<bindFadd>},
    {"FMUL", bindFmul},
    {"UFMUL", uniform<bindFmul>},
    {"FFMA", bindFfma},
    {"UFFMA", uniform<bindFfma>},
    {"FADD2", bindPacked<Add, 2>},
    {"FMUL2", bindPacked<Multiply, 2>},
    {"FFMA2", bindPacked<MultiplyAdd, 3>},
    {"FMNMX", bindFmnmx},
    {"UFMNMX", uniform<bindFmnmx>},
    {"FMNMX3", bindFmnmx3},
    {"FSEL", bindFsel},
    {"UFSEL", uniform<bindFsel>},
    {"FSETP", bindFsetp},
    {"UFSETP", uniform<bindFsetp>},
    {"FSET", bindFset},
    {"UFSET", uniform<bindFset>},
    {"FCHK", bindFchk},
    {"FRND", bindFrnd},
    {"UFRND", uniform<bindFrnd>},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::floatOpcodes() {
  return kRows;
}

} // namespace harness::sass
