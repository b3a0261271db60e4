// Logic, shifts and bit fields: PTX ISA 9.2, sections 9.7.1.14-22 and 9.7.8; prmt is in 9.7.9.

#include "harness/ptx/integer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace harness::ptx {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;

constexpr TypeSet kUntyped = setOf(Type::B16, Type::B32, Type::B64);
constexpr TypeSet kLongUntyped = setOf(Type::B32, Type::B64);

template <typename T> constexpr unsigned kWidth = 8 * sizeof(T);

template <typename T, typename F> void run1(Warp& w, const Op& op, LaneMask mask) {
  map1<T>(w, op, mask, F{});
}
template <typename T, typename F, typename T2 = T> void run2(Warp& w, const Op& op, LaneMask mask) {
  map2<T, T2>(w, op, mask, F{});
}
template <typename F> void run3(Warp& w, const Op& op, LaneMask mask) {
  map3<u32>(w, op, mask, F{});
}

/// f(std::type_identity<T>()) for the integer types of 16 to 64 bits; null for others.
template <typename F> OpFunction ofInteger(Type type, F f) {
  OpFunction run = nullptr;
  withHostType(type, [&]<typename T>(std::type_identity<T> host) {
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 2) run = f(host);
  });
  return run;
}
template <typename F> OpFunction unary(Type type) {
  return ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return run1<T, F>; });
}
template <typename F> OpFunction binary(Type type) {
  return ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return run2<T, F>; });
}

// ---- logic

struct And {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
struct Or {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
struct Xor {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
struct Not {
  template <typename T> T operator()(T a) const { return static_cast<T>(~a); }
};
struct LogicalNot {
  template <typename T> T operator()(T a) const { return a == 0; }
};

/// A predicate, !predicate or a number.
void predicateOrNumber(Binder& b, unsigned place) {
  if (!b.peekNumber()) return b.predicate(place);
  auto number = b.number();
  b.op.psrc[place] = {0, !number || *number == 0, true};
}

/// The only destination of an instruction on predicates.
void singlePredicate(Binder& b) {
  b.predicateDestination();
  if (b.op.predicateDestinations != 1) b.refuse();
}

template <typename F> void bindLogic(Binder& b) {
  Type type = typeOf(b, kUntyped | setOf(Type::Pred));
  if (type != Type::Pred) {
    sameOperands(b, type, 2);
    b.op.run = binary<F>(type);
    return;
  }
  singlePredicate(b);
  predicateOrNumber(b, 0);
  predicateOrNumber(b, 1);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    w.writePredicate(op.pdst[0], F{}(w.fetch(op.psrc[0]), w.fetch(op.psrc[1])), mask);
  };
}

void bindNot(Binder& b) {
  Type type = typeOf(b, kUntyped | setOf(Type::Pred));
  if (type != Type::Pred) {
    sameOperands(b, type, 1);
    b.op.run = unary<Not>(type);
    return;
  }
  singlePredicate(b);
  predicateOrNumber(b, 0);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    w.writePredicate(op.pdst[0], ~w.fetch(op.psrc[0]), mask);
  };
}

template <typename F> void bindUnary(Binder& b, TypeSet legal) {
  Type type = typeOf(b, legal);
  sameOperands(b, type, 1);
  b.op.run = unary<F>(type);
}
void bindLogicalNot(Binder& b) {
  bindUnary<LogicalNot>(b, kUntyped);
}

/// option[0] = the table: bit 4a + 2b + c is the result for these bits.
void runLop3(Warp& w, const Op& op, LaneMask mask) {
  std::array<u32, 8> term;
  for (unsigned i = 0; i < 8; ++i)
    term[i] = op.option[0] >> i & 1 ? ~u32{0} : 0;
  auto choose = [](u32 by, u32 yes, u32 no) { return (by & yes) | (~by & no); };
  map3<u32>(w, op, mask, [=](u32 a, u32 b, u32 c) {
    u32 withoutA = choose(b, choose(c, term[3], term[2]), choose(c, term[1], term[0]));
    u32 withA = choose(b, choose(c, term[7], term[6]), choose(c, term[5], term[4]));
    return choose(a, withA, withoutA);
  });
}

/// option[1] = 1: or, 0: and. The register result is kept even where it goes to the sink.
void runLop3Predicate(Warp& w, const Op& op, LaneMask mask) {
  LaneMask q = w.fetch(op.psrc[0]);
  runLop3(w, op, mask);
  Source result{Source::Kind::Register, op.dst[0].slot};
  Lanes scratch;
  const u64* d = w.fetch(result, scratch);
  LaneMask nonzero = lanesWhere([&](unsigned lane) { return d[lane] != 0; });
  w.writePredicate(op.pdst[0], op.option[1] ? nonzero | q : nonzero & q, mask);
}

void bindLop3(Binder& b) {
  unsigned combine = b.choice({"and", "or"}, 2);
  typeOf(b, setOf(Type::B32));
  b.destinationAndPredicate(Type::B32);
  for (unsigned i = 0; i < 3; ++i)
    b.source(Type::B32);
  auto table = b.number();
  if (!table || *table < 0 || *table > 255) return b.refuse();
  b.op.option[0] = static_cast<u32>(*table);
  b.op.run = runLop3;
  if ((combine != 2) != (b.op.predicateDestinations == 1)) return b.refuse();
  if (combine == 2) return;
  b.predicate(0);
  b.op.option[1] = combine;
  b.op.run = runLop3Predicate;
}

// ---- shifts

struct ShiftLeft {
  template <typename T> T operator()(T a, u32 n) const {
    return n < kWidth<T> ? static_cast<T>(u64(a) << n) : T{0};
  }
};
struct ShiftRight {
  template <typename T> T operator()(T a, u32 n) const {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> std::min(n, kWidth<T> - 1));
    else
      return n < kWidth<T> ? static_cast<T>(a >> n) : T{0};
  }
};

template <typename F, TypeSet legal> void bindShift(Binder& b) {
  Type type = typeOf(b, legal);
  b.destination(type);
  b.source(type);
  b.source(Type::U32);
  b.op.run = ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return run2<T, F, u32>; });
}

template <bool clamp> u32 funnelAmount(u32 c) {
  return clamp ? std::min(c, 32u) : c & 31;
}
template <bool clamp> struct FunnelLeft {
  u32 operator()(u32 a, u32 b, u32 c) const {
    return static_cast<u32>(((u64{b} << 32 | a) << funnelAmount<clamp>(c)) >> 32);
  }
};
template <bool clamp> struct FunnelRight {
  u32 operator()(u32 a, u32 b, u32 c) const {
    return static_cast<u32>((u64{b} << 32 | a) >> funnelAmount<clamp>(c));
  }
};

enum class Excess : std::uint8_t { Clamp, Wrap, None };
Excess takeExcess(Binder& b) {
  auto excess = static_cast<Excess>(b.choice({"clamp", "wrap"}, 2));
  if (excess == Excess::None) b.refuse();
  return excess;
}

void bindFunnel(Binder& b) {
  unsigned right = b.choice({"l", "r"}, 2);
  if (right == 2) b.refuse();
  bool clamp = takeExcess(b) == Excess::Clamp;
  Type type = typeOf(b, setOf(Type::B32));
  sameOperands(b, type, 3);
  if (right)
    b.op.run = clamp ? run3<FunnelRight<true>> : run3<FunnelRight<false>>;
  else
    b.op.run = clamp ? run3<FunnelLeft<true>> : run3<FunnelLeft<false>>;
}

// ---- counting and reversing

struct Population {
  template <typename T> u32 operator()(T a) const { return static_cast<u32>(std::popcount(a)); }
};
struct LeadingZeros {
  template <typename T> u32 operator()(T a) const { return static_cast<u32>(std::countl_zero(a)); }
};
struct Reverse {
  template <typename T> T operator()(T a) const {
    u64 v = a;
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return static_cast<T>(__builtin_bswap64(v) >> (64 - kWidth<T>));
  }
};
/// Zeros above the highest bit that differs from the sign; the width if there is none.
template <typename T> unsigned zerosAboveValue(T a) {
  using U = std::make_unsigned_t<T>;
  return static_cast<unsigned>(std::countl_zero(static_cast<U>(a < 0 ? ~a : a)));
}
struct FindHighest {
  template <typename T> u32 operator()(T a) const { return kWidth<T> - 1 - zerosAboveValue(a); }
};
struct FindShift {
  template <typename T> u32 operator()(T a) const {
    unsigned zeros = zerosAboveValue(a);
    return zeros == kWidth<T> ? ~u32{0} : zeros;
  }
};

template <typename F> void bindCount(Binder& b) {
  Type type = typeOf(b, kLongUntyped);
  b.destination(Type::U32);
  b.source(type);
  b.op.run = type == Type::B32 ? run1<u32, F> : run1<u64, F>;
}

void bindReverse(Binder& b) {
  Type type = typeOf(b, kLongUntyped);
  sameOperands(b, type, 1);
  b.op.run = type == Type::B32 ? run1<u32, Reverse> : run1<u64, Reverse>;
}

void bindFind(Binder& b) {
  bool shift = b.take("shiftamt");
  Type type = typeOf(b, kWordsAndDoubles);
  b.destination(Type::U32);
  b.source(type);
  b.op.run = shift ? unary<FindShift>(type) : unary<FindHighest>(type);
}

/// Of the n-th set bit from `base` on, upwards or downwards; its place, or ones.
u32 findNth(u32 bits, u32 base, s32 offset) {
  if (base > 31) return ~u32{0};
  if (offset == 0) return bits >> base & 1 ? base : ~u32{0};
  u32 wanted = (offset < 0 ? 0 - static_cast<u32>(offset) : static_cast<u32>(offset)) - 1;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
    if (bits >> at & 1 && wanted-- == 0) return static_cast<u32>(at);
  return ~u32{0};
}

void runFindNth(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const u64* base = w.fetch(op.src[1], scratch);
  LaneMask outside = mask & lanesWhere([&](unsigned lane) { return as<u32>(base[lane]) > 31; });
  if (outside) w.reportUndefined("its base is above 31", outside);
  map3<u32, s32>(w, op, mask, findNth);
}

void bindFindNth(Binder& b) {
  Type type = typeOf(b, setOf(Type::B32));
  sameOperands(b, type, 3);
  b.op.run = runFindNth;
}

// ---- fields

/// The field of `length` bits from `position` on, extended by its highest bit if T has a sign.
template <typename T> T extract(T a, u32 position, u32 length) {
  constexpr unsigned width = kWidth<T>;
  position &= 255;
  length &= 255;
  if (length == 0) return 0;
  T rest = ShiftRight{}(a, position);
  if (position + length >= width) return rest;
  using U = std::make_unsigned_t<T>;
  unsigned above = width - length;
  return static_cast<T>(static_cast<T>(static_cast<U>(rest) << above) >> above);
}

template <typename T> void runExtract(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, s2;
  const u64 *a = w.fetch(op.src[0], s0), *b = w.fetch(op.src[1], s1), *c = w.fetch(op.src[2], s2);
  writeLanes(w, op.dst[0], mask,
             [=](unsigned i) { return extract(as<T>(a[i]), as<u32>(b[i]), as<u32>(c[i])); });
}

void bindExtract(Binder& b) {
  Type type = typeOf(b, kWordsAndDoubles);
  sameOperands(b, type, 1);
  b.source(Type::U32);
  b.source(Type::U32);
  b.op.run = ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return runExtract<T>; });
}

/// The lower `length` bits of a in place of those of b from `position` on.
template <typename T> T insert(T a, T b, u32 position, u32 length) {
  position &= 255;
  length &= 255;
  T ones = length >= kWidth<T> ? ~T{0} : (T{1} << length) - 1;
  T field = ShiftLeft{}(ones, position);
  return (b & ~field) | (ShiftLeft{}(a, position) & field);
}

template <typename T> void runInsert(Warp& w, const Op& op, LaneMask mask) {
  Lanes s[4];
  const u64* from[4];
  for (unsigned i = 0; i < 4; ++i)
    from[i] = w.fetch(op.src[i], s[i]);
  writeLanes(w, op.dst[0], mask, [=](unsigned i) {
    return insert(as<T>(from[0][i]), as<T>(from[1][i]), as<u32>(from[2][i]), as<u32>(from[3][i]));
  });
}

void bindInsert(Binder& b) {
  Type type = typeOf(b, kLongUntyped);
  sameOperands(b, type, 2);
  b.source(Type::U32);
  b.source(Type::U32);
  b.op.run = type == Type::B32 ? runInsert<u32> : runInsert<u64>;
}

/// `width` ones from `position` on.
template <Excess excess> struct Mask {
  u32 operator()(u32 position, u32 width) const {
    if (excess == Excess::Wrap) {
      position &= 31;
      width &= 31;
    }
    if (position > 31) return 0;
    u32 ones = width > 31 ? ~u32{0} : (u32{1} << width) - 1;
    return ones << position;
  }
};

void bindMask(Binder& b) {
  bool clamp = takeExcess(b) == Excess::Clamp;
  Type type = typeOf(b, setOf(Type::B32));
  sameOperands(b, type, 2);
  b.op.run = clamp ? run2<u32, Mask<Excess::Clamp>> : run2<u32, Mask<Excess::Wrap>>;
}

/// The lower `bits` bits, extended by the highest of them if T has a sign.
template <Excess excess> struct Extend {
  template <typename T> T operator()(T a, u32 bits) const {
    if (excess == Excess::Wrap) bits &= 31;
    if (bits > 31) return a;
    return extract(a, 0, bits);
  }
};

void bindExtend(Binder& b) {
  bool clamp = takeExcess(b) == Excess::Clamp;
  Type type = typeOf(b, kWords);
  sameOperands(b, type, 1);
  b.source(Type::U32);
  if (type == Type::S32)
    b.op.run = clamp ? run2<s32, Extend<Excess::Clamp>, u32> : run2<s32, Extend<Excess::Wrap>, u32>;
  else
    b.op.run = clamp ? run2<u32, Extend<Excess::Clamp>> : run2<u32, Extend<Excess::Wrap>>;
}

// ---- prmt

/// The four nibbles choose bytes of b:a; the highest bit of each, the byte's sign instead.
u32 permute(u32 a, u32 b, u32 control) {
  u64 bytes = u64{b} << 32 | a;
  u32 d = 0;
  for (unsigned i = 0; i < 4; ++i, control >>= 4) {
    u32 byte = static_cast<u32>(bytes >> (8 * (control & 7))) & 255;
    if (control & 8) byte = byte & 128 ? 255 : 0;
    d |= byte << (8 * i);
  }
  return d;
}

/// What the special modes mean as the control of the generic one, for c & 3 = 0 … 3.
constexpr std::uint16_t kModes[][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
    {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
    {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
    {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
    {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
    {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
};
constexpr unsigned kGeneric = std::size(kModes);

void bindPermute(Binder& b) {
  b.op.option[0] = b.choice({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}, kGeneric);
  Type type = typeOf(b, setOf(Type::B32));
  sameOperands(b, type, 3);
  if (b.op.option[0] == kGeneric)
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) { map3<u32>(w, op, mask, permute); };
  else
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      const std::uint16_t(&controls)[4] = kModes[op.option[0]];
      map3<u32>(w, op, mask, [&](u32 x, u32 y, u32 c) { return permute(x, y, controls[c & 3]); });
    };
}

constexpr TypeSet kShiftRightTypes = kUntyped | kIntegers;

constexpr OpcodeRow kRows[] = {
    {"and", TypeClass::Integer, bindLogic<And>},
    {"bfe", TypeClass::Integer, bindExtract},
    {"bfi", TypeClass::Integer, bindInsert},
    {"bfind", TypeClass::Integer, bindFind},
    {"bmsk", TypeClass::Integer, bindMask},
    {"brev", TypeClass::Integer, bindReverse},
    {"clz", TypeClass::Integer, bindCount<LeadingZeros>},
    {"cnot", TypeClass::Integer, bindLogicalNot},
    {"fns", TypeClass::Integer, bindFindNth},
    {"lop3", TypeClass::Integer, bindLop3},
    {"not", TypeClass::Integer, bindNot},
    {"or", TypeClass::Integer, bindLogic<Or>},
    {"popc", TypeClass::Integer, bindCount<Population>},
    {"prmt", TypeClass::Integer, bindPermute},
    {"shf", TypeClass::Integer, bindFunnel},
    {"shl", TypeClass::Integer, bindShift<ShiftLeft, kUntyped>},
    {"shr", TypeClass::Integer, bindShift<ShiftRight, kShiftRightTypes>},
    {"szext", TypeClass::Integer, bindExtend},
    {"xor", TypeClass::Integer, bindLogic<Xor>},
};

} // namespace

std::span<const OpcodeRow> bitsOpcodes() {
  return kRows;
}

} // namespace harness::ptx
