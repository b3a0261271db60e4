#include "harness/sass/lanes.h"
#include "harness/sass/small_float.h"

#include <algorithm>
#include <cmath>

namespace harness::sass {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// ---- operands of any type

enum class FloatType : u32 { F16, BF16, F32, F64 };
constexpr std::string_view kFloatNames[] = {"F16", "BF16", "F32", "F64"};

FloatType takeFloatType(Binder& b) {
  return static_cast<FloatType>(b.choice({"F16", "BF16", "F32", "F64"}, static_cast<u32>(FloatType::F32)));
}

bool isHalf(FloatType type) {
  return type == FloatType::F16 || type == FloatType::BF16;
}

const SmallFloat& formatOf(FloatType type) {
  return type == FloatType::F16 ? kHalf : type == FloatType::BF16 ? kBfloat : kFloat;
}

/// A part of a register: the lowest `width` bits, or those that the suffix names. Where it begins goes to
/// `offset`.
Source takePart(Binder& b, unsigned width, u32& offset) {
  Binder::Part part = b.part();
  auto begin = partOffset(part.suffix, width);
  if (!begin || part.negated || part.absolute) b.refuse();
  offset = begin.value_or(0);
  return part.source;
}

Source takeFloat(Binder& b, FloatType type, u32& offset) {
  if (isHalf(type)) return takePart(b, 16, offset);
  return type == FloatType::F64 ? b.real64() : b.real();
}

/// The source of a conversion as numbers, exactly.
void fetchFloats(Warp& w, const Source& source, FloatType type, u32 offset, bool flushes,
                 double (&value)[kLanes]) {
  if (type == FloatType::F64) {
    u64 wide[kLanes];
    w.fetch64(source, wide);
    for (unsigned i = 0; i < kLanes; ++i)
      value[i] = std::bit_cast<double>(wide[i]);
    return;
  }
  Lanes scratch;
  const u32* bits = w.fetch(source, scratch);
  for (unsigned i = 0; i < kLanes; ++i) {
    if (type == FloatType::F16) {
      value[i] = halfToFloat(static_cast<u16>(bits[i] >> offset));
      continue;
    }
    u32 single = type == FloatType::F32 ? bits[i] : bits[i] >> offset << 16;
    value[i] = asFloat(flushes ? flush(single) : single);
  }
}

// ---- F2F

/// F2F[.FTZ].to.from[.rounding]. A half is in the low 16 bits, zeros above (ptxas -O3 stores the whole
/// register for one extended to 32 bits). FTZ is met with f32 and bf16, where flushing the source is enough.
void bindF2f(Binder& b) {
  bool flushes = b.take("FTZ");
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  auto takeType = [&b] {
    auto found = std::find(std::begin(kFloatNames), std::end(kFloatNames), b.nextModifier());
    if (found == std::end(kFloatNames)) b.refuse();
    return static_cast<FloatType>(found - std::begin(kFloatNames));
  };
  FloatType to = takeType(), from = takeType();
  // sm_80 prints F32.F16 where PTX converts a bf16; a half is widened by HADD2.F32.
  if (to == from || (to == FloatType::F32 && from == FloatType::F16)) b.refuse();
  bool singleAndBf16 =
      (to == FloatType::F32 && from == FloatType::BF16) || (to == FloatType::BF16 && from == FloatType::F32);
  if (flushes && !singleAndBf16) b.refuse();
  b.op.option[1] = static_cast<u32>(to) | static_cast<u32>(from) << 8 | (flushes ? 1u << 16 : 0);
  b.op.dst = to == FloatType::F64 ? b.destination64() : b.destination();
  b.op.src[0] = takeFloat(b, from, b.op.option[2]);
  if (to == FloatType::F16 && from == FloatType::F32 &&
      b.op.option[0] == static_cast<u32>(Rounding::Nearest)) {
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) { map1(w, op, mask, nearestHalf); };
    return;
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    auto to = static_cast<FloatType>(op.option[1] & 0xff),
         from = static_cast<FloatType>(op.option[1] >> 8 & 0xff);
    double value[kLanes];
    fetchFloats(w, op.src[0], from, op.option[2], op.option[1] >> 16, value);
    if (to == FloatType::F64) {
      u64 wide[kLanes];
      for (unsigned i = 0; i < kLanes; ++i)
        wide[i] = std::bit_cast<u64>(value[i]);
      w.write64(op.dst, wide, mask);
      return;
    }
    Lanes out;
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = narrow(value[i], formatOf(to), static_cast<Rounding>(op.option[0]));
    w.write(op.dst, out.v, mask);
  };
}

// ---- float to integer

struct IntegerType {
  std::string_view name;
  unsigned bits;
  bool isSigned;
};
constexpr IntegerType kIntegerTypes[] = {{"U8", 8, false},  {"U16", 16, false}, {"U32", 32, false},
                                         {"S32", 32, true}, {"U64", 64, false}, {"S64", 64, true},
                                         {"S8", 8, true},   {"S16", 16, true}};
constexpr u32 kS32 = 3;

u32 takeIntegerType(Binder& b) {
  u32 place = 0;
  for (const IntegerType& type : kIntegerTypes) {
    if (b.take(type.name)) return place;
    ++place;
  }
  return kS32;
}

/// Saturating conversion of an exact value; `nanToZero` is `.NTZ`, without it a NaN gives 1 << (bits-1).
/// Narrow results are extended to 64 bits.
u64 toInteger(double value, const IntegerType& type, Rounding rounding, bool nanToZero) {
  if (std::isnan(value)) {
    u64 top = u64{1} << (type.bits - 1);
    return nanToZero ? 0 : type.isSigned ? ~top + 1 : top;
  }
  switch (rounding) {
  case Rounding::Nearest: value = std::nearbyint(value); break;
  case Rounding::Down: value = std::floor(value); break;
  case Rounding::Up: value = std::ceil(value); break;
  case Rounding::Zero: value = std::trunc(value); break;
  }
  if (type.isSigned) {
    double limit = std::ldexp(1.0, static_cast<int>(type.bits) - 1);
    i64 maximum = static_cast<i64>((u64{1} << (type.bits - 1)) - 1);
    if (value >= limit) return static_cast<u64>(maximum);
    if (value < -limit) return static_cast<u64>(-maximum - 1);
    return static_cast<u64>(static_cast<i64>(value));
  }
  if (value >= std::ldexp(1.0, static_cast<int>(type.bits)))
    return type.bits == 64 ? ~u64{0} : (u64{1} << type.bits) - 1;
  return value <= 0 ? 0 : static_cast<u64>(value);
}

/// toInteger of f32 to 32 bits, rounded towards zero: what C++ converts to.
template <bool Signed> void truncateFloats(Warp& w, const Op& op, LaneMask mask) {
  constexpr float kLowest = Signed ? -0x1p31f : 0, kAbove = Signed ? 0x1p31f : 0x1p32f;
  constexpr u32 kLeast = Signed ? 0x80000000 : 0, kMost = Signed ? 0x7fffffff : 0xffffffff;
  u32 ofNan = op.option[1] >> 9 & 1 ? 0 : 0x80000000;
  map1(w, op, mask, [ofNan](u32 bits) {
    float value = asFloat(bits);
    float inside = value >= kLowest && value < kAbove ? value : 0;
    u32 result = Signed ? static_cast<u32>(static_cast<i32>(inside)) : static_cast<u32>(inside);
    result = value >= kAbove ? kMost : result;
    result = value < kLowest ? kLeast : result;
    return value == value ? result : ofNan;
  });
}

/// F2I[.FTZ][.to][.from][.rounding][.NTZ]. Narrow results are extended to the register: ptxas -O3 stores
/// those of S8, S16 and U16 from f16, bf16 and f32 as 32-bit values without more ado; all others it masks.
void bindF2i(Binder& b) {
  b.op.option[0] = takeIntegerType(b);
  auto from = takeFloatType(b);
  bool flushes = b.take("FTZ"), nanToZero = b.take("NTZ");
  // PTX converts a NaN to 1 << (bits-1) if the source is f64 or the result has 64 bits, else to zero.
  const IntegerType& to = kIntegerTypes[b.op.option[0]];
  if (!nanToZero && from != FloatType::F64 && to.bits < 32 && to.isSigned) b.refuse();
  // What FTZ does to a subnormal of another type has not been settled.
  if (flushes && from != FloatType::F32) b.refuse();
  b.op.option[1] = static_cast<u32>(from) | (flushes ? 1u << 8 : 0) | (nanToZero ? 1u << 9 : 0);
  b.op.option[2] = static_cast<u32>(takeRounding(b));
  b.op.dst = to.bits == 64 ? b.destination64() : b.destination();
  b.op.src[0] = takeFloat(b, from, b.op.option[3]);
  if (from == FloatType::F32 && to.bits == 32 && b.op.option[2] == static_cast<u32>(Rounding::Zero)) {
    b.op.run = to.isSigned ? truncateFloats<true> : truncateFloats<false>;
    return;
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const IntegerType& to = kIntegerTypes[op.option[0]];
    auto from = static_cast<FloatType>(op.option[1] & 0xff);
    double value[kLanes];
    u64 out[kLanes];
    fetchFloats(w, op.src[0], from, op.option[3], op.option[1] >> 8 & 1, value);
    for (unsigned i = 0; i < kLanes; ++i)
      out[i] = toInteger(value[i], to, static_cast<Rounding>(op.option[2]), op.option[1] >> 9 & 1);
    if (to.bits == 64) {
      w.write64(op.dst, out, mask);
      return;
    }
    Lanes low;
    for (unsigned i = 0; i < kLanes; ++i)
      low.v[i] = static_cast<u32>(out[i]);
    w.write(op.dst, low.v, mask);
  };
}

// ---- integer to float

/// The source of a conversion, extended to 64 bits.
void fetchIntegers(Warp& w, const Source& source, const IntegerType& type, u32 offset, u64 (&value)[kLanes]) {
  if (type.bits == 64) {
    w.fetch64(source, value);
    return;
  }
  Lanes scratch;
  const u32* bits = w.fetch(source, scratch);
  unsigned above = 64 - type.bits;
  for (unsigned i = 0; i < kLanes; ++i) {
    u64 top = u64{bits[i] >> offset} << above;
    value[i] = type.isSigned ? static_cast<u64>(static_cast<i64>(top) >> above) : top >> above;
  }
}

void writeDoubles(Warp& w, const Op& op, LaneMask mask, bool isSigned, const u64 (&value)[kLanes]) {
  u64 out[kLanes];
  for (unsigned i = 0; i < kLanes; ++i)
    out[i] = std::bit_cast<u64>(isSigned ? static_cast<double>(static_cast<i64>(value[i]))
                                         : static_cast<double>(value[i]));
  w.write64(op.dst, out, mask);
}

void writeFloats(Warp& w, const Op& op, LaneMask mask, bool isSigned, const u64 (&value)[kLanes]) {
  Lanes out;
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] =
        asBits(isSigned ? static_cast<float>(static_cast<i64>(value[i])) : static_cast<float>(value[i]));
  w.write(op.dst, out.v, mask);
}

void writeHalves(Warp& w, const Op& op, LaneMask mask, bool isSigned, const u64 (&value)[kLanes],
                 const SmallFloat& format) {
  Lanes out;
  for (unsigned i = 0; i < kLanes; ++i) {
    bool negative = isSigned && static_cast<i64>(value[i]) < 0;
    out.v[i] = narrow(oddDouble(negative ? 0 - value[i] : value[i], negative), format,
                      static_cast<Rounding>(op.option[1]));
  }
  w.write(op.dst, out.v, mask);
}

/// I2F[.to][.from][.rounding] and I2FP to f32. Halves as in F2F.
void bindI2f(Binder& b) {
  b.op.option[0] = takeIntegerType(b);
  const IntegerType& from = kIntegerTypes[b.op.option[0]];
  auto to = takeFloatType(b);
  b.op.option[1] = static_cast<u32>(takeRounding(b));
  b.op.option[2] = static_cast<u32>(to);
  b.op.dst = to == FloatType::F64 ? b.destination64() : b.destination();
  b.op.src[0] = from.bits < 32    ? takePart(b, from.bits, b.op.option[3])
                : from.bits == 64 ? b.integer64()
                                  : b.integer();
  if (b.op.src[0].transform != Transform::None) b.refuse(); // not met
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const IntegerType& from = kIntegerTypes[op.option[0]];
    auto to = static_cast<FloatType>(op.option[2]);
    u64 value[kLanes];
    fetchIntegers(w, op.src[0], from, op.option[3], value);
    if (isHalf(to)) {
      writeHalves(w, op, mask, from.isSigned, value, formatOf(to));
      return;
    }
    RoundingScope scope(static_cast<Rounding>(op.option[1]));
    if (to == FloatType::F64)
      writeDoubles(w, op, mask, from.isSigned, value);
    else
      writeFloats(w, op, mask, from.isSigned, value);
  };
}

void bindI2fp(Binder& b) {
  if (!b.take("F32")) b.refuse();
  bindI2f(b);
  if (kIntegerTypes[b.op.option[0]].bits != 32) b.refuse();
}

constexpr OpcodeRow kRows[] = {
    {"F2F", bindF2f},           {"F2I", bindF2i},   {"UF2I", uniform<bindF2i>},   {"I2F", bindI2f},
    {"UI2F", uniform<bindI2f>}, {"I2FP", bindI2fp}, {"UI2FP", uniform<bindI2fp>},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::convertOpcodes() {
  return kRows;
}

} // namespace harness::sass
