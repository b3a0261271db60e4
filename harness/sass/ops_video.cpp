// Integers narrower than a register, several to a word; minima, maxima and what is fused with them.

#include "harness/sass/lanes.h"

#include <algorithm>
#include <limits>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// ---- parts of a word

/// The part of `Bits` bits that begins at bit `at`.
template <unsigned Bits, bool Signed> i64 partAt(u32 word, unsigned at) {
  u32 up = word << (32 - Bits - at);
  return Signed ? i64{static_cast<i32>(up) >> (32 - Bits)} : i64{up >> (32 - Bits)};
}

/// f on every part of words; of its results the low `Bits` bits are kept.
template <unsigned Bits, bool Signed, typename F, typename... Words> u32 eachPart(F f, Words... words) {
  u32 result = 0;
  for (unsigned at = 0; at < 32; at += Bits)
    result |= (static_cast<u32>(f(partAt<Bits, Signed>(words, at)...)) & ~u32{0} >> (32 - Bits)) << at;
  return result;
}

/// The value of `Bits` bits nearest to x.
template <unsigned Bits, bool Signed> i64 saturate(i64 x) {
  return Signed ? std::clamp(x, -(i64{1} << (Bits - 1)), (i64{1} << (Bits - 1)) - 1)
                : std::clamp(x, i64{0}, (i64{1} << Bits) - 1);
}

/// The low `Bits` bits of x as a value.
template <unsigned Bits, bool Signed> i64 wrap(i64 x) {
  return partAt<Bits, Signed>(static_cast<u32>(x), 0);
}

/// How the words of an instruction are divided.
enum PartType : unsigned { kS32, kU32, kS16x2, kU16x2, kS8x4, kU8x4, kPartTypes };

/// Takes the type; without one it is S32.
PartType takePartType(Binder& b) {
  return static_cast<PartType>(b.choice({"S32", "U32", "S16x2", "U16x2", "S8x4", "U8x4"}, kS32));
}

/// Rows of a table over part types: Run<Bits, Signed>::run.
template <template <unsigned, bool> typename Run> OpFunction forType(PartType type) {
  static constexpr OpFunction kRun[kPartTypes] = {Run<32, true>::run, Run<32, false>::run,
                                                  Run<16, true>::run, Run<16, false>::run,
                                                  Run<8, true>::run,  Run<8, false>::run};
  return kRun[type];
}

/// Takes the minus sign off a source: parts are negated one by one, and a saturated sum sees the exact value.
bool takeNegation(Source& source) {
  if (source.transform != Transform::IntNegate) return false;
  source.transform = Transform::None;
  return true;
}

/// What stands in option[0]: signs that were taken off src[0] and src[1], and a result clamped at 0.
enum Form : u32 { kNegateFirst = 1, kNegateSecond = 2, kRelu = 4 };

u32 takeNegations(Binder& b) {
  return (takeNegation(b.op.src[0]) ? kNegateFirst : 0u) | (takeNegation(b.op.src[1]) ? kNegateSecond : 0u);
}

/// f(±a, ±b) with the signs of `form`.
template <typename F> auto withSigns(u32 form, F f) {
  return [form, f](i64 x, i64 y) { return f(form & kNegateFirst ? -x : x, form & kNegateSecond ? -y : y); };
}

// ---- addition

template <unsigned Bits, bool Signed> struct AddParts {
  static void run(Warp& w, const Op& op, LaneMask mask) {
    u32 form = op.option[0];
    map2(w, op, mask, [form](u32 a, u32 b) {
      return eachPart<Bits, Signed>(withSigns(form, [](i64 x, i64 y) { return x + y; }), a, b);
    });
  }
};

template <unsigned Bits, bool Signed> struct AddSaturated {
  static void run(Warp& w, const Op& op, LaneMask mask) {
    u32 form = op.option[0];
    map2(w, op, mask, [form](u32 a, u32 b) {
      return eachPart<Bits, Signed>(
          withSigns(form, [](i64 x, i64 y) { return saturate<Bits, Signed>(x + y); }), a, b);
    });
  }
};

/// VIADD: a sum of words or parts. ISAT clamps the exact sum, of which a negated source is the exact -x.
void bindViadd(Binder& b) {
  bool isSaturated = b.take("ISAT");
  // Without saturation nothing depends on the sign.
  PartType type = b.take("16x2") ? kU16x2 : takePartType(b);
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  if (b.op.src[0].transform == Transform::IntNot || b.op.src[1].transform == Transform::IntNot) b.refuse();
  b.op.option[0] = takeNegations(b);
  b.op.run = isSaturated ? forType<AddSaturated>(type) : forType<AddParts>(type);
}

// ---- minimum and maximum

template <typename T> T chosen(bool minimum, T x, T y) {
  return minimum ? std::min(x, y) : std::max(x, y);
}

/// Words, the common case.
template <typename T> void minMax(Warp& w, const Op& op, LaneMask mask) {
  LaneMask minimum = w.fetch(op.psrc[0]);
  Lanes s0, s1, out;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] = static_cast<u32>(chosen((minimum >> i & 1) != 0, static_cast<T>(a[i]), static_cast<T>(b[i])));
  w.write(op.dst, out.v, mask);
}

template <typename T> void minMax64(Warp& w, const Op& op, LaneMask mask) {
  LaneMask minimum = w.fetch(op.psrc[0]);
  u64 a[kLanes], b[kLanes];
  w.fetch64(op.src[0], a);
  w.fetch64(op.src[1], b);
  for (unsigned i = 0; i < kLanes; ++i)
    a[i] = static_cast<u64>(chosen((minimum >> i & 1) != 0, static_cast<T>(a[i]), static_cast<T>(b[i])));
  w.write64(op.dst, a, mask);
}

/// pdst0 = in the lowest part src0 won or tied
template <unsigned Bits, bool Signed> struct MinMaxParts {
  static void run(Warp& w, const Op& op, LaneMask mask) {
    LaneMask minimum = w.fetch(op.psrc[0]), won = 0;
    i64 lowest = op.option[0] & kRelu ? 0 : std::numeric_limits<i64>::min();
    Lanes s0, s1, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* b = w.fetch(op.src[1], s1);
    for (unsigned i = 0; i < kLanes; ++i) {
      bool least = (minimum >> i & 1) != 0;
      out.v[i] = eachPart<Bits, Signed>([=](i64 x, i64 y) { return std::max(chosen(least, x, y), lowest); },
                                        a[i], b[i]);
      i64 x = partAt<Bits, Signed>(a[i], 0), y = partAt<Bits, Signed>(b[i], 0);
      won |= LaneMask{least ? x <= y : x >= y} << i;
    }
    w.write(op.dst, out.v, mask);
    w.write(op.pdst[0], won, mask);
  }
};

/// Takes RELU, which has a meaning for signed types only.
u32 takeRelu(Binder& b, PartType type) {
  if (!b.take("RELU")) return 0;
  if (type != kS32 && type != kS16x2) b.refuse();
  return kRelu;
}

/// Takes the two predicates out that some architectures print, where they have to be none.
void takeNoPredicates(Binder& b) {
  if (!b.peekPredicate()) return;
  for (int i = 0; i < 2; ++i)
    if (b.predicateDestination().index != kTruePredicate) b.refuse();
}

/// IMNMX.S64 PT, PT, Rd, a, b, minimum, !PT
void bindMinMax64(Binder& b, bool isUnsigned) {
  takeNoPredicates(b);
  b.op.dst = b.destination64();
  b.op.src[0] = b.integer64();
  b.op.src[1] = b.integer64();
  b.op.psrc[0] = b.predicate();
  // What the last predicate asks for is not known.
  PredicateSource last = b.predicate();
  if (last.index != kTruePredicate || !last.negated) b.refuse();
  for (const Source& source : std::span(b.op.src, 2))
    if (source.transform != Transform::None) b.refuse();
  b.op.run = isUnsigned ? minMax64<u64> : minMax64<i64>;
}

/// The predicates out of a minimum of halves: ptxas names one twice, and the lower half's comparison stays in
/// it (known from results on hardware). Which is which of two different ones is not known.
void takeHalvesPredicate(Binder& b) {
  if (!b.peekPredicate()) return;
  b.op.pdst[0] = b.predicateDestination();
  if (b.predicateDestination().index != b.op.pdst[0].index) b.refuse();
}

/// IMNMX and VIMNMX: a true last predicate asks for the minimum.
void bindMinMax(Binder& b) {
  if (b.take("S64")) return bindMinMax64(b, false);
  if (b.take("U64")) return bindMinMax64(b, true);
  PartType type = takePartType(b);
  b.op.option[0] = takeRelu(b, type);
  b.op.dst = b.destination();
  if ((type == kS16x2 || type == kU16x2) && !b.op.option[0])
    takeHalvesPredicate(b);
  else
    takeNoPredicates(b);
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  b.op.psrc[0] = b.predicate();
  bool isPlain = type <= kU32 && !b.op.option[0];
  b.op.run = isPlain ? (type == kU32 ? minMax<u32> : minMax<i32>) : forType<MinMaxParts>(type);
  bool hasParts = type >= kS16x2;
  for (const Source& source : std::span(b.op.src, 2))
    if (hasParts && source.transform != Transform::None) b.refuse();
}

/// dst = minmax(f(src0, src1), src2) of parts; f is given whether the minimum is wanted.
template <unsigned Bits, bool Signed, typename F> void minMaxOf(Warp& w, const Op& op, LaneMask mask, F f) {
  LaneMask minimum = w.fetch(op.psrc[0]);
  i64 lowest = op.option[0] & kRelu ? 0 : std::numeric_limits<i64>::min();
  Lanes s0, s1, s2, out;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  const u32* c = w.fetch(op.src[2], s2);
  for (unsigned i = 0; i < kLanes; ++i) {
    bool least = (minimum >> i & 1) != 0;
    out.v[i] = eachPart<Bits, Signed>(
        [=](i64 x, i64 y, i64 z) { return std::max(chosen(least, f(least, x, y), z), lowest); }, a[i], b[i],
        c[i]);
  }
  w.write(op.dst, out.v, mask);
}

template <unsigned Bits, bool Signed> struct MinMax3 {
  static void run(Warp& w, const Op& op, LaneMask mask) {
    minMaxOf<Bits, Signed>(w, op, mask, [](bool least, i64 x, i64 y) { return chosen(least, x, y); });
  }
};

/// The sum wraps before it is compared.
template <unsigned Bits, bool Signed> struct AddMinMax {
  static void run(Warp& w, const Op& op, LaneMask mask) {
    auto sum = withSigns(op.option[0], [](i64 x, i64 y) { return wrap<Bits, Signed>(x + y); });
    minMaxOf<Bits, Signed>(w, op, mask, [sum](bool, i64 x, i64 y) { return sum(x, y); });
  }
};

/// VIMNMX3 and VIADDMNMX: three sources, the predicate as above.
template <template <unsigned, bool> typename Run, bool MayNegate> void bindMinMaxOf(Binder& b) {
  PartType type = takePartType(b);
  u32 form = takeRelu(b, type);
  b.op.dst = b.destination();
  takeNoPredicates(b);
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  b.op.psrc[0] = b.predicate();
  if (MayNegate) form |= takeNegations(b);
  b.op.option[0] = form;
  for (const Source& source : std::span(b.op.src, 3))
    if (source.transform != Transform::None) b.refuse();
  b.op.run = forType<Run>(type);
}

// ---- absolute differences

template <typename T> void absoluteDifference(Warp& w, const Op& op, LaneMask mask) {
  map3(w, op, mask, [](u32 a, u32 b, u32 c) {
    i64 difference = i64{static_cast<T>(a)} - i64{static_cast<T>(b)};
    return static_cast<u32>(difference < 0 ? -difference : difference) + c;
  });
}

/// No transformed source: how signs and differences combine is not met in real code.
void refuseTransforms(Binder& b) {
  for (const Source& source : std::span(b.op.src, 3))
    if (source.transform != Transform::None) b.refuse();
}

void takeThree(Binder& b) {
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  refuseTransforms(b);
}

/// VABSDIFF: |a - b| + c
void bindVabsdiff(Binder& b) {
  bool isUnsigned = b.take("U32");
  takeThree(b);
  b.op.run = isUnsigned ? absoluteDifference<u32> : absoluteDifference<i32>;
}

template <bool Signed> void absoluteDifferences(Warp& w, const Op& op, LaneMask mask) {
  auto difference = [](i64 x, i64 y) { return x < y ? y - x : x - y; };
  if (!op.option[0]) {
    map2(w, op, mask, [=](u32 a, u32 b) { return eachPart<8, Signed>(difference, a, b); });
    return;
  }
  map3(w, op, mask, [=](u32 a, u32 b, u32 c) {
    for (unsigned at = 0; at < 32; at += 8)
      c += static_cast<u32>(difference(partAt<8, Signed>(a, at), partAt<8, Signed>(b, at)));
    return c;
  });
}

/// VABSDIFF4: of bytes, signed without U8. ACC adds them all to c, which otherwise has no effect.
void bindVabsdiff4(Binder& b) {
  bool isUnsigned = b.take("U8");
  b.op.option[0] = b.take("ACC");
  takeThree(b);
  b.op.run = isUnsigned ? absoluteDifferences<false> : absoluteDifferences<true>;
}

// ---- dot products

/// Σ a's part i × b's byte first+i, plus c
template <unsigned Bits, bool SignedA, bool SignedB> void dotProduct(Warp& w, const Op& op, LaneMask mask) {
  unsigned first = op.option[0];
  map3(w, op, mask, [first](u32 a, u32 b, u32 c) {
    for (unsigned i = 0; i < 32 / Bits; ++i)
      c += static_cast<u32>(partAt<Bits, SignedA>(a, Bits * i) * partAt<8, SignedB>(b, 8 * (first + i)));
    return c;
  });
}

/// Takes "S<bits>" or "U<bits>", in printed order.
bool takeSign(Binder& b, const char* isSigned, const char* isUnsigned) {
  std::string name = b.nextModifier();
  if (name != isSigned && name != isUnsigned) b.refuse();
  return name == isSigned;
}

/// IDP.4A.S8.U8: four bytes by four bytes; IDP.2A.LO.S16.U8: two halves by the low or high two bytes.
void bindIdp(Binder& b) {
  unsigned count = b.choice({"4A", "2A"}, 2), place = b.choice({"LO", "HI"}, 2);
  if (count == 2 || (count == 1) != (place != 2)) b.refuse();
  bool halves = count == 1;
  bool signedA = halves ? takeSign(b, "S16", "U16") : takeSign(b, "S8", "U8");
  bool signedB = takeSign(b, "S8", "U8");
  takeThree(b);
  b.op.option[0] = place == 1 ? 2 : 0;
  static constexpr OpFunction kRun[2][2][2] = {{{dotProduct<8, false, false>, dotProduct<8, false, true>},
                                                {dotProduct<8, true, false>, dotProduct<8, true, true>}},
                                               {{dotProduct<16, false, false>, dotProduct<16, false, true>},
                                                {dotProduct<16, true, false>, dotProduct<16, true, true>}}};
  b.op.run = kRun[halves][signedA][signedB];
}

// ---- narrowing

/// The types of I2I and I2IP.
struct NarrowType {
  std::string_view name;
  unsigned bits;
  i64 least, most;
};
constexpr NarrowType kNarrowTypes[] = {
    {"S16", 16, -32768, 32767}, {"U16", 16, 0, 65535}, {"S8", 8, -128, 127}, {"U8", 8, 0, 255},
    {"S4", 4, -8, 7},           {"U4", 4, 0, 15},      {"S2", 2, -2, 1},     {"U2", 2, 0, 3},
};

/// ".S8.S32.SAT": its type's place in kNarrowTypes.
u32 takeNarrowing(Binder& b) {
  std::string name = b.nextModifier();
  const auto* type = std::find_if(std::begin(kNarrowTypes), std::end(kNarrowTypes),
                                  [&name](const NarrowType& t) { return t.name == name; });
  if (type == std::end(kNarrowTypes) || b.nextModifier() != "S32" || b.nextModifier() != "SAT") {
    b.refuse();
    return 0;
  }
  return static_cast<u32>(type - kNarrowTypes);
}

u32 narrowed(const NarrowType& type, u32 value) {
  return static_cast<u32>(std::clamp(i64{static_cast<i32>(value)}, type.least, type.most));
}

/// I2I.S8.S32.SAT: the nearest value of the narrow type, extended to a word.
void bindI2i(Binder& b) {
  b.op.option[0] = takeNarrowing(b);
  if (kNarrowTypes[b.op.option[0]].bits < 8) b.refuse();
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const NarrowType& type = kNarrowTypes[op.option[0]];
    map1(w, op, mask, [&type](u32 a) { return narrowed(type, a); });
  };
}

/// The last operand of I2IP: what is shifted up to make room. Its lower bits that stay are named in a suffix
/// for the types below 8 bits: "R4.24", "R4.28".
Source takeShiftedUp(Binder& b, unsigned bits) {
  const TextOperand* operand = b.peek();
  if (bits >= 8 || !operand || operand->kind != OperandKind::Register) return b.integer();
  std::vector<std::string> wanted = {std::to_string(32 - 2 * bits)};
  if (operand->suffixes != wanted || operand->negated || operand->inverted || operand->absolute) b.refuse();
  Source source;
  source.kind = Source::Kind::Register;
  source.index = static_cast<std::uint8_t>(b.any()->index);
  return source;
}

/// I2IP.U8.S32.SAT: c << 16 | a << 8 | b with a and b narrowed; of 16 bits there is no room for c.
void bindI2ip(Binder& b) {
  b.op.option[0] = takeNarrowing(b);
  unsigned bits = kNarrowTypes[b.op.option[0]].bits;
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  b.op.src[2] = takeShiftedUp(b, bits);
  refuseTransforms(b);
  const Source& upper = b.op.src[2];
  if (bits == 16 && (upper.kind != Source::Kind::Register || upper.index != kZeroRegister)) b.refuse();
  if (bits < 8 && upper.kind != Source::Kind::Register) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const NarrowType& type = kNarrowTypes[op.option[0]];
    map3(w, op, mask, [&type](u32 a, u32 b, u32 c) {
      u32 keep = ~u32{0} >> (32 - type.bits);
      u32 pair = (narrowed(type, a) & keep) << type.bits | (narrowed(type, b) & keep);
      return static_cast<u32>(u64{c} << (2 * type.bits)) | pair;
    });
  };
}

constexpr auto bindVimnmx3 = bindMinMaxOf<MinMax3, false>;
constexpr auto bindViaddmnmx = bindMinMaxOf<AddMinMax, true>;

constexpr OpcodeRow kRows[] = {
    {"VIADD", bindViadd},       {"UVIADD", uniform<bindViadd>},
    {"IMNMX", bindMinMax},      {"UIMNMX", uniform<bindMinMax>},
    {"VIMNMX", bindMinMax},     {"UVIMNMX", uniform<bindMinMax>},
    {"VIMNMX3", bindVimnmx3},   {"VIADDMNMX", bindViaddmnmx},
    {"VABSDIFF", bindVabsdiff}, {"VABSDIFF4", bindVabsdiff4},
    {"IDP", bindIdp},           {"I2I", bindI2i},
    {"I2IP", bindI2ip},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::videoOpcodes() {
  return kRows;
}

} // namespace harness::sass
