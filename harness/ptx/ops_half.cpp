// Arithmetic of f16, bf16 and pairs of them: exact (or nearly so, see sumToOdd) in f64, rounded once.
//
// As with f32, ptxas may fuse mul and add that have no rounding modifier.

#include "harness/ptx/floats.h"
#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

// ---- formats

struct Half {
  static double read(std::uint64_t bits, bool ftz) { return fromHalf(ftz ? flushedHalf(bits) : bits); }
  static std::uint64_t write(double value, bool ftz) {
    return ftz ? flushedHalf(toHalf(value)) : toHalf(value);
  }
};

/// bf16 has no .ftz.
struct Bfloat {
  static double read(std::uint64_t bits, bool) { return fromBfloat(bits); }
  static std::uint64_t write(double value, bool) { return toBfloat(value); }
};

// ---- operations

struct Add {
  static double apply(double a, double b) { return sumToOdd(a, b); }
};
struct Subtract {
  static double apply(double a, double b) { return sumToOdd(a, -b); }
};
struct Multiply {
  static double apply(double a, double b) { return a * b; }
};
struct Fuse {
  static double apply(double a, double b, double c) { return sumToOdd(a * b, c); }
};

constexpr unsigned kFtz = 1, kSat = 2, kRelu = 4; // bits of option[0]

/// .sat: within [0, 1], a NaN becomes +0. .relu: not negative. Both make +0 of -0.
double clamped(double value, unsigned modifiers) {
  if (modifiers & kSat) return value > 0 ? std::min(value, 1.0) : 0.0;
  if (modifiers & kRelu) return value > 0 || value != value ? value : 0.0;
  return value;
}

template <typename F, typename Format, typename... T> std::uint64_t evaluate(unsigned modifiers, T... bits) {
  bool ftz = modifiers & kFtz;
  return Format::write(clamped(F::apply(Format::read(bits & 0xffff, ftz)...), modifiers), ftz);
}

template <typename F, typename Format, unsigned Values> void run(Warp& w, const Op& op, LaneMask mask) {
  unsigned modifiers = op.option[0];
  auto apply = [=](auto... bits) {
    std::uint64_t result = evaluate<F, Format>(modifiers, bits...);
    if constexpr (Values == 2) result |= evaluate<F, Format>(modifiers, (bits >> 16)...) << 16;
    return result;
  };
  if constexpr (std::is_same_v<F, Fuse>)
    map3<std::uint64_t>(w, op, mask, apply);
  else
    map2<std::uint64_t>(w, op, mask, apply);
}

template <typename F> OpFunction runOf(Type type) {
  switch (type) {
  case Type::F16: return run<F, Half, 1>;
  case Type::F16x2: return run<F, Half, 2>;
  case Type::BF16: return run<F, Bfloat, 1>;
  case Type::BF16x2: return run<F, Bfloat, 2>;
  default: return nullptr;
  }
}

bool isBfloat(Type type) {
  return type == Type::BF16 || type == Type::BF16x2;
}

/// add, sub, mul: rounding may be named; fma: it must, and .relu goes instead of .sat. (.oob is refused:
/// which NaN it looks for is not documented.)
template <typename F> void bindArithmetic(Binder& b) {
  constexpr bool kFused = std::is_same_v<F, Fuse>;
  bool rounds = b.take("rn"), ftz = b.take("ftz"), sat = b.take("sat"), relu = kFused && b.take("relu");
  Type type = b.type();
  if ((kFused && !rounds) || (sat && relu) || (isBfloat(type) && (ftz || sat))) return b.refuse();
  b.op.option[0] = (ftz ? kFtz : 0) | (sat ? kSat : 0) | (relu ? kRelu : 0);
  b.destination(type);
  for (unsigned i = 0; i < (kFused ? 3 : 2); ++i)
    b.source(type);
  b.op.run = runOf<F>(type);
  if (!b.op.run) b.refuse();
}

// ---- abs, neg

/// Which NaN a NaN becomes is left open.
template <typename Format, bool Negate> std::uint64_t withSign(std::uint64_t bits, bool ftz) {
  double value = Format::read(bits & 0xffff, ftz);
  return Format::write(Negate ? -value : std::fabs(value), ftz);
}

template <typename Format, bool Negate> void runSign(Warp& w, const Op& op, LaneMask mask) {
  bool ftz = op.option[0], two = op.option[1];
  map1<std::uint64_t>(w, op, mask, [=](std::uint64_t a) {
    std::uint64_t high = two ? withSign<Format, Negate>(a >> 16, ftz) << 16 : 0;
    return high | withSign<Format, Negate>(a, ftz);
  });
}

template <bool Negate> void bindSign(Binder& b) {
  bool ftz = b.take("ftz");
  Type type = b.type();
  if (isBfloat(type) && ftz) return b.refuse();
  b.op.option[0] = ftz;
  b.op.option[1] = bitsOf(type) == 32;
  b.destination(type);
  b.source(type);
  b.op.run = isBfloat(type) ? runSign<Bfloat, Negate> : runSign<Half, Negate>;
}

constexpr OpcodeRow kRows[] = {
    {"abs", TypeClass::Half, bindSign<false>},      {"add", TypeClass::Half, bindArithmetic<Add>},
    {"fma", TypeClass::Half, bindArithmetic<Fuse>}, {"mul", TypeClass::Half, bindArithmetic<Multiply>},
    {"neg", TypeClass::Half, bindSign<true>},       {"sub", TypeClass::Half, bindArithmetic<Subtract>},
};

} // namespace

std::span<const OpcodeRow> halfOpcodes() {
  return kRows;
}

} // namespace harness::ptx
