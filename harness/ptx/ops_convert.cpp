// cvt: conversions between all types (PTX ISA, "cvt" and "cvt.pack").

#include "harness/ptx/lanes.h"
#include "harness/ptx/narrow.h"
#include "harness/ptx/widths.h"

#include <algorithm>

namespace harness::ptx {

namespace {

/// What a conversion is, gathered at binding and spread over Op::option.
struct Conversion {
  Type to = Type::B32, from = Type::B32;
  FloatRounding rounding = FloatRounding::NearestEven;
  bool integral = false; ///< float to float of one type: to a number without fraction
  bool flush = false;    ///< .ftz
  bool saturate = false; ///< .sat
  bool finite = false;   ///< .satfinite
  bool relu = false;

  void store(Op& op) const {
    op.option[0] = static_cast<std::uint32_t>(to) | static_cast<std::uint32_t>(from) << 8 |
                   static_cast<std::uint32_t>(rounding) << 16;
    op.option[1] = integral | flush << 1 | saturate << 2 | finite << 3 | relu << 4;
  }
  static Conversion of(const Op& op) {
    Conversion c;
    c.to = static_cast<Type>(op.option[0] & 0xff);
    c.from = static_cast<Type>(op.option[0] >> 8 & 0xff);
    c.rounding = static_cast<FloatRounding>(op.option[0] >> 16);
    c.integral = op.option[1] & 1;
    c.flush = op.option[1] >> 1 & 1;
    c.saturate = op.option[1] >> 2 & 1;
    c.finite = op.option[1] >> 3 & 1;
    c.relu = op.option[1] >> 4 & 1;
    return c;
  }
};

// ---- integers

/// A value of one integer type clamped to the range of another.
std::uint64_t clamp(std::uint64_t value, Type from, Type to) {
  bool negative = isSigned(from) && static_cast<std::int64_t>(value) < 0;
  unsigned width = bitsOf(to);
  if (negative) {
    if (!isSigned(to)) return 0;
    std::int64_t least = width == 64 ? INT64_MIN : -(std::int64_t{1} << (width - 1));
    return static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(value), least));
  }
  return std::min(value, isSigned(to) ? ones(width - 1) : ones(width));
}

void runIntegerToInteger(Warp& w, const Op& op, LaneMask mask) {
  Conversion c = Conversion::of(op);
  unsigned registerBits = op.dst[0].bits;
  map1<std::uint64_t>(w, op, mask, [=](std::uint64_t bits) {
    std::uint64_t value = widen(bits, c.from);
    return fill(c.saturate ? clamp(value, c.from, c.to) : value, c.to, registerBits);
  });
}

// ---- floats

/// Subnormal f32 become zero.
std::uint64_t flushed(std::uint64_t bits, Type type) {
  return type == Type::F32 && (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

Unpacked unpackSource(std::uint64_t bits, const Conversion& c) {
  FloatFormat format = *formatOf(c.from);
  bits &= ones(format.bits());
  return unpack(c.flush ? flushed(bits, c.from) : bits, format);
}

std::uint64_t toInteger(std::uint64_t bits, const Conversion& c) {
  Unpacked number = unpackSource(bits, c);
  unsigned width = bitsOf(c.to);
  if (number.kind == Unpacked::Kind::Nan) {
    bool wide = c.from == Type::F64 || width == 64;
    return wide ? std::uint64_t{1} << (width - 1) : 0;
  }
  return packInteger(number, width, isSigned(c.to), c.rounding);
}

std::uint64_t fromInteger(std::uint64_t bits, const Conversion& c) {
  std::uint64_t value = widen(bits, c.from);
  Unpacked number;
  number.negative = isSigned(c.from) && static_cast<std::int64_t>(value) < 0;
  number.significand = number.negative ? 0 - value : value;
  return pack(number, *formatOf(c.to), c.rounding);
}

/// A NaN of `format` as an f64, which keeps sign and payload as f64 operations do.
std::uint64_t nanAsDouble(std::uint64_t bits, const FloatFormat& format) {
  std::uint64_t negative = bits & format.signBit() ? 1 : 0, payload = bits & ones(format.mantissaBits);
  return negative << 63 | std::uint64_t{0x7ff8} << 48 | payload << (52 - format.mantissaBits);
}

/// One number to another format; the result's bits, a tf32's as an f32.
std::uint64_t toFloat(std::uint64_t bits, const Conversion& c) {
  // A bf16 is the upper half of an f32, also if it is NaN.
  if (c.from == Type::BF16 && c.to == Type::F32 && !c.saturate && !c.flush) return bits << 16 & 0xffff0000;
  Unpacked number = unpackSource(bits, c);
  FloatFormat format = *formatOf(c.to);
  bool isNan = number.kind == Unpacked::Kind::Nan;
  if (isNan && c.to == Type::F64 && !c.saturate) return nanAsDouble(bits, *formatOf(c.from));
  if (c.saturate) {
    // To [+0, 1].
    if (isNan || number.negative) number = {};
    Unpacked rounded = unpack(pack(number, format, c.rounding), format);
    Unpacked one{Unpacked::Kind::Finite, false, 1, 0};
    bool above = rounded.kind == Unpacked::Kind::Infinite ||
                 (rounded.significand && 63 - std::countl_zero(rounded.significand) + rounded.exponent >= 0);
    if (above) number = one;
  }
  if (c.relu && !isNan && number.negative) number = {};
  if (c.integral) number = toIntegral(number, c.rounding);
  std::uint64_t result = pack(number, format, c.rounding, c.finite);
  if (c.flush) result = flushed(result, c.to);
  return c.to == Type::TF32 ? result << 13 : result;
}

void runFloatToInteger(Warp& w, const Op& op, LaneMask mask) {
  Conversion c = Conversion::of(op);
  unsigned registerBits = op.dst[0].bits;
  map1<std::uint64_t>(w, op, mask,
                      [=](std::uint64_t bits) { return fill(toInteger(bits, c), c.to, registerBits); });
}

void runIntegerToFloat(Warp& w, const Op& op, LaneMask mask) {
  Conversion c = Conversion::of(op);
  map1<std::uint64_t>(w, op, mask, [=](std::uint64_t bits) { return fromInteger(bits, c); });
}

void runFloatToFloat(Warp& w, const Op& op, LaneMask mask) {
  Conversion c = Conversion::of(op);
  map1<std::uint64_t>(w, op, mask, [=](std::uint64_t bits) { return toFloat(bits, c); });
}

/// Bits of an element of a packed type as it lies in a register: fp6 has a byte each.
unsigned elementBits(Type type) {
  switch (type) {
  case Type::E2M1x2: return 4;
  case Type::F16x2:
  case Type::BF16x2: return 16;
  default: return 8;
  }
}

/// d, a, b: two f32 into one register, a into its upper half.
void runPackTwo(Warp& w, const Op& op, LaneMask mask) {
  Conversion c = Conversion::of(op);
  unsigned width = elementBits(c.to);
  map2<std::uint64_t>(
      w, op, mask, [=](std::uint64_t a, std::uint64_t b) { return toFloat(a, c) << width | toFloat(b, c); });
}

/// d, a: both halves of a, each to its half of d.
void runHalves(Warp& w, const Op& op, LaneMask mask) {
  Conversion c = Conversion::of(op);
  unsigned from = elementBits(c.from), to = elementBits(c.to);
  map1<std::uint64_t>(w, op, mask, [=](std::uint64_t a) {
    return toFloat(a >> from & ones(from), c) << to | toFloat(a & ones(from), c);
  });
}

// ---- binding

/// Takes the rounding; nothing if there is none.
std::optional<FloatRounding> takeRounding(Binder& b, bool& integral) {
  static constexpr FloatRounding kMeaning[] = {
      FloatRounding::NearestEven, FloatRounding::Zero,        FloatRounding::Down,
      FloatRounding::Up,          FloatRounding::NearestEven, FloatRounding::Zero,
      FloatRounding::Down,        FloatRounding::Up,          FloatRounding::NearestAway};
  unsigned choice = b.choice({"rni", "rzi", "rmi", "rpi", "rn", "rz", "rm", "rp", "rna"}, 9);
  integral = choice < 4;
  if (choice == 9) return std::nullopt;
  return kMeaning[choice];
}

bool isPackedHalf(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2;
}

/// f8x2, f6x2 and f4x2.
bool isNarrowPair(Type type) {
  switch (type) {
  case Type::E4M3x2:
  case Type::E5M2x2:
  case Type::E2M3x2:
  case Type::E3M2x2:
  case Type::E2M1x2: return true;
  default: return false;
  }
}

bool isInteger(Type type) {
  return (isSigned(type) || isUnsigned(type)) && type <= Type::S64;
}
bool isScalarFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 || type == Type::F64;
}

/// The packed forms: their operands are registers of bits, whatever is in them.
void bindPacked(Binder& b, const Conversion& c, bool rounded) {
  auto untyped = [](Type type) {
    switch (bitsOf(type)) {
    case 8: return Type::B8;
    case 16: return Type::B16;
    default: return Type::B32;
    }
  };
  bool narrow = isNarrowPair(c.to) || isNarrowPair(c.from);
  bool nearest = c.rounding == FloatRounding::NearestEven;
  if (!rounded || c.flush || c.saturate || c.integral || c.rounding == FloatRounding::NearestAway)
    return b.refuse();
  if (narrow && !nearest) return b.refuse();
  if (c.rounding == FloatRounding::Up || c.rounding == FloatRounding::Down) return b.refuse();
  b.destination(untyped(c.to));
  if (c.from == Type::F32) {
    if (isNarrowPair(c.to) && !c.finite) return b.refuse();
    b.source(Type::F32);
    b.source(Type::F32);
    b.op.run = runPackTwo;
    return;
  }
  bool down = isNarrowPair(c.to) && isPackedHalf(c.from) && c.finite;
  bool up = c.to == Type::F16x2 && isNarrowPair(c.from) && !c.finite;
  if (!down && !up) return b.refuse();
  b.source(untyped(c.from));
  b.op.run = runHalves;
}

void bindScalar(Binder& b, const Conversion& c, bool rounded) {
  bool fromInteger = isInteger(c.from), toInteger = isInteger(c.to);
  if ((!fromInteger && !isScalarFloat(c.from)) || (!toInteger && !isScalarFloat(c.to))) return b.refuse();
  bool anySingle = c.from == Type::F32 || c.to == Type::F32;
  if (c.flush && !anySingle) return b.refuse();
  if ((c.relu || c.finite) && !(c.from == Type::F32 && (c.to == Type::F16 || c.to == Type::BF16)))
    return b.refuse();
  if (c.rounding == FloatRounding::NearestAway) return b.refuse();
  if (fromInteger && toInteger) {
    if (rounded) return b.refuse();
    b.op.run = runIntegerToInteger;
  } else if (fromInteger) {
    if (!rounded || c.integral || c.saturate) return b.refuse();
    b.op.run = runIntegerToFloat;
  } else if (toInteger) {
    if (!c.integral) return b.refuse();
    b.op.run = runFloatToInteger;
  } else {
    bool narrows = bitsOf(c.to) < bitsOf(c.from) || (bitsOf(c.to) == bitsOf(c.from) && c.to != c.from);
    if (c.integral ? c.to != c.from : narrows != rounded) return b.refuse();
    b.op.run = runFloatToFloat;
  }
  b.destination(c.to);
  b.source(c.from);
}

void bindTf32(Binder& b, const Conversion& c, bool rounded) {
  bool away = c.rounding == FloatRounding::NearestAway;
  bool legal = away || c.rounding == FloatRounding::NearestEven || c.rounding == FloatRounding::Zero;
  if (c.from != Type::F32 || !rounded || !legal || c.integral || c.flush || c.saturate || (away && c.relu))
    return b.refuse();
  b.destination(Type::B32);
  b.source(Type::F32);
  b.op.run = runFloatToFloat;
}

void bindPackIntegers(Binder& b);

void bindCvt(Binder& b) {
  if (b.take("pack")) return bindPackIntegers(b);
  Conversion c;
  auto rounding = takeRounding(b, c.integral);
  c.rounding = rounding.value_or(FloatRounding::NearestEven);
  c.flush = b.take("ftz");
  c.saturate = b.take("sat");
  c.finite = b.take("satfinite");
  c.relu = b.take("relu");
  c.to = b.type();
  c.from = b.type();
  c.store(b.op);
  if (c.to == Type::TF32) return bindTf32(b, c, rounding.has_value());
  if (isNarrowPair(c.to) || isNarrowPair(c.from) || isPackedHalf(c.to))
    return bindPacked(b, c, rounding.has_value());
  bindScalar(b, c, rounding.has_value());
}

// ---- cvt.pack

/// d = a and b clamped, b lowest; above them what c has lowest. option[0] = bits, [1] = to is signed, [2] =
/// from.
void runPackIntegers(Warp& w, const Op& op, LaneMask mask) {
  unsigned bits = op.option[0];
  bool toSigned = op.option[1];
  auto from = static_cast<Type>(op.option[2]);
  auto part = [=](std::uint64_t value) {
    auto wide = static_cast<std::int64_t>(widen(value, from));
    std::int64_t most = static_cast<std::int64_t>(toSigned ? ones(bits - 1) : ones(bits));
    std::int64_t least = toSigned ? -most - 1 : 0;
    return static_cast<std::uint64_t>(std::clamp(wide, least, most)) & ones(bits);
  };
  Lanes scratch[3];
  const std::uint64_t* a = w.fetch(op.src[0], scratch[0]);
  const std::uint64_t* b = w.fetch(op.src[1], scratch[1]);
  const std::uint64_t* c = op.sources == 3 ? w.fetch(op.src[2], scratch[2]) : nullptr;
  writeLanes(w, op.dst[0], mask, [=](unsigned i) {
    std::uint64_t above = c ? c[i] << (2 * bits) : 0;
    return (above | part(a[i]) << bits | part(b[i])) & 0xffffffff;
  });
}

/// cvt.pack.sat.u16.s32 d, a, b;  cvt.pack.sat.u8.s32.b32 d, a, b, c;
void bindPackIntegers(Binder& b) {
  struct Form {
    unsigned bits;
    bool isSigned;
  };
  static constexpr Form kForms[] = {{16, true}, {16, false}, {8, true}, {8, false},
                                    {4, true},  {4, false},  {2, true}, {2, false}};
  if (!b.take("sat")) return b.refuse();
  bool withC = b.take("b32");
  // The type of a and b is s32: what is left is what they become.
  if (!b.take("s32")) return b.refuse();
  unsigned form = b.choice({"s16", "u16", "s8", "u8", "s4", "u4", "s2", "u2"}, 8);
  if (form == 8 || (withC != (kForms[form].bits < 16))) return b.refuse();
  b.op.option[0] = kForms[form].bits;
  b.op.option[1] = kForms[form].isSigned;
  b.op.option[2] = static_cast<std::uint32_t>(Type::S32);
  b.destination(Type::B32);
  b.source(Type::S32);
  b.source(Type::S32);
  if (withC) b.source(Type::B32);
  b.op.run = runPackIntegers;
}

constexpr OpcodeRow kRows[] = {
    {"cvt", TypeClass::Any, bindCvt},
};

} // namespace

std::span<const OpcodeRow> convertOpcodes() {
  return kRows;
}

} // namespace harness::ptx
