#include "harness/sass/lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// ---- moves and selects

void bindMov(Binder& b) {
  if (b.take("64")) {
    b.op.dst = b.destination64();
    b.op.src[0] = b.integer64();
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      u64 value[kLanes];
      w.fetch64(op.src[0], value);
      w.write64(op.dst, value, mask);
    };
    return;
  }
  b.take("U32");
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { map1(w, op, mask, [](u32 a) { return a; }); };
}

void bindSel64(Binder& b) {
  b.op.dst = b.destination64();
  b.op.src[0] = b.integer64();
  b.op.src[1] = b.integer64();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask first = w.fetch(op.psrc[0]);
    u64 a[kLanes], c[kLanes];
    w.fetch64(op.src[0], a);
    w.fetch64(op.src[1], c);
    for (unsigned i = 0; i < kLanes; ++i)
      a[i] = (first >> i & 1) ? a[i] : c[i];
    w.write64(op.dst, a, mask);
  };
}

void bindSel(Binder& b) {
  if (b.take("64")) return bindSel64(b);
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask first = w.fetch(op.psrc[0]);
    Lanes s0, s1, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* c = w.fetch(op.src[1], s1);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = (first >> i & 1) ? a[i] : c[i];
    w.write(op.dst, out.v, mask);
  };
}

/// PRMT in its generic mode: selector nibble = byte of {c, a}, its bit 3 replicates that byte's sign.
u32 permute(u32 a, u32 selector, u32 c) {
  u64 bytes = a | u64{c} << 32;
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    u32 nibble = selector >> (4 * i) & 0xf;
    u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7))) & 0xff;
    if (nibble & 8) byte = (byte & 0x80) ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/// The other modes: the low two bits of the selector choose one of four generic selectors (PTX prmt).
struct PermuteMode {
  std::string_view name;
  u32 selectors[4];
};
constexpr PermuteMode kPermuteModes[] = {
    {"F4E", {0x3210, 0x4321, 0x5432, 0x6543}}, {"B4E", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"RC8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ECL", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ECR", {0x0000, 0x1110, 0x2210, 0x3210}}, {"RC16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

void bindPrmt(Binder& b) {
  const auto* mode = std::find_if(std::begin(kPermuteModes), std::end(kPermuteModes),
                                  [&b](const PermuteMode& m) { return b.take(m.name); });
  b.op.option[0] = static_cast<u32>(mode - kPermuteModes);
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  if (mode == std::end(kPermuteModes))
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) { map3(w, op, mask, permute); };
  else
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      const u32(&selectors)[4] = kPermuteModes[op.option[0]].selectors;
      map3(w, op, mask, [&](u32 a, u32 selector, u32 c) { return permute(a, selectors[selector & 3], c); });
    };
}

// ---- addition

/// In a sum with carries a negated source counts as ~x, with 1 added in the carry arithmetic, so that a + -0
/// carries out 1. The ones go to option[0].
void splitNegated(Op& op) {
  for (Source& source : op.src) {
    if (source.transform != Transform::IntNegate) continue;
    source.transform = Transform::IntNot;
    ++op.option[0];
  }
}

/// Writes sums of 32-bit words and their carries: pdst0 = sum ≥ 2^32, pdst1 = sum ≥ 2^33.
void writeSums(Warp& w, const Op& op, LaneMask mask, const u64 (&sum)[kLanes]) {
  Lanes out, above;
  for (unsigned i = 0; i < kLanes; ++i) {
    out.v[i] = static_cast<u32>(sum[i]);
    above.v[i] = static_cast<u32>(sum[i] >> 32);
  }
  w.write(op.dst, out.v, mask);
  if (op.pdst[0].index != kTruePredicate) w.write(op.pdst[0], nonZeroLanes(above), mask);
  if (op.pdst[1].index == kTruePredicate) return;
  for (u32& carries : above.v)
    carries >>= 1;
  w.write(op.pdst[1], nonZeroLanes(above), mask);
}

void add3(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, s2;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  const u32* c = w.fetch(op.src[2], s2);
  u64 sum[kLanes], ones = op.option[0];
  for (unsigned i = 0; i < kLanes; ++i)
    sum[i] = u64{a[i]} + b[i] + c[i] + ones;
  writeSums(w, op, mask, sum);
}

/// The same without carries out: the common case, kept short.
void add3Plain(Warp& w, const Op& op, LaneMask mask) {
  map3(w, op, mask, [](u32 a, u32 b, u32 c) { return a + b + c; });
}

void add3Extended(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, s2;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  const u32* c = w.fetch(op.src[2], s2);
  LaneMask in0 = w.fetch(op.psrc[0]), in1 = w.fetch(op.psrc[1]);
  u64 sum[kLanes];
  for (unsigned i = 0; i < kLanes; ++i)
    sum[i] = u64{a[i]} + b[i] + c[i] + (in0 >> i & 1) + (in1 >> i & 1);
  writeSums(w, op, mask, sum);
}

/// Takes the carries out that stand after the destination.
void takeCarries(Binder& b) {
  for (PredicateDestination& carry : b.op.pdst)
    if (b.peekPredicate()) carry = b.predicateDestination();
}

/// With a carry in, sources may be inverted but not negated.
void refuseNegated(Binder& b, unsigned sources) {
  for (unsigned i = 0; i < sources; ++i)
    if (b.op.src[i].transform == Transform::IntNegate) b.refuse();
}

/// Two negated sources can carry out twice: without room for both carries it is not settled what is left.
void refuseTwoNegated(Binder& b) {
  auto negated = std::count_if(std::begin(b.op.src), std::end(b.op.src),
                               [](const Source& s) { return s.transform == Transform::IntNegate; });
  if (negated > 1 && (b.op.pdst[0].index != 7) != (b.op.pdst[1].index != 7)) b.refuse();
}

void bindAdd64(Binder& b);

void bindIadd3(Binder& b) {
  if (b.take("64")) return bindAdd64(b);
  bool extended = b.take("X");
  b.op.dst = b.destination();
  takeCarries(b);
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  refuseTwoNegated(b);
  if (!extended) {
    bool carries = b.op.pdst[0].index != 7 || b.op.pdst[1].index != 7;
    if (carries) splitNegated(b.op);
    b.op.run = carries ? add3 : add3Plain;
    return;
  }
  refuseNegated(b, 3);
  b.op.psrc[0] = b.predicate();
  b.op.psrc[1] = b.predicate();
  b.op.run = add3Extended;
}

/// IADD: two sources.
void bindIadd(Binder& b) {
  if (b.take("64")) return bindAdd64(b);
  bool extended = b.take("X");
  b.op.dst = b.destination();
  takeCarries(b);
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  refuseTwoNegated(b);
  if (!extended) {
    splitNegated(b.op);
    b.op.run = add3; // src[2] is 0
    return;
  }
  refuseNegated(b, 2);
  b.op.psrc[0] = b.predicate();
  b.op.psrc[1] = {7, false, true};
  b.op.run = add3Extended;
}

void bindAdd64(Binder& b) {
  bool extended = b.take("X");
  b.op.dst = b.destination64();
  takeCarries(b);
  b.op.src[0] = b.integer64();
  b.op.src[1] = b.integer64();
  // UIADD3.64 prints a third source.
  if (b.operandsLeft() && !b.peekPredicate()) b.op.src[2] = b.integer64();
  refuseTwoNegated(b);
  if (extended) {
    refuseNegated(b, 3);
    b.op.psrc[0] = b.predicate();
  } else {
    b.op.psrc[0] = {7, false, true};
  }
  splitNegated(b.op);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 x[kLanes], y[kLanes], z[kLanes], ones = op.option[0];
    w.fetch64(op.src[0], x);
    w.fetch64(op.src[1], y);
    w.fetch64(op.src[2], z);
    LaneMask in = w.fetch(op.psrc[0]), carry = 0, carry2 = 0;
    for (unsigned i = 0; i < kLanes; ++i) {
      unsigned __int128 sum = static_cast<unsigned __int128>(x[i]) + y[i] + z[i] + ones + (in >> i & 1);
      x[i] = static_cast<u64>(sum);
      carry |= LaneMask{sum >> 64 != 0} << i;
      carry2 |= LaneMask{sum >> 65 != 0} << i;
    }
    w.write64(op.dst, x, mask);
    w.write(op.pdst[0], carry, mask);
    w.write(op.pdst[1], carry2, mask);
  };
}

// ---- multiplication

void multiplyAdd(Warp& w, const Op& op, LaneMask mask) {
  map3(w, op, mask, [](u32 a, u32 b, u32 c) { return a * b + c; });
}

void multiplyAddExtended(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, s2, out;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  const u32* c = w.fetch(op.src[2], s2);
  LaneMask in = w.fetch(op.psrc[0]);
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] = a[i] * b[i] + c[i] + (in >> i & 1);
  w.write(op.dst, out.v, mask);
}

/// 64-bit a*b + c with c a pair; `High` keeps the upper word.
template <bool Signed, bool High> void multiplyAddWide(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, high;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  u64 sum[kLanes];
  w.fetch64(op.src[2], sum);
  LaneMask in = w.fetch(op.psrc[0]);
  Lanes carry;
  for (unsigned i = 0; i < kLanes; ++i) {
    u64 product =
        Signed ? static_cast<u64>(i64{static_cast<i32>(a[i])} * static_cast<i32>(b[i])) : u64{a[i]} * b[i];
    u64 withoutCarry = product + sum[i], total = withoutCarry + (in >> i & 1);
    carry.v[i] = static_cast<u32>(withoutCarry < product) | static_cast<u32>(total < withoutCarry);
    sum[i] = total;
    high.v[i] = static_cast<u32>(total >> 32);
  }
  if constexpr (High)
    w.write(op.dst, high.v, mask);
  else
    w.write64(op.dst, sum, mask);
  w.write(op.pdst[0], nonZeroLanes(carry), mask);
}

/// The common case of it: all of the result, no carries.
template <bool Signed> void multiplyAddPair(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1;
  const u32* a = w.fetch(op.src[0], s0);
  const u32* b = w.fetch(op.src[1], s1);
  Pair c(w, op.src[2]);
  writePairs(w, op.dst, mask, [a, b, low = c.low, high = c.high](unsigned i) {
    u64 product =
        Signed ? static_cast<u64>(i64{static_cast<i32>(a[i])} * static_cast<i32>(b[i])) : u64{a[i]} * b[i];
    return product + (low[i] | u64{high[i]} << 32);
  });
}

void bindImad(Binder& b) {
  // Spellings of a*b+c that nvdisasm chooses by operands.
  b.ignore({"MOV", "IADD", "SHL"});
  bool isUnsigned = b.take("U32");
  bool wide = b.take("WIDE"), high = b.take("HI"), extended = b.take("X");
  b.op.dst = wide ? b.destination64() : b.destination();
  if (b.peekPredicate()) b.op.pdst[0] = b.predicateDestination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  b.op.src[2] = wide || high ? b.integer64() : b.integer();
  b.op.psrc[0] = {7, false, true};
  if (extended) {
    refuseNegated(b, 3);
    b.op.psrc[0] = b.predicate();
    // Only the addend is inverted in real code.
    if (b.op.src[0].transform != Transform::None || b.op.src[1].transform != Transform::None) b.refuse();
  }
  if (!wide && !high) {
    if (b.op.pdst[0].index != 7) b.refuse();
    b.op.run = extended ? multiplyAddExtended : multiplyAdd;
    return;
  }
  // Signs inside a wide product are not met in real code.
  if (b.op.src[0].transform != Transform::None || b.op.src[1].transform != Transform::None) b.refuse();
  if (wide && high) b.refuse();
  // Carries out of negated addends and of signed products have not been settled, nor how a number is extended
  // to an addend of 64 bits.
  if (b.op.pdst[0].index != 7 && (b.op.src[2].transform != Transform::None || !isUnsigned)) b.refuse();
  if (b.op.src[2].kind == Source::Kind::Immediate) b.refuse();
  if (wide && !extended && b.op.pdst[0].index == kTruePredicate)
    b.op.run = isUnsigned ? multiplyAddPair<false> : multiplyAddPair<true>;
  else if (wide)
    b.op.run = isUnsigned ? multiplyAddWide<false, false> : multiplyAddWide<true, false>;
  else
    b.op.run = isUnsigned ? multiplyAddWide<false, true> : multiplyAddWide<true, true>;
}

// ---- shift and add

/// LEA: (a << s) + b, with HI ({c,a} >> (32-s)) + b; a minus sign negates the shifted value, or b. In what
/// is carried out a negated value is ~x and one more, as in IADD3.
void bindLea(Binder& b) {
  bool high = b.take("HI"), extended = b.take("X"), signExtended = b.take("SX32");
  b.op.dst = b.destination();
  if (b.peekPredicate()) b.op.pdst[0] = b.predicateDestination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  if (high && !signExtended) b.op.src[2] = b.integer();
  b.op.option[0] = static_cast<u32>(b.number());
  if (b.op.option[0] > 31) b.refuse();
  b.op.psrc[0] = extended ? b.predicate() : PredicateSource{7, false, true};
  static constexpr u32 kHigh = 1, kSignExtended = 2, kNegate = 4, kExtended = 8, kNegateBase = 16;
  b.op.option[1] = (high ? kHigh : 0) | (signExtended ? kSignExtended : 0) | (extended ? kExtended : 0);
  Transform& sign = b.op.src[0].transform;
  if (sign != Transform::None) {
    // With a carry in the sign prints as '~'.
    if (sign != (extended ? Transform::IntNot : Transform::IntNegate)) b.refuse();
    b.op.option[1] |= kNegate;
    sign = Transform::None;
  }
  Transform& addend = b.op.src[1].transform;
  if (addend != Transform::None && addend != (extended ? Transform::IntNot : Transform::IntNegate))
    b.refuse();
  if (addend == Transform::IntNegate) {
    // Both signs at once are not met in real code.
    if (b.op.option[1] & kNegate) b.refuse();
    b.op.option[1] |= kNegateBase;
    addend = Transform::None;
  }
  if (signExtended && !high) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes s0, s1, s2;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* base = w.fetch(op.src[1], s1);
    const u32* upper = w.fetch(op.src[2], s2);
    LaneMask in = w.fetch(op.psrc[0]);
    u32 shift = op.option[0], form = op.option[1];
    u64 sum[kLanes];
    for (unsigned i = 0; i < kLanes; ++i) {
      u64 wide = a[i];
      if (form & kSignExtended)
        wide = static_cast<u64>(i64{static_cast<i32>(a[i])});
      else if (form & kHigh)
        wide |= u64{upper[i]} << 32;
      u32 shifted = static_cast<u32>(form & kHigh ? wide << shift >> 32 : wide << shift);
      u64 ones = in >> i & 1;
      if (form & kNegate) {
        shifted = ~shifted;
        ones += !(form & kExtended);
      }
      // As in IADD3: -0 carries out.
      bool negates = form & kNegateBase;
      sum[i] = u64{shifted} + (negates ? ~base[i] : base[i]) + ones + negates;
    }
    writeSums(w, op, mask, sum);
  };
}

// ---- shifts

// Forms of SHF.
constexpr u32 kShiftRight = 1, kShiftWraps = 2, kShiftSigned = 4, kShift64 = 8, kShiftHigh = 16;
constexpr u32 kShiftForms = 32;

template <u32 Form> void shiftFunnel(Warp& w, const Op& op, LaneMask mask) {
  map3(w, op, mask, [](u32 low, u32 amount, u32 upper) {
    u64 x = low | u64{upper} << 32;
    u32 limit = Form & kShift64 ? 64 : 32;
    u32 shift = Form & kShiftWraps ? amount & (limit - 1) : std::min(amount, limit);
    u64 y = 0;
    if (!(Form & kShiftRight))
      y = shift == 64 ? 0 : x << shift;
    else if (Form & kShiftSigned)
      y = static_cast<u64>(static_cast<i64>(x) >> std::min(shift, 63u));
    else
      y = shift == 64 ? 0 : x >> shift;
    return static_cast<u32>(Form & kShiftHigh ? y >> 32 : y);
  });
}

template <u32... Forms>
constexpr std::array<OpFunction, kShiftForms> shiftFunnels(std::integer_sequence<u32, Forms...>) {
  return {shiftFunnel<Forms>...};
}

/// Funnel shift of hi:lo. The amount wraps (W) or is clamped to 32, or 64 for the 64-bit types.
void bindShf(Binder& b) {
  static constexpr auto kRuns = shiftFunnels(std::make_integer_sequence<u32, kShiftForms>());
  unsigned direction = b.choice({"L", "R"}, 2);
  bool wrap = b.take("W");
  unsigned type = b.choice({"U32", "S32", "U64", "S64"}, 4);
  bool high = b.take("HI");
  if (direction == 2 || type == 4) b.refuse();
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  b.op.run = kRuns[(direction == 1 ? kShiftRight : 0) | (wrap ? kShiftWraps : 0) |
                   (type & 1 ? kShiftSigned : 0) | (type >= 2 ? kShift64 : 0) | (high ? kShiftHigh : 0)];
}

// ---- logic

/// Bit i of the result is bit 4a+2b+c of the table.
template <typename T> [[gnu::always_inline]] inline T lookup3(T a, T b, T c, u32 table) {
  auto all = [table](unsigned bit) { return T{0} - static_cast<T>(table >> bit & 1); };
  auto select = [](T which, T one, T zero) { return zero ^ (which & (one ^ zero)); };
  T low = select(b, select(c, all(3), all(2)), select(c, all(1), all(0)));
  T high = select(b, select(c, all(7), all(6)), select(c, all(5), all(4)));
  return select(a, high, low);
}

/// The predicate out is (result != 0) OR the predicate in; AND with PAND.
void bindLop3(Binder& b) {
  if (!b.take("LUT")) b.refuse();
  bool both = b.take("PAND");
  if (b.peekPredicate()) b.op.pdst[0] = b.predicateDestination();
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  b.op.option[0] = static_cast<u32>(b.number());
  if (b.op.option[0] > 0xff) b.refuse();
  b.op.option[1] = static_cast<u32>(both ? BoolOp::And : BoolOp::Or);
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 table = op.option[0];
    auto f = [table](u32 a, u32 x, u32 c) { return lookup3(a, x, c, table); };
    if (op.pdst[0].index == kTruePredicate) return map3(w, op, mask, f);
    Lanes s0, s1, s2, out;
    const u32* a = w.fetch(op.src[0], s0);
    const u32* x = w.fetch(op.src[1], s1);
    const u32* c = w.fetch(op.src[2], s2);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = f(a[i], x[i], c[i]);
    w.write(op.dst, out.v, mask);
    w.write(op.pdst[0], combine(static_cast<BoolOp>(op.option[1]), nonZeroLanes(out), w.fetch(op.psrc[0])),
            mask);
  };
}

// ---- comparison

enum class Compare : u32 { F, Lt, Eq, Le, Gt, Ne, Ge, T };

Compare takeCompare(Binder& b) {
  unsigned choice = b.choice({"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"}, 8);
  if (choice == 8) b.refuse();
  return static_cast<Compare>(choice % 8);
}

template <typename T> bool compares(Compare compare, T a, T b) {
  switch (compare) {
  case Compare::F: return false;
  case Compare::Lt: return a < b;
  case Compare::Eq: return a == b;
  case Compare::Le: return a <= b;
  case Compare::Gt: return a > b;
  case Compare::Ne: return a != b;
  case Compare::Ge: return a >= b;
  case Compare::T: return true;
  }
  return false;
}

template <typename T> LaneMask compareLanes(Compare compare, Warp& w, const Op& op) {
  auto where = [&](auto holds) {
    return test2(w, op, [holds](u32 a, u32 b) { return holds(static_cast<T>(a), static_cast<T>(b)); });
  };
  switch (compare) {
  case Compare::F: break;
  case Compare::Lt: return where(std::less<T>());
  case Compare::Eq: return where(std::equal_to<T>());
  case Compare::Le: return where(std::less_equal<T>());
  case Compare::Gt: return where(std::greater<T>());
  case Compare::Ne: return where(std::not_equal_to<T>());
  case Compare::Ge: return where(std::greater_equal<T>());
  case Compare::T: return kAllLanes;
  }
  return 0;
}

/// ISETP.EX: the upper words of a 64-bit comparison; `low` is its result on the lower words.
LaneMask extendComparison(Compare compare, LaneMask strict, LaneMask equal, LaneMask low) {
  switch (compare) {
  case Compare::F: return 0;
  case Compare::T: return kAllLanes;
  case Compare::Eq: return equal & low;
  case Compare::Ne: return ~equal | low;
  default: return strict | (equal & low);
  }
}

Compare strictOf(Compare compare) {
  if (compare == Compare::Le) return Compare::Lt;
  if (compare == Compare::Ge) return Compare::Gt;
  return compare;
}

template <typename T> void setPredicate(Warp& w, const Op& op, LaneMask mask) {
  auto compare = static_cast<Compare>(op.option[0]);
  LaneMask holds = 0;
  if (op.option[2]) {
    LaneMask strict = compareLanes<T>(strictOf(compare), w, op);
    LaneMask equal = compareLanes<T>(Compare::Eq, w, op);
    holds = extendComparison(compare, strict, equal, w.fetch(op.psrc[1]));
  } else {
    holds = compareLanes<T>(compare, w, op);
  }
  writeComparison(w, op, mask, holds, static_cast<BoolOp>(op.option[1]));
}

template <typename T> void setPredicate64(Warp& w, const Op& op, LaneMask mask) {
  u64 a[kLanes], b[kLanes];
  w.fetch64(op.src[0], a);
  w.fetch64(op.src[1], b);
  LaneMask holds = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    holds |=
        LaneMask{compares(static_cast<Compare>(op.option[0]), static_cast<T>(a[i]), static_cast<T>(b[i]))}
        << i;
  writeComparison(w, op, mask, holds, static_cast<BoolOp>(op.option[1]));
}

void bindIsetp(Binder& b) {
  b.op.option[0] = static_cast<u32>(takeCompare(b));
  unsigned type = b.choice({"S32", "U32", "S64", "U64"}, 0);
  b.op.option[1] = static_cast<u32>(takeBoolOp(b));
  b.op.option[2] = b.take("EX");
  b.op.pdst[0] = b.predicateDestination();
  b.op.pdst[1] = b.predicateDestination();
  bool wide = type >= 2;
  b.op.src[0] = wide ? b.integer64() : b.integer();
  b.op.src[1] = wide ? b.integer64() : b.integer();
  b.op.psrc[0] = b.predicate();
  if (b.op.option[2]) b.op.psrc[1] = b.predicate();
  if (wide && b.op.option[2]) b.refuse();
  static constexpr OpFunction kRun[] = {setPredicate<i32>, setPredicate<u32>, setPredicate64<i64>,
                                        setPredicate64<u64>};
  b.op.run = kRun[type];
}

// ---- bits

void bindIabs(Binder& b) {
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map1(w, op, mask, [](u32 a) { return static_cast<i32>(a) < 0 ? 0 - a : a; });
  };
}

void bindPopc(Binder& b) {
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map1(w, op, mask, [](u32 a) { return static_cast<u32>(std::popcount(a)); });
  };
}

void bindBrev(Binder& b) {
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map1(w, op, mask, [](u32 a) {
      u32 reversed = 0;
      for (unsigned i = 0; i < 32; ++i)
        reversed |= (a >> i & 1) << (31 - i);
      return reversed;
    });
  };
}

/// Position of the leading one (of ~x for negative signed x), ~0 if there is none; SH counts from the top.
void bindFlo(Binder& b) {
  bool isUnsigned = b.take("U32"), shift = b.take("SH");
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.option[0] = !isUnsigned;
  b.op.option[1] = shift;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    bool isSigned = op.option[0], fromTop = op.option[1];
    map1(w, op, mask, [isSigned, fromTop](u32 a) {
      if (isSigned && static_cast<i32>(a) < 0) a = ~a;
      if (a == 0) return ~u32{0};
      auto leadingZeros = static_cast<u32>(std::countl_zero(a));
      return fromTop ? leadingZeros : 31 - leadingZeros;
    });
  };
}

/// Keeps the low `b` bits, extended by sign or zero; with W the width wraps at 32, otherwise it is clamped.
void bindSgxt(Binder& b) {
  bool isUnsigned = b.take("U32"), wrap = b.take("W");
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  b.op.option[0] = !isUnsigned;
  b.op.option[1] = wrap;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    bool isSigned = op.option[0], wraps = op.option[1];
    map2(w, op, mask, [isSigned, wraps](u32 a, u32 width) {
      width = wraps ? width & 31 : std::min(width, 32u);
      if (width == 0) return u32{0};
      u32 up = 32 - width;
      return isSigned ? static_cast<u32>(static_cast<i32>(a << up) >> up) : a << up >> up;
    });
  };
}

/// `width` ones from bit `position` up; with W both wrap at 32, otherwise they are clamped (PTX bmsk).
void bindBmsk(Binder& b) {
  b.op.option[0] = b.take("W");
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  b.op.src[1] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    bool wraps = op.option[0];
    map2(w, op, mask, [wraps](u32 position, u32 width) {
      position = wraps ? position & 31 : std::min(position, 32u);
      width = wraps ? width & 31 : std::min(width, 32u);
      return static_cast<u32>(((u64{1} << width) - 1) << position);
    });
  };
}

// ---- code addresses

/// LEPC: up to sm_89 its own address, later that of the code it names.
void bindLepc(Binder& b) {
  b.op.dst = b.destination64();
  b.op.target = b.encoding().sm >= 90 ? b.target() : b.encoding().address;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 address[kLanes];
    std::fill_n(address, kLanes, op.target);
    w.write64(op.dst, address, mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"MOV", bindMov},   {"UMOV", uniform<bindMov>},   {"SEL", bindSel},     {"USEL", uniform<bindSel>},
    {"PRMT", bindPrmt}, {"UPRMT", uniform<bindPrmt>}, {"IADD3", bindIadd3}, {"UIADD3", uniform<bindIadd3>},
    {"IADD", bindIadd}, {"UIADD", uniform<bindIadd>}, {"IMAD", bindImad},   {"UIMAD", uniform<bindImad>},
    {"LEA", bindLea},   {"ULEA", uniform<bindLea>},   {"SHF", bindShf},     {"USHF", uniform<bindShf>},
    {"LOP3", bindLop3}, {"ULOP3", uniform<bindLop3>}, {"ISETP", bindIsetp}, {"UISETP", uniform<bindIsetp>},
    {"IABS", bindIabs}, {"UIABS", uniform<bindIabs>}, {"POPC", bindPopc},   {"UPOPC", uniform<bindPopc>},
    {"BREV", bindBrev}, {"UBREV", uniform<bindBrev>}, {"FLO", bindFlo},     {"UFLO", uniform<bindFlo>},
    {"SGXT", bindSgxt}, {"USGXT", uniform<bindSgxt>}, {"BMSK", bindBmsk},   {"UBMSK", uniform<bindBmsk>},
    {"LEPC", bindLepc},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::integerOpcodes() {
  return kRows;
}

} // namespace harness::sass
