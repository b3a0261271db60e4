#include "harness/sass/float_compare.h"
#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"

#include <cmath>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

template <void (*Bind)(Binder&)> void uniform(Binder& b) {
  b.op.uniform = true;
  Bind(b);
}

// ---- FADD FMUL FFMA

constexpr u32 kFtz = 1, kSaturate = 2;

/// Takes `.FTZ .SAT` and the rounding into option[0] and option[1].
void takeArithmeticModifiers(Binder& b) {
  b.op.option[0] = (b.take("FTZ") ? kFtz : 0) | (b.take("SAT") ? kSaturate : 0);
  b.op.option[1] = static_cast<u32>(takeRounding(b));
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

u32 enter(u32 bits, u32 form) {
  return form & kFtz ? flush(bits) : bits;
}

template <typename F> void arithmetic2(Warp& w, const Op& op, LaneMask mask, F f) {
  RoundingScope scope(static_cast<Rounding>(op.option[1]));
  u32 form = op.option[0];
  map2(w, op, mask,
       [form, f](u32 a, u32 b) { return finish(f(asFloat(enter(a, form)), asFloat(enter(b, form))), form); });
}

void bindFadd(Binder& b) {
  takeArithmeticModifiers(b);
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    arithmetic2(w, op, mask, [](float a, float c) { return a + c; });
  };
}

void bindFmul(Binder& b) {
  takeArithmeticModifiers(b);
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    arithmetic2(w, op, mask, [](float a, float c) { return a * c; });
  };
}

void bindFfma(Binder& b) {
  takeArithmeticModifiers(b);
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    RoundingScope scope(static_cast<Rounding>(op.option[1]));
    u32 form = op.option[0];
    map3(w, op, mask, [form](u32 a, u32 x, u32 c) {
      return finish(std::fma(asFloat(enter(a, form)), asFloat(enter(x, form)), asFloat(enter(c, form))),
                    form);
    });
  };
}

// ---- minimum, maximum, select

/// A NaN loses against a number; -0 is less than +0.
u32 minMaxFloat(u32 a, u32 b, bool minimum) {
  bool aIsNan = (a & 0x7fffffffu) > 0x7f800000u, bIsNan = (b & 0x7fffffffu) > 0x7f800000u;
  if (aIsNan || bIsNan) return aIsNan && bIsNan ? 0x7fffffffu : aIsNan ? b : a;
  auto order = [](u32 x) { return static_cast<std::int32_t>(x) < 0 ? ~x : x | 0x80000000u; };
  return (order(a) < order(b)) == minimum ? a : b;
}

void bindFmnmx(Binder& b) {
  b.op.option[0] = b.take("FTZ") ? kFtz : 0;
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask minimum = w.fetch(op.psrc[0]);
    Lanes s0, s1, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* c = w.fetch(op.src[1], s1);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = minMaxFloat(enter(a[i], op.option[0]), enter(c[i], op.option[0]), minimum >> i & 1);
    w.write(op.dst, out.v, mask);
  };
}

void bindFsel(Binder& b) {
  b.op.option[0] = b.take("FTZ") ? kFtz : 0;
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask first = w.fetch(op.psrc[0]);
    Lanes s0, s1, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* c = w.fetch(op.src[1], s1);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = enter((first >> i & 1) ? a[i] : c[i], op.option[0]);
    w.write(op.dst, out.v, mask);
  };
}

// ---- comparison

void bindFsetp(Binder& b) {
  b.op.option[0] = takeFloatCompare(b);
  b.op.option[1] = static_cast<u32>(takeBoolOp(b));
  b.op.option[2] = b.take("FTZ") ? kFtz : 0;
  b.op.pdst[0] = b.predicateDestination();
  b.op.pdst[1] = b.predicateDestination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 trueFor = op.option[0], form = op.option[2];
    LaneMask holds = test2(w, op, [trueFor, form](u32 a, u32 c) {
      return (relation(asFloat(enter(a, form)), asFloat(enter(c, form))) & trueFor) != 0;
    });
    writeComparison(w, op, mask, holds, static_cast<BoolOp>(op.option[1]));
  };
}

/// FCHK says whether a/b needs the slow path. Which operands the hardware calls difficult is not known; both
/// paths give the right quotient, so everything near the ends of the exponent range takes the slow one.
void bindFchk(Binder& b) {
  b.take("DIVIDE");
  b.op.pdst[0] = b.predicateDestination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    auto comfortable = [](u32 bits) {
      u32 exponent = bits >> 23 & 0xff;
      return exponent >= 64 && exponent <= 190;
    };
    LaneMask difficult = test2(w, op, [&](u32 a, u32 c) { return !comfortable(a) || !comfortable(c); });
    w.write(op.pdst[0], difficult, mask);
  };
}

/// Correctly rounded stand-ins: no bit-exact model of the hardware's tables is public. Only those that
/// compilers correct afterwards (division, square root) are here; the rest stays unsupported until it can be
/// tracked.
void bindMufu(Binder& b) {
  unsigned function = b.choice({"RCP", "RSQ", "SQRT"}, 3);
  if (function == 3) b.refuse();
  b.op.option[0] = function;
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 which = op.option[0];
    map1(w, op, mask, [which](u32 a) {
      double x = asFloat(flush(a));
      double y = which == 0 ? 1 / x : which == 1 ? 1 / std::sqrt(x) : std::sqrt(x);
      return flush(canonical(asBits(static_cast<float>(y))));
    });
  };
}

constexpr OpcodeRow kRows[] = {
    {"FADD", bindFadd}, {"UFADD", uniform<bindFadd>}, {"FMUL", bindFmul},   {"UFMUL", uniform<bindFmul>},
    {"FFMA", bindFfma}, {"UFFMA", uniform<bindFfma>}, {"FMNMX", bindFmnmx}, {"UFMNMX", uniform<bindFmnmx>},
    {"FSEL", bindFsel}, {"UFSEL", uniform<bindFsel>}, {"FSETP", bindFsetp}, {"UFSETP", uniform<bindFsetp>},
    {"FCHK", bindFchk}, {"MUFU", bindMufu},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::floatOpcodes() {
  return kRows;
}

} // namespace harness::sass
