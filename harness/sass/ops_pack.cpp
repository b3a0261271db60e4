// Conversions that pack two or more results into a register, or take them out of one.

#include "harness/sass/lanes.h"
#include "harness/sass/small_float.h"

#include <algorithm>
#include <cmath>

namespace harness::sass {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;

// ---- F2FP

constexpr u32 kRelu = 1, kFinite = 2;

struct NarrowFormat {
  std::string_view name;
  const SmallFloat& format;
  unsigned bits; ///< of one packed element
};
constexpr NarrowFormat kNarrow[] = {
    {"E4M3", kE4M3, 8}, {"E5M2", kE5M2, 8}, {"E2M3", kE2M3, 8}, {"E3M2", kE3M2, 8}, {"E2M1", kE2M1, 4}};
/// Powers of two from 2^-127, 0xff is NaN.
constexpr std::string_view kScale = "E8";

/// Which of F16 and BF16, or nothing.
const SmallFloat* halfFormat(std::string_view name) {
  return name == "F16" ? &kHalf : name == "BF16" ? &kBfloat : nullptr;
}

/// The place of a narrow format in kNarrow; refuses another.
u32 narrowFormat(Binder& b, std::string_view name) {
  auto found = std::find_if(std::begin(kNarrow), std::end(kNarrow),
                            [name](const NarrowFormat& format) { return format.name == name; });
  if (found != std::end(kNarrow)) return static_cast<u32>(found - std::begin(kNarrow));
  b.refuse();
  return 0;
}

/// Relu keeps a NaN; that it makes -0 +0 is what max(x, +0) of cuda_fp16.hpp does.
u32 convert(double value, const SmallFloat& format, Rounding rounding, u32 form) {
  u32 bits = narrow(value, format, rounding, form & kFinite);
  return (form & kRelu) && (bits & format.sign()) ? 0 : bits;
}

float halfValue(u32 bits, bool isBf16) {
  return isBf16 ? asFloat(bits << 16) : halfToFloat(static_cast<u16>(bits));
}

/// cuda_fp8.hpp, __nv_cvt_float_to_e8m0: the exponent of the magnitude, rounded towards zero or up.
u32 toScale(float value, bool up, bool finite) {
  u32 magnitude = asBits(value) & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0xff;
  u32 exponent = magnitude >> 23;
  // 2^-127 itself is a subnormal f32.
  if (up && (magnitude & 0x7fffffu) && magnitude > 0x00400000u) ++exponent;
  return finite ? std::min(exponent, 0xfeu) : exponent;
}

u32 scaleToBf16(u32 scale) {
  return scale == 0xff ? kBfloat.nan : scale == 0 ? 0x0040u : scale << 7;
}

// Op::option of F2FP: [0] the place in kNarrow, or for packed halves 1 = BF16; [1] the rounding, or where
// there is but one, 1 = the halves of a narrow conversion are BF16; [2] kRelu and kFinite; [3] where the part
// of a source begins that is used.

/// The modifiers that tell one F2FP from another.
struct PackForm {
  std::string to, from;
  Rounding rounding;
};

/// PACK_AB: two f32 become halves, the first source above the second.
void bindPackHalves(Binder& b, const PackForm& form) {
  const SmallFloat* format = halfFormat(form.to);
  if (!format || form.from != "F32" ||
      (form.rounding != Rounding::Nearest && form.rounding != Rounding::Zero))
    b.refuse();
  b.op.option[0] = format == &kBfloat;
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const SmallFloat& format = op.option[0] ? kBfloat : kHalf;
    map2(w, op, mask, [&](u32 high, u32 low) {
      auto half = [&](u32 bits) {
        return convert(asFloat(bits), format, static_cast<Rounding>(op.option[1]), op.option[2]);
      };
      return half(high) << 16 | half(low);
    });
  };
}

/// MERGE_C: one f32 becomes a half, in the low 16 bits. What becomes of C is not known: only RZ is met.
void bindMergeHalf(Binder& b, const PackForm& form) {
  bindPackHalves(b, form);
  if (b.op.src[1].kind != Source::Kind::Register || b.op.src[1].index != kZeroRegister ||
      b.op.src[1].transform != Transform::None)
    b.refuse();
  std::swap(b.op.src[0], b.op.src[1]);
}

/// PACK_B: an f32 rounded to tf32, whose low 13 bits are zero.
void bindPackTf32(Binder& b, const PackForm& form) {
  if (form.to != "TF32" || form.from != "F32" ||
      (form.rounding != Rounding::Nearest && form.rounding != Rounding::Zero))
    b.refuse();
  b.op.src[0] = b.real();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map1(w, op, mask, [&op](u32 a) {
      // Which NaN it is, is not known.
      return convert(asFloat(a), kTf32, static_cast<Rounding>(op.option[1]), op.option[2]) << 13;
    });
  };
}

/// C of MERGE_C comes to stand above the result: over 16 bits the half of it that is named, else the low one
/// (so ptxas -O3 packs four fp8), over 8 bits what there is room for (eight fp4 in a chain of four).
/// option[3] holds how far C goes right, and in its second byte how far left.
void takeMerged(Binder& b, unsigned bits) {
  Binder::Part part = b.part();
  auto offset = partOffset(part.suffix, 16);
  if (!offset || part.negated || part.absolute || (bits != 16 && !part.suffix.empty())) b.refuse();
  b.op.src[2] = part.source;
  b.op.option[3] = offset.value_or(0) | bits << 8;
}

/// The 16 or 8 bits of two elements under C.
u32 merge(const Op& op, u32 elements, u32 c) {
  return elements | c >> (op.option[3] & 31) << (op.option[3] >> 8);
}

/// PACK_AB_MERGE_C: two f32 become elements of 8 or 4 bits, the first source above the second.
void bindPackNarrow(Binder& b, const PackForm& form) {
  if (form.from != "F32" || form.rounding != Rounding::Nearest || !(b.op.option[2] & kFinite)) b.refuse();
  b.op.option[0] = narrowFormat(b, form.to);
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  takeMerged(b, 2 * kNarrow[b.op.option[0]].bits);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const NarrowFormat& to = kNarrow[op.option[0]];
    map3(w, op, mask, [&](u32 high, u32 low, u32 c) {
      auto element = [&](u32 bits) {
        return convert(asFloat(bits), to.format, Rounding::Nearest, op.option[2]);
      };
      return merge(op, element(high) << to.bits | element(low), c);
    });
  };
}

/// UNPACK_B_MERGE_C: the same from the halves of one register.
void bindRepackNarrow(Binder& b, const PackForm& form) {
  if (form.rounding != Rounding::Nearest || !(b.op.option[2] & kFinite) || !halfFormat(form.from)) b.refuse();
  b.op.option[0] = narrowFormat(b, form.to);
  b.op.option[1] = form.from == "BF16";
  b.op.src[0] = b.integer();
  takeMerged(b, 2 * kNarrow[b.op.option[0]].bits);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const NarrowFormat& to = kNarrow[op.option[0]];
    map3(w, op, mask, [&](u32 halves, u32, u32 c) {
      auto element = [&](u32 half) {
        return convert(halfValue(half, op.option[1]), to.format, Rounding::Nearest, op.option[2]);
      };
      return merge(op, element(halves >> 16) << to.bits | element(halves & 0xffff), c);
    });
  };
}

/// The scales of two f32, or of the halves of one bf16 pair: RZ or RP.
void bindPackScale(Binder& b, const PackForm& form, bool repack) {
  if (form.from != (repack ? "BF16" : "F32") || (b.op.option[2] & kRelu) ||
      (form.rounding != Rounding::Zero && form.rounding != Rounding::Up))
    b.refuse();
  b.op.option[0] = repack;
  b.op.src[0] = repack ? b.integer() : b.real();
  if (!repack) b.op.src[1] = b.real();
  takeMerged(b, 16);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map3(w, op, mask, [&op](u32 high, u32 low, u32 c) {
      if (op.option[0]) {
        low = high << 16;
        high &= 0xffff0000u;
      }
      auto scale = [&op](u32 bits) {
        return toScale(asFloat(bits), static_cast<Rounding>(op.option[1]) == Rounding::Up,
                       op.option[2] & kFinite);
      };
      return merge(op, scale(high) << 8 | scale(low), c);
    });
  };
}

/// UNPACK_B: two elements of 8 or 4 bits become halves, exactly. To BF16 it multiplies by powers of two (E8);
/// both being one, 0x7f7f, is all that is met.
void bindUnpack(Binder& b, const PackForm& form) {
  const SmallFloat* to = halfFormat(form.to);
  if (!to || form.rounding != Rounding::Nearest || (b.op.option[2] & kFinite)) b.refuse();
  bool isScale = form.from == kScale;
  if (isScale && (to != &kBfloat || (b.op.option[2] & kRelu))) b.refuse();
  b.op.option[0] = isScale ? static_cast<u32>(std::size(kNarrow)) : narrowFormat(b, form.from);
  b.op.option[1] = to == &kBfloat;
  unsigned width = isScale ? 16 : 2 * kNarrow[b.op.option[0]].bits;
  Binder::Part part = b.part();
  auto offset = partOffset(part.suffix, width);
  if (!offset || part.negated || part.absolute) b.refuse();
  b.op.src[0] = part.source;
  b.op.option[3] = offset.value_or(0);
  if (to == &kBfloat && !isScale) {
    const TextOperand* ones = b.any(); // 0x7f7f, printed as an f32
    if (!ones || ones->text != "4.5736980577097704378e-41.H0") b.refuse();
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const SmallFloat& to = op.option[1] ? kBfloat : kHalf;
    bool isScale = op.option[0] == std::size(kNarrow);
    map1(w, op, mask, [&](u32 packed) {
      packed >>= op.option[3];
      if (isScale) return scaleToBf16(packed >> 8 & 0xff) << 16 | scaleToBf16(packed & 0xff);
      const NarrowFormat& from = kNarrow[op.option[0]];
      auto half = [&](u32 element) {
        return convert(widen(element, from.format), to, Rounding::Nearest, op.option[2]);
      };
      return half(packed >> from.bits) << 16 | half(packed);
    });
  };
}

/// F2FP[.SATFINITE][.RELU].to.from.kind[.rounding]. sm_80 leaves out what was not a choice yet: F2FP.PACK_AB
/// is F16.F32. `.RS`, whose random bits no public text gives a place, is refused.
void bindF2fp(Binder& b) {
  b.op.option[2] = (b.take("RELU") ? kRelu : 0) | (b.take("SATFINITE") ? kFinite : 0);
  PackForm form;
  form.rounding = takeRounding(b);
  b.op.option[1] = static_cast<u32>(form.rounding);
  unsigned kind =
      b.choice({"PACK_AB", "MERGE_C", "PACK_B", "PACK_AB_MERGE_C", "UNPACK_B_MERGE_C", "UNPACK_B"}, 6);
  form.to = b.nextModifier();
  form.from = b.nextModifier();
  if (kind <= 1 && form.from.empty()) form.from = "F32";
  if (kind <= 1 && form.to.empty()) form.to = "F16";
  b.op.dst = b.destination();
  switch (kind) {
  case 0: bindPackHalves(b, form); break;
  case 1: bindMergeHalf(b, form); break;
  case 2: bindPackTf32(b, form); break;
  case 3: form.to == kScale ? bindPackScale(b, form, false) : bindPackNarrow(b, form); break;
  case 4: form.to == kScale ? bindPackScale(b, form, true) : bindRepackNarrow(b, form); break;
  case 5: bindUnpack(b, form); break;
  default: b.refuse();
  }
}

// ---- F2IP

/// C comes to stand above the results (PTX ISA, cvt.pack). Its suffix, on results of less than 8 bits, says
/// how many bits of it are left.
void takeUpper(Binder& b, unsigned bits) {
  Binder::Part part = b.part();
  std::string expected = bits < 8 ? std::to_string(32 - 2 * bits) : "";
  if (part.suffix != expected || part.negated || part.absolute) b.refuse();
  b.op.src[2] = part.source;
}

/// F2IP.U8.F32: two f32 as saturated bytes, the first source above the second, below the low half of C.
void bindF2ip(Binder& b) {
  if (!b.take("U8") || !b.take("F32") || !b.take("NTZ")) b.refuse();
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  b.op.dst = b.destination();
  b.op.src[0] = b.real();
  b.op.src[1] = b.real();
  takeUpper(b, 8);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    RoundingScope scope(static_cast<Rounding>(op.option[0]));
    map3(w, op, mask, [](u32 high, u32 low, u32 c) {
      auto byte = [](u32 bits) {
        float value = std::nearbyint(asFloat(bits));
        return value > 0 ? static_cast<u32>(std::min(value, 255.0f)) : 0u; // a NaN is 0
      };
      return c << 16 | byte(high) << 8 | byte(low);
    });
  };
}

struct PackedInteger {
  std::string_view name;
  unsigned bits;
  bool isSigned;
};
constexpr PackedInteger kPackedIntegers[] = {{"U2", 2, false},   {"U4", 4, false}, {"U8", 8, false},
                                             {"U16", 16, false}, {"S2", 2, true},  {"S4", 4, true},
                                             {"S8", 8, true},    {"S16", 16, true}};

constexpr OpcodeRow kRows[] = {{"F2FP", bindF2fp}, {"F2IP", bindF2ip}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::packOpcodes() {
  return kRows;
}

} // namespace harness::sass
