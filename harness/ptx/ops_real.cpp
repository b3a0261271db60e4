// Arithmetic of f32, f32x2 and f64, as IEEE has it: exact, rounded once.
//
// add, sub and mul without a rounding modifier round to nearest; ptxas may fuse a mul and an add of that kind
// into an fma, whose result is as legal as the one here. (cicc fuses by itself and writes fma.rn, and gives a
// rounding modifier to what must not be fused.)

#include "harness/ptx/ops_real.h"

#include "harness/ptx/floats.h"
#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

// ---- results

/// What a result that is no number becomes. f64 keeps the payload of the first operand that is a NaN.
template <typename... T> float settled(float result, T...) {
  return result == result ? result : std::bit_cast<float>(kNan32);
}

inline double quieted(double nan) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 0x0008000000000000);
}
inline double firstNan() {
  return std::bit_cast<double>(kNan64);
}
template <typename... T> double firstNan(double first, T... rest) {
  return first != first ? quieted(first) : firstNan(rest...);
}
template <typename... T> double settled(double result, T... operands) {
  return result == result ? result : firstNan(operands...);
}

/// .sat: within [0, 1]; +0 for a NaN, and for -0.
inline float saturated(float value) {
  return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
}

struct Add {
  template <typename T> T operator()(T a, T b) const { return a + b; }
};
struct Subtract {
  template <typename T> T operator()(T a, T b) const { return a - b; }
};
struct Multiply {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
struct Divide {
  template <typename T> T operator()(T a, T b) const { return a / b; }
};
struct Fuse {
  template <typename T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
/// The same to nearest, without a call for every f32: their product is exact in f64.
struct FuseNearest {
  float operator()(float a, float b, float c) const {
    return static_cast<float>(sumToOdd(double{a} * double{b}, double{c}));
  }
  double operator()(double a, double b, double c) const { return std::fma(a, b, c); }
};
template <typename F> using NearestOf = std::conditional_t<std::is_same_v<F, Fuse>, FuseNearest, F>;
struct Invert {
  template <typename T> T operator()(T a) const { return 1 / a; }
};
struct Root {
  template <typename T> T operator()(T a) const { return std::sqrt(a); }
};

// ---- running

/// Formats and what is done to operands and results.
template <bool Ftz, bool Sat> struct Single {
  static constexpr Type kType = Type::F32;
  template <typename F, typename... T> static std::uint64_t apply(F f, T... bits) {
    return bitsFrom(finish(f(operand(bits)...)));
  }

private:
  static float operand(std::uint64_t bits) { return Ftz ? flushed(as<float>(bits)) : as<float>(bits); }
  static float finish(float result) {
    if constexpr (Ftz) result = flushed(result);
    return Sat ? saturated(result) : settled(result);
  }
};

template <bool Ftz> struct SinglePair {
  static constexpr Type kType = Type::F32x2;
  template <typename F, typename... T> static std::uint64_t apply(F f, T... bits) {
    return Single<Ftz, false>::apply(f, bits...) | Single<Ftz, false>::apply(f, (bits >> 32)...) << 32;
  }
};

struct Double {
  static constexpr Type kType = Type::F64;
  template <typename F, typename... T> static std::uint64_t apply(F f, T... bits) {
    return bitsFrom(settled(f(as<double>(bits)...), as<double>(bits)...));
  }
};

/// f32 operations whose first operands (all but the last) are of another format.
template <float (*Convert)(std::uint64_t), bool Sat> struct Mixed {
  static std::uint64_t finish(float result) { return bitsFrom(Sat ? saturated(result) : settled(result)); }
  template <typename F> static std::uint64_t apply(F f, std::uint64_t a, std::uint64_t c) {
    return finish(f(Convert(a), as<float>(c)));
  }
  template <typename F> static std::uint64_t apply(F f, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return finish(f(Convert(a), Convert(b), as<float>(c)));
  }
};

template <typename F, typename Format> void run(Warp& w, const Op& op, LaneMask mask) {
  auto apply = [](auto... bits) { return Format::apply(F{}, bits...); };
  if constexpr (std::is_invocable_v<F, float, float, float>)
    map3<std::uint64_t>(w, op, mask, apply);
  else if constexpr (std::is_invocable_v<F, float, float>)
    map2<std::uint64_t>(w, op, mask, apply);
  else
    map1<std::uint64_t>(w, op, mask, apply);
}

/// option[0] = the direction, FE_…
template <typename F, typename Format> void runDirected(Warp& w, const Op& op, LaneMask mask) {
  RoundingScope scope(static_cast<int>(op.option[0]));
  run<F, Format>(w, op, mask);
}

#if defined(__x86_64__)
/// fma.f64 where the host has such an instruction; elsewhere each is a call.
[[gnu::target("fma")]] void runFuseDouble(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, s2, out;
  const std::uint64_t* a = w.fetch(op.src[0], s0);
  const std::uint64_t* b = w.fetch(op.src[1], s1);
  const std::uint64_t* c = w.fetch(op.src[2], s2);
  for (unsigned i = 0; i < kLanes; ++i) {
    double x = as<double>(a[i]), y = as<double>(b[i]), z = as<double>(c[i]);
    out.v[i] = bitsFrom(settled(__builtin_fma(x, y, z), x, y, z));
  }
  w.write(op.dst[0], out.v, mask);
}
#endif

struct Modifiers {
  Type type = Type::F32;
  bool ftz = false, sat = false;
  bool rounds = false; ///< one is named
  int direction = FE_TONEAREST;
};

Modifiers takeModifiers(Binder& b) {
  static constexpr int kDirections[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  Modifiers m;
  m.ftz = b.take("ftz");
  m.sat = b.take("sat");
  unsigned direction = b.choice({"rn", "rz", "rm", "rp"}, 4);
  m.rounds = direction < 4;
  if (m.rounds) m.direction = kDirections[direction];
  m.type = b.type();
  return m;
}

template <typename F, typename Format> OpFunction runOf(const Modifiers& m) {
  if (m.direction != FE_TONEAREST) return runDirected<F, Format>;
#if defined(__x86_64__)
  if (std::is_same_v<F, Fuse> && std::is_same_v<Format, Double> && __builtin_cpu_supports("fma"))
    return runFuseDouble;
#endif
  return run<NearestOf<F>, Format>;
}

/// Null if there is no such form.
template <typename F> OpFunction runOf(const Modifiers& m) {
  switch (m.type) {
  case Type::F32:
    if (m.sat) return m.ftz ? runOf<F, Single<true, true>>(m) : runOf<F, Single<false, true>>(m);
    return m.ftz ? runOf<F, Single<true, false>>(m) : runOf<F, Single<false, false>>(m);
  case Type::F32x2:
    if (m.sat) return nullptr;
    return m.ftz ? runOf<F, SinglePair<true>>(m) : runOf<F, SinglePair<false>>(m);
  case Type::F64: return m.ftz || m.sat ? nullptr : runOf<F, Double>(m);
  default: return nullptr;
  }
}

template <typename F> OpFunction mixedRunOf(const Modifiers& m, Type other) {
  if (m.type != Type::F32 || m.ftz) return nullptr;
  if (other == Type::F16)
    return m.sat ? runOf<F, Mixed<fromHalf, true>>(m) : runOf<F, Mixed<fromHalf, false>>(m);
  return m.sat ? runOf<F, Mixed<fromBfloat, true>>(m) : runOf<F, Mixed<fromBfloat, false>>(m);
}

void finish(Binder& b, const Modifiers& m, OpFunction run, Type operands, unsigned count) {
  if (!run) return b.refuse();
  b.op.option[0] = static_cast<std::uint32_t>(m.direction);
  b.destination(m.type);
  for (unsigned i = 0; i + 1 < count; ++i)
    b.source(operands);
  b.source(m.type);
  b.op.run = run;
}

/// add, sub, fma; also of f16 or bf16 and f32 ("mixed precision", 9.7.5).
template <typename F, unsigned Count> void bindMixable(Binder& b) {
  Modifiers m = takeModifiers(b);
  if (Count == 3 && !m.rounds) return b.refuse();
  std::optional<Type> other = b.peekType();
  if (other != Type::F16 && other != Type::BF16) return finish(b, m, runOf<F>(m), m.type, Count);
  finish(b, m, mixedRunOf<F>(m, b.type()), *other, Count);
}

void bindMul(Binder& b) {
  Modifiers m = takeModifiers(b);
  finish(b, m, runOf<Multiply>(m), m.type, 2);
}

/// mad is fma (since sm_20).
void bindMad(Binder& b) {
  Modifiers m = takeModifiers(b);
  if (!m.rounds || m.type == Type::F32x2) return b.refuse();
  finish(b, m, runOf<Fuse>(m), m.type, 3);
}

/// div, rcp, sqrt have no default.
template <typename F, unsigned Count> void bindRounded(Binder& b) {
  Modifiers m = takeModifiers(b);
  if (!m.rounds || m.sat || m.type == Type::F32x2) return b.refuse();
  finish(b, m, runOf<F>(m), m.type, Count);
}

// ---- abs, neg

/// PTX leaves the NaN of abs.f32, neg.f32 and neg.f64 open; abs.f64 passes it through unchanged.
template <bool Ftz, bool Negate> void runSignSingle(Warp& w, const Op& op, LaneMask mask) {
  map1<float>(w, op, mask, [](float a) {
    if constexpr (Ftz) a = flushed(a);
    return settled(Negate ? -a : std::fabs(a));
  });
}

template <bool Negate> void runSignDouble(Warp& w, const Op& op, LaneMask mask) {
  map1<double>(w, op, mask, [](double a) { return Negate ? -a : a != a ? a : std::fabs(a); });
}

template <bool Negate> void bindSign(Binder& b) {
  bool ftz = b.take("ftz");
  Type type = b.type();
  if (type != Type::F32 && (type != Type::F64 || ftz)) return b.refuse();
  b.destination(type);
  b.source(type);
  b.op.run = type == Type::F64 ? runSignDouble<Negate>
             : ftz             ? runSignSingle<true, Negate>
                               : runSignSingle<false, Negate>;
}

constexpr OpcodeRow kRows[] = {
    {"abs", TypeClass::Real, bindSign<false>},
    {"add", TypeClass::Real, bindMixable<Add, 2>},
    {"fma", TypeClass::Real, bindMixable<Fuse, 3>},
    {"mad", TypeClass::Real, bindMad},
    {"mul", TypeClass::Real, bindMul},
    {"neg", TypeClass::Real, bindSign<true>},
    {"sub", TypeClass::Real, bindMixable<Subtract, 2>},
};

} // namespace

void bindRoundedDivision(Binder& b) {
  bindRounded<Divide, 2>(b);
}

void bindRoundedReciprocal(Binder& b) {
  bindRounded<Invert, 1>(b);
}

void bindRoundedRoot(Binder& b) {
  bindRounded<Root, 1>(b);
}

std::span<const OpcodeRow> realOpcodes() {
  return kRows;
}

} // namespace harness::ptx
