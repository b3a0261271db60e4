#include "harness/sass/float_compare.h"
#include "harness/sass/lanes.h"
#include "harness/sass/small_float.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace harness::sass {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

// What an operation sees of a packed source, in option[0…2].
constexpr u32 kLowTwice = 1, kHighTwice = 2, kNegate = 4, kAbsolute = 8, kIsFloat = 16;

// How it computes, in option[3].
constexpr u32 kBf16 = 1, kFtz = 2, kSaturate = 4, kRelu = 8, kNan = 16, kXorSign = 32, kOneOrZero = 64;
// Of comparisons, above these bits.
constexpr unsigned kCompareShift = 8, kBoolOpShift = 16;

const SmallFloat& formatOf(u32 form) {
  return form & kBf16 ? kBfloat : kHalf;
}

/// Two numbers, whose bits stand in the encoding.
Source takePackedNumbers(Binder& b) {
  for (unsigned i = 0; i < 2; ++i)
    if (const TextOperand* number = b.any(); !number || number->kind != OperandKind::Number) b.refuse();
  Source source;
  source.immediate = b.encoding().low >> 32;
  return source;
}

/// A packed source: register or constant with `.H0_H0`, `.H1_H1`, signs and bars, or two numbers.
Source takePacked(Binder& b, u32& option) {
  if (const TextOperand* operand = b.peek(); operand && operand->kind == OperandKind::Number)
    return takePackedNumbers(b);
  Binder::Part part = b.part();
  option = (part.negated ? kNegate : 0) | (part.absolute ? kAbsolute : 0);
  if (part.suffix == "H0_H0")
    option |= kLowTwice;
  else if (part.suffix == "H1_H1")
    option |= kHighTwice;
  else if (part.suffix == "F32")
    option |= kIsFloat;
  else if (!part.suffix.empty())
    b.refuse();
  return part.source;
}

bool isZeroRegister(const Source& source) {
  return (source.kind == Source::Kind::Register || source.kind == Source::Kind::Uniform) &&
         source.index == kZeroRegister;
}

u32 see(u32 packed, u32 option) {
  if (option & kLowTwice) packed = (packed & 0xffff) * 0x10001u;
  if (option & kHighTwice) packed = (packed >> 16) * 0x10001u;
  if (option & kAbsolute) packed &= 0x7fff7fffu;
  if (option & kNegate) packed ^= 0x80008000u;
  return packed;
}

u16 flushHalf(u16 bits) {
  return bits & 0x7c00 ? bits : bits & 0x8000;
}

u16 flushIf(u16 bits, u32 form) {
  return form & kFtz ? flushHalf(bits) : bits;
}

float valueOf(u16 bits, u32 form) {
  if (form & kBf16) return asFloat(u32{bits} << 16);
  return halfToFloat(flushIf(bits, form));
}

/// Saturation makes a NaN +0 (PTX ISA, add.sat); relu keeps it.
u16 finish(double value, u32 form) {
  if ((form & kSaturate) && !(value > 0)) return 0;
  if ((form & kSaturate) && value > 1) value = 1;
  u16 bits = flushIf(static_cast<u16>(narrow(value, formatOf(form), Rounding::Nearest)), form);
  return (form & kRelu) && (bits & 0x8000) ? 0 : bits;
}

/// Both halves of the result from those of the sources: f(a, b) on 16 bits.
template <typename F> u32 onHalves(u32 a, u32 b, F f) {
  u32 low = f(static_cast<u16>(a), static_cast<u16>(b));
  return low | u32{f(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16))} << 16;
}

u32 takeArithmeticModifiers(Binder& b) {
  u32 form = (b.take("BF16_V2") ? kBf16 : 0) | (b.take("FTZ") ? kFtz : 0) | (b.take("SAT") ? kSaturate : 0);
  if ((form & kBf16) && form != kBf16) b.refuse(); // not met
  return form;
}

void takeTwoSources(Binder& b) {
  b.op.src[0] = takePacked(b, b.op.option[0]);
  b.op.src[1] = takePacked(b, b.op.option[1]);
}

template <typename F> void packed2(Warp& w, const Op& op, LaneMask mask, F f) {
  u32 form = op.option[3];
  map2(w, op, mask, [&op, form, f](u32 a, u32 b) {
    return onHalves(see(a, op.option[0]), see(b, op.option[1]),
                    [form, f](u16 x, u16 y) { return finish(f(valueOf(x, form), valueOf(y, form)), form); });
  });
}

// ---- HADD2 HMUL2 HFMA2

/// A result of halves as an f32. ptxas for sm_75 writes HADD2.F32 and HMUL2.F32 for an operation in f16 whose
/// result is then widened, so they would round to a half in between; that they do is not proven.
u32 widened(float result, u32 form) {
  if (form & kSaturate) result = result > 0 ? std::min(result, 1.0f) : 0;
  bool isHalf =
      result != result || halfToFloat(static_cast<u16>(narrow(result, kHalf, Rounding::Nearest))) == result;
  if (!isHalf) unsupported("HADD2.F32 or HMUL2.F32 with a result that is no half");
  return canonical(asBits(result));
}

/// HADD2.F32, HMUL2.F32: f of one half of each as an f32. Mostly it is a sum with zero, to widen a half.
template <typename F> void bindWidened(Binder& b, F) {
  b.op.option[3] = b.take("SAT") ? kSaturate : 0;
  b.op.dst = b.destination();
  takeTwoSources(b);
  for (unsigned i = 0; i < 2; ++i) { // which half of two different ones is meant is not known
    const Source& source = b.op.src[i];
    auto number = static_cast<u32>(source.immediate);
    bool isNumber = source.kind == Source::Kind::Immediate && number >> 16 == (number & 0xffff);
    if (!(b.op.option[i] & (kLowTwice | kHighTwice)) && !isZeroRegister(source) && !isNumber) b.refuse();
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes s0, s1, out{};
    const u32* x = w.fetch(op.src[0], s0);
    const u32* y = w.fetch(op.src[1], s1);
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      out.v[lane] = widened(F()(halfToFloat(static_cast<u16>(see(x[lane], op.option[0]))),
                                halfToFloat(static_cast<u16>(see(y[lane], op.option[1])))),
                            op.option[3]);
    }
    w.write(op.dst, out.v, mask);
  };
}

/// HADD2 R, -RZ, c[…].F32 and HADD2 R, R….F32, -RZ (sm_75): an f32 as a half, in both halves. It is rounded
/// towards zero: ptxas writes this for cvt.rz.f16.f32, and never for the other roundings, for which it takes
/// F2F.
void bindHadd2OfFloat(Binder& b) {
  unsigned place = b.op.option[0] == kIsFloat ? 0 : 1, other = 1 - place;
  if (b.op.option[place] != kIsFloat || !isZeroRegister(b.op.src[other]) || !(b.op.option[other] & kNegate) ||
      (b.op.option[3] & ~kSaturate))
    b.refuse();
  b.op.src[0] = b.op.src[place];
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map1(w, op, mask, [&op](u32 single) {
      auto truncated = static_cast<u16>(narrow(asFloat(single), kHalf, Rounding::Zero));
      return finish(halfToFloat(truncated), op.option[3]) * 0x10001u;
    });
  };
}

void bindHadd2(Binder& b) {
  if (b.take("F32")) return bindWidened(b, std::plus<float>());
  b.op.option[3] = takeArithmeticModifiers(b);
  b.op.dst = b.destination();
  takeTwoSources(b);
  if ((b.op.option[0] | b.op.option[1]) & kIsFloat) {
    bindHadd2OfFloat(b);
    return;
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    packed2(w, op, mask, [](double x, double y) { return addToOdd(x, y); });
  };
}

void refuseFloats(Binder& b) {
  for (unsigned i = 0; i < 3; ++i)
    if (b.op.option[i] & kIsFloat) b.refuse();
}

void bindHmul2(Binder& b) {
  if (b.take("F32")) return bindWidened(b, std::multiplies<float>());
  b.op.option[3] = takeArithmeticModifiers(b);
  b.op.dst = b.destination();
  takeTwoSources(b);
  refuseFloats(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    packed2(w, op, mask, [](double x, double y) { return x * y; }); // the product is exact
  };
}

u32 fma2(const Op& op, u32 a, u32 b, u32 c) {
  a = see(a, op.option[0]);
  b = see(b, op.option[1]);
  c = see(c, op.option[2]);
  u32 form = op.option[3];
  auto fma = [&](unsigned shift) {
    auto value = [&](u32 packed) { return valueOf(static_cast<u16>(packed >> shift), form); };
    double product = static_cast<double>(value(a)) * value(b); // exact
    return u32{finish(addToOdd(product, value(c)), form)} << shift;
  };
  return fma(0) | fma(16);
}

/// `.OOB` is refused: which NaN it looks for is not known.
void bindHfma2(Binder& b) {
  b.take("MMA"); // which unit does it
  bool relu = b.take("RELU");
  b.op.option[3] = takeArithmeticModifiers(b) | (relu ? kRelu : 0);
  b.op.dst = b.destination();
  takeTwoSources(b);
  b.op.src[2] = takePacked(b, b.op.option[2]);
  refuseFloats(b);
  if (isZeroRegister(b.op.src[0]) && isZeroRegister(b.op.src[1]) &&
      b.op.src[2].kind == Source::Kind::Immediate) {
    // Compilers load constants so.
    b.op.src[0] = Source{};
    b.op.src[0].immediate = fma2(b.op, 0, 0, static_cast<u32>(b.op.src[2].immediate));
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) { map1(w, op, mask, [](u32 a) { return a; }); };
    return;
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map3(w, op, mask, [&op](u32 a, u32 x, u32 c) { return fma2(op, a, x, c); });
  };
}

// ---- HMNMX2

/// A NaN loses against a number, except with `.NAN`; -0 is less than +0. With `.XORSIGN` the magnitudes are
/// compared and the result has the product's sign, unless it is a NaN (PTX ISA, min).
u16 minMaxHalf(u16 a, u16 b, bool minimum, u32 form) {
  u16 sign = (a ^ b) & 0x8000;
  if (form & kXorSign) {
    a &= 0x7fff;
    b &= 0x7fff;
  }
  a = flushIf(a, form);
  b = flushIf(b, form);
  auto isNan = [&](u16 x) { return (x & 0x7fffu) > formatOf(form).infinity; };
  auto order = [](u16 x) { return x & 0x8000 ? -(x & 0x7fff) - 1 : int{x}; };
  u16 chosen = (order(a) < order(b)) == minimum ? a : b;
  if (isNan(a) || isNan(b)) {
    if ((form & kNan) || (isNan(a) && isNan(b))) return static_cast<u16>(kHalf.nan);
    chosen = isNan(a) ? b : a;
  }
  return form & kXorSign ? (chosen & 0x7fff) | sign : chosen;
}

void bindHmnmx2(Binder& b) {
  u32 form = takeArithmeticModifiers(b);
  if (form & kSaturate) b.refuse();
  form |= (b.take("NAN") ? kNan : 0) | (b.take("XORSIGN") ? kXorSign : 0);
  b.op.option[3] = form;
  b.op.dst = b.destination();
  takeTwoSources(b);
  refuseFloats(b);
  if (form & kXorSign)
    for (unsigned i = 0; i < 2; ++i) {
      // Bars are printed, and the signs before them count.
      if (!(b.op.option[i] & kAbsolute) || (b.op.option[i] & kNegate)) b.refuse();
      b.op.option[i] &= ~kAbsolute;
    }
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask minimum = w.fetch(op.psrc[0]);
    Lanes s0, s1, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* c = w.fetch(op.src[1], s1);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = onHalves(see(a[i], op.option[0]), see(c[i], op.option[1]),
                          [&](u16 x, u16 y) { return minMaxHalf(x, y, minimum >> i & 1, op.option[3]); });
    w.write(op.dst, out.v, mask);
  };
}

// ---- HSETP2 HSET2

void takeComparison(Binder& b) {
  u32 form = takeArithmeticModifiers(b);
  if (form & kSaturate) b.refuse();
  u32 trueFor = takeFloatCompare(b);
  auto boolOp = static_cast<u32>(takeBoolOp(b));
  b.op.option[3] = form | trueFor << kCompareShift | boolOp << kBoolOpShift;
}

/// Of which lanes each half fulfils comparison and predicate.
struct HalfLanes {
  LaneMask low, high;
};
HalfLanes compare(Warp& w, const Op& op) {
  u32 form = op.option[3], trueFor = form >> kCompareShift & 0xf;
  auto boolOp = static_cast<BoolOp>(form >> kBoolOpShift);
  LaneMask with = w.fetch(op.psrc[0]);
  auto holds = [&](unsigned shift) {
    LaneMask lanes = test2(w, op, [&](u32 a, u32 b) {
      auto value = [&](u32 bits, u32 option) {
        return valueOf(static_cast<u16>(see(bits, option) >> shift), form);
      };
      return (relation(value(a, op.option[0]), value(b, op.option[1])) & trueFor) != 0;
    });
    return combine(boolOp, lanes, with);
  };
  return {holds(0), holds(16)};
}

/// The first predicate is that of the low halves, the second that of the high ones (PTX ISA, setp.f16x2).
void bindHsetp2(Binder& b) {
  takeComparison(b);
  b.op.pdst[0] = b.predicateDestination();
  b.op.pdst[1] = b.predicateDestination();
  takeTwoSources(b);
  refuseFloats(b);
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    HalfLanes holds = compare(w, op);
    w.write(op.pdst[0], holds.low, mask);
    w.write(op.pdst[1], holds.high, mask);
  };
}

/// True is 0xffff, with `.BF` one of the format.
void bindHset2(Binder& b) {
  bool oneOrZero = b.take("BF");
  takeComparison(b);
  if (oneOrZero) b.op.option[3] |= kOneOrZero;
  b.op.dst = b.destination();
  takeTwoSources(b);
  refuseFloats(b);
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 form = op.option[3];
    u32 yes = !(form & kOneOrZero) ? 0xffff : form & kBf16 ? 0x3f80 : 0x3c00;
    HalfLanes holds = compare(w, op);
    Lanes out;
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = (holds.low >> i & 1 ? yes : 0) | (holds.high >> i & 1 ? yes << 16 : 0);
    w.write(op.dst, out.v, mask);
  };
}

// ---- FHADD FHFMA: halves added to an f32 (sm_100+)

/// A half: the low one of its register, or `.H1`.
Source takeHalf(Binder& b, u32& option) {
  Binder::Part part = b.part();
  option = (part.suffix == "H1" ? kHighTwice : kLowTwice) | (part.negated ? kNegate : 0) |
           (part.absolute ? kAbsolute : 0);
  if (!part.suffix.empty() && part.suffix != "H1") b.refuse();
  return part.source;
}

/// The rounding stands above the other bits of the form.
void takeMixedModifiers(Binder& b) {
  u32 form = (b.take("BF16") ? kBf16 : 0) | (b.take("SAT") ? kSaturate : 0);
  b.op.option[3] = form | static_cast<u32>(takeRounding(b)) << kCompareShift;
}

double halfOf(u32 bits, u32 option, u32 form) {
  return valueOf(static_cast<u16>(see(bits, option)), form);
}

u32 addMixed(double halves, u32 single, u32 form) {
  auto rounding = static_cast<Rounding>(form >> kCompareShift);
  double sum = addToOdd(halves, asFloat(single), rounding);
  if (form & kSaturate) sum = sum > 0 ? std::min(sum, 1.0) : 0;
  return narrow(sum, kFloat, rounding);
}

void bindFhadd(Binder& b) {
  takeMixedModifiers(b);
  b.op.dst = b.destination();
  b.op.src[0] = takeHalf(b, b.op.option[0]);
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 form = op.option[3];
    map2(w, op, mask, [&op, form](u32 a, u32 c) { return addMixed(halfOf(a, op.option[0], form), c, form); });
  };
}

void bindFhfma(Binder& b) {
  takeMixedModifiers(b);
  b.op.dst = b.destination();
  b.op.src[0] = takeHalf(b, b.op.option[0]);
  b.op.src[1] = takeHalf(b, b.op.option[1]);
  b.op.src[2] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 form = op.option[3];
    map3(w, op, mask, [&op, form](u32 a, u32 x, u32 c) {
      return addMixed(halfOf(a, op.option[0], form) * halfOf(x, op.option[1], form), c, form);
    });
  };
}

constexpr OpcodeRow kRows[] = {
    {"HADD2", bindHadd2},   {"HMUL2", bindHmul2}, {"HFMA2", bindHfma2}, {"HMNMX2", bindHmnmx2},
    {"HSETP2", bindHsetp2}, {"HSET2", bindHset2}, {"FHADD", bindFhadd}, {"FHFMA", bindFhfma},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::halfOpcodes() {
  return kRows;
}

} // namespace harness::sass
