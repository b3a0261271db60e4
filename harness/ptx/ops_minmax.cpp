// min and max of floating-point values.

#include "harness/ptx/floats.h"
#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

struct Rules {
  bool max = false;
  bool ftz = false;
  bool nan = false;     ///< .NaN: one NaN is enough for a NaN
  bool abs = false;     ///< of the magnitudes
  bool xorsign = false; ///< with the product's sign
};

constexpr unsigned kMax = 1, kFtz = 2, kNan = 4, kAbs = 8, kXorsign = 16; // bits of option[0]

Rules rulesOf(const Op& op) {
  unsigned bits = op.option[0];
  return {(bits & kMax) != 0, (bits & kFtz) != 0, (bits & kNan) != 0, (bits & kAbs) != 0,
          (bits & kXorsign) != 0};
}

// ---- formats

/// PTX leaves open which NaN it is, but calls one of each format canonical.
struct Single {
  using Value = float;
  static float read(std::uint64_t bits, bool ftz) { return ftz ? flushed(as<float>(bits)) : as<float>(bits); }
  static std::uint64_t write(float value) { return value == value ? bitsFrom(value) : kNan32; }
};

/// The payload of the first NaN is kept.
struct Double {
  using Value = double;
  static double read(std::uint64_t bits, bool) { return as<double>(bits); }
  static std::uint64_t write(double value) {
    return value == value ? bitsFrom(value) : bitsFrom(value) | 0x0008000000000000;
  }
};

struct Half {
  using Value = float;
  static float read(std::uint64_t bits, bool ftz) { return fromHalf(ftz ? flushedHalf(bits) : bits); }
  static std::uint64_t write(float value) { return toHalf(value); }
};

struct Bfloat {
  using Value = float;
  static float read(std::uint64_t bits, bool) { return fromBfloat(bits); }
  static std::uint64_t write(float value) { return toBfloat(value); }
};

// ---- operation

/// -0 is less than +0. Both NaN: the first.
template <typename T> T chosen(const Rules& rules, T a, T b) {
  bool aNan = a != a, bNan = b != b;
  if (aNan || bNan) return aNan == bNan || rules.nan ? (aNan ? a : b) : (aNan ? b : a);
  bool aLess = a == b ? std::signbit(a) : a < b;
  return aLess != rules.max ? a : b;
}

template <typename Format> typename Format::Value operand(const Rules& rules, std::uint64_t bits) {
  auto value = Format::read(bits, rules.ftz);
  return rules.abs ? std::fabs(value) : value;
}

template <typename Format> std::uint64_t two(const Rules& rules, std::uint64_t a, std::uint64_t b) {
  auto d = chosen(rules, operand<Format>(rules, a), operand<Format>(rules, b));
  if (!rules.xorsign || d != d) return Format::write(d);
  bool negative = std::signbit(Format::read(a, false)) != std::signbit(Format::read(b, false));
  return Format::write(negative ? -d : d);
}

template <typename Format> void runTwo(Warp& w, const Op& op, LaneMask mask) {
  Rules rules = rulesOf(op);
  map2<std::uint64_t>(w, op, mask, [=](auto a, auto b) { return two<Format>(rules, a, b); });
}

/// Without modifiers, as most are.
template <typename Format, bool Max> void runPlain(Warp& w, const Op& op, LaneMask mask) {
  map2<std::uint64_t>(w, op, mask, [](auto a, auto b) { return two<Format>(Rules{Max}, a, b); });
}

template <typename Format> void runPair(Warp& w, const Op& op, LaneMask mask) {
  Rules rules = rulesOf(op);
  map2<std::uint64_t>(w, op, mask, [=](auto a, auto b) {
    return two<Format>(rules, a & 0xffff, b & 0xffff) | two<Format>(rules, a >> 16, b >> 16) << 16;
  });
}

void runThree(Warp& w, const Op& op, LaneMask mask) {
  Rules rules = rulesOf(op);
  map3<std::uint64_t>(w, op, mask, [=](auto a, auto b, auto c) {
    float ab = chosen(rules, operand<Single>(rules, a), operand<Single>(rules, b));
    return Single::write(chosen(rules, ab, operand<Single>(rules, c)));
  });
}

template <typename Format> OpFunction plainOr(unsigned option) {
  return option == 0 ? runPlain<Format, false> : option == kMax ? runPlain<Format, true> : runTwo<Format>;
}

OpFunction runOf(Type type, unsigned option) {
  switch (type) {
  case Type::F32: return plainOr<Single>(option);
  case Type::F64: return plainOr<Double>(option);
  case Type::F16: return runTwo<Half>;
  case Type::F16x2: return runPair<Half>;
  case Type::BF16: return runTwo<Bfloat>;
  case Type::BF16x2: return runPair<Bfloat>;
  default: return nullptr;
  }
}

/// Takes modifiers and type, refuses what does not go together.
Type takeModifiers(Binder& b, bool three) {
  bool ftz = b.take("ftz"), nan = b.take("NaN"), xorsign = b.take("xorsign"), abs = b.take("abs");
  Type type = b.type();
  if (type == Type::F64 && (ftz || nan || abs)) b.refuse();
  if (ftz && type != Type::F32 && type != Type::F16 && type != Type::F16x2) b.refuse();
  if (three ? xorsign || type != Type::F32 : xorsign != abs) b.refuse();
  b.op.option[0] = (ftz ? kFtz : 0) | (nan ? kNan : 0) | (abs ? kAbs : 0) | (xorsign ? kXorsign : 0);
  return type;
}

template <unsigned Max> void bindExtreme(Binder& b) {
  bool three = b.operandsLeft() == 4;
  Type type = takeModifiers(b, three);
  b.op.option[0] |= Max;
  b.destination(type);
  for (unsigned i = 0; i < (three ? 3 : 2); ++i)
    b.source(type);
  b.op.run = three ? runThree : runOf(type, b.op.option[0]);
  if (!b.op.run) b.refuse();
}

constexpr OpcodeRow kRows[] = {
    {"max", TypeClass::Half, bindExtreme<kMax>},
    {"max", TypeClass::Real, bindExtreme<kMax>},
    {"min", TypeClass::Half, bindExtreme<0>},
    {"min", TypeClass::Real, bindExtreme<0>},
};

} // namespace

std::span<const OpcodeRow> minmaxOpcodes() {
  return kRows;
}

} // namespace harness::ptx
