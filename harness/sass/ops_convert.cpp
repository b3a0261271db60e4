#include "harness/sass/half.h"
#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"

#include <cmath>
#include <limits>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// A source that may be half of a register; only the low half is met.
Source takeHalfSource(Binder& b) {
  return b.integer();
}

// ---- float to float

/// F2F.F16.F32: the half in the low 16 bits, zeros above (ptxas -O3 stores the whole register for it). The
/// destination's type prints first.
void bindF2f(Binder& b) {
  if (b.nextModifier() != "F16" || b.nextModifier() != "F32") b.refuse();
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    RoundingScope scope(static_cast<Rounding>(op.option[0]));
    map1(w, op, mask, [](u32 a) { return u32{floatToHalf(asFloat(a))}; });
  };
}

/// F2FP.F16.F32.PACK_AB (sm_80–88 print F2FP.PACK_AB): two halves, the first source above the second.
void bindF2fp(Binder& b) {
  b.take("F16");
  b.take("F32");
  if (!b.take("PACK_AB")) b.refuse();
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    RoundingScope scope(static_cast<Rounding>(op.option[0]));
    map2(w, op, mask,
         [](u32 a, u32 c) { return u32{floatToHalf(asFloat(a))} << 16 | floatToHalf(asFloat(c)); });
  };
}

// ---- float to integer

struct IntegerFormat {
  std::string_view name;
  unsigned bits;
  bool isSigned;
};
constexpr IntegerFormat kIntegerFormats[] = {{"U8", 8, false},  {"U16", 16, false}, {"U32", 32, false},
                                             {"S32", 32, true}, {"U64", 64, false}, {"S64", 64, true},
                                             {"S8", 8, true},   {"S16", 16, true}};
constexpr u32 kS32 = 3;

u32 takeIntegerFormat(Binder& b) {
  u32 place = 0;
  for (const IntegerFormat& format : kIntegerFormats) {
    if (b.take(format.name)) return place;
    ++place;
  }
  return kS32;
}

enum class FloatFormat : u32 { F16, F32, F64 };

FloatFormat takeFloatFormat(Binder& b) {
  return static_cast<FloatFormat>(b.choice({"F16", "F32", "F64"}, static_cast<unsigned>(FloatFormat::F32)));
}

/// Saturating conversion of an exact value; `nanToZero` is `.NTZ`, without it a NaN gives 1 << (bits-1).
u64 toInteger(double value, const IntegerFormat& format, Rounding rounding, bool nanToZero) {
  if (std::isnan(value)) return nanToZero ? 0 : u64{1} << (format.bits - 1);
  switch (rounding) {
  case Rounding::Nearest: value = std::nearbyint(value); break;
  case Rounding::Down: value = std::floor(value); break;
  case Rounding::Up: value = std::ceil(value); break;
  case Rounding::Zero: value = std::trunc(value); break;
  }
  if (format.isSigned) {
    double limit = std::ldexp(1.0, static_cast<int>(format.bits) - 1);
    i64 maximum = static_cast<i64>((u64{1} << (format.bits - 1)) - 1);
    if (value >= limit) return static_cast<u64>(maximum);
    if (value < -limit) return static_cast<u64>(-maximum - 1);
    return static_cast<u64>(static_cast<i64>(value));
  }
  if (value >= std::ldexp(1.0, static_cast<int>(format.bits)))
    return format.bits == 64 ? ~u64{0} : (u64{1} << format.bits) - 1;
  return value <= 0 ? 0 : static_cast<u64>(value);
}

/// F2I[.FTZ][.dst][.src][.rounding][.NTZ]; an f16 source is the low half of its register. Narrow results are
/// extended to the register: ptxas -O3 stores those of S8, S16 and U16 as 32-bit values without more ado.
void bindF2i(Binder& b) {
  b.op.option[0] = takeIntegerFormat(b);
  auto from = takeFloatFormat(b);
  bool flushes = b.take("FTZ"), nanToZero = b.take("NTZ");
  b.op.option[1] = static_cast<u32>(from);
  b.op.option[2] = static_cast<u32>(takeRounding(b));
  b.op.option[3] = (flushes ? 1u : 0) | (nanToZero ? 2u : 0);
  b.op.dst = kIntegerFormats[b.op.option[0]].bits == 64 ? b.destination64() : b.destination();
  b.op.src[0] = from == FloatFormat::F64   ? b.real64()
                : from == FloatFormat::F16 ? takeHalfSource(b)
                                           : b.real();
  if (from == FloatFormat::F16 && b.op.src[0].transform != Transform::None) b.refuse();
  // What a NaN becomes in a narrow signed register has not been settled.
  const IntegerFormat& format = kIntegerFormats[b.op.option[0]];
  if (format.isSigned && format.bits < 32 && !nanToZero) b.refuse();
  // What FTZ does to a subnormal of another type has not been settled.
  if (flushes && from != FloatFormat::F32) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const IntegerFormat& format = kIntegerFormats[op.option[0]];
    auto source = static_cast<FloatFormat>(op.option[1]);
    u64 wide[kLanes], out[kLanes];
    Lanes scratch;
    const u32* narrow = nullptr;
    if (source == FloatFormat::F64)
      w.fetch64(op.src[0], wide);
    else
      narrow = w.fetch(op.src[0], scratch);
    for (unsigned i = 0; i < kLanes; ++i) {
      double value = 0;
      if (source == FloatFormat::F64)
        value = std::bit_cast<double>(wide[i]);
      else if (source == FloatFormat::F16)
        value = halfToFloat(static_cast<std::uint16_t>(narrow[i]));
      else
        value = asFloat(op.option[3] & 1 ? flush(narrow[i]) : narrow[i]);
      out[i] = toInteger(value, format, static_cast<Rounding>(op.option[2]), (op.option[3] & 2) != 0);
    }
    if (format.bits == 64) {
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

/// I2F[.dst][.src][.rounding] and I2FP to f32.
void bindI2f(Binder& b) {
  b.op.option[0] = takeIntegerFormat(b);
  const IntegerFormat& from = kIntegerFormats[b.op.option[0]];
  auto to = takeFloatFormat(b);
  if (to != FloatFormat::F32 || from.bits < 32) b.refuse();
  b.op.option[1] = static_cast<u32>(takeRounding(b));
  b.op.dst = b.destination();
  b.op.src[0] = from.bits == 64 ? b.integer64() : b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const IntegerFormat& format = kIntegerFormats[op.option[0]];
    RoundingScope scope(static_cast<Rounding>(op.option[1]));
    if (format.bits == 64) {
      u64 wide[kLanes];
      Lanes out;
      w.fetch64(op.src[0], wide);
      for (unsigned i = 0; i < kLanes; ++i)
        out.v[i] = asBits(format.isSigned ? static_cast<float>(static_cast<i64>(wide[i]))
                                          : static_cast<float>(wide[i]));
      w.write(op.dst, out.v, mask);
      return;
    }
    bool isSigned = format.isSigned;
    map1(w, op, mask, [isSigned](u32 a) {
      return asBits(isSigned ? static_cast<float>(static_cast<i32>(a)) : static_cast<float>(a));
    });
  };
}

void bindUi2f(Binder& b) {
  b.op.uniform = true;
  bindI2f(b);
}

constexpr OpcodeRow kRows[] = {{"F2F", bindF2f},  {"F2FP", bindF2fp}, {"F2I", bindF2i},   {"I2F", bindI2f},
                               {"I2FP", bindI2f}, {"UI2F", bindUi2f}, {"UI2FP", bindUi2f}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::convertOpcodes() {
  return kRows;
}

} // namespace harness::sass
