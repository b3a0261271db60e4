// Comparison and selection: setp, set, selp, slct, testp, copysign.

#include "harness/ptx/floats.h"
#include "harness/ptx/lanes.h"

#include <bit>

namespace harness::ptx {

namespace {

// ---- relations

/// How two values may stand to each other. A relation is the set of those for which it holds.
enum Outcome : std::uint32_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

struct Relation {
  std::string_view name;
  std::uint32_t outcomes;
};

constexpr Relation kFloatRelations[] = {
    {"eq", kEqual},
    {"ne", kLess | kGreater},
    {"lt", kLess},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"ge", kGreater | kEqual},
    {"equ", kEqual | kUnordered},
    {"neu", kLess | kGreater | kUnordered},
    {"ltu", kLess | kUnordered},
    {"leu", kLess | kEqual | kUnordered},
    {"gtu", kGreater | kUnordered},
    {"geu", kGreater | kEqual | kUnordered},
    {"num", kLess | kEqual | kGreater},
    {"nan", kUnordered},
};

// Of integers: nothing is unordered, so that outcome is there or not as makes the set or its complement
// small.
constexpr Relation kUntypedRelations[] = {{"eq", kEqual}, {"ne", kLess | kGreater | kUnordered}};
constexpr Relation kSignedRelations[] = {
    {"eq", kEqual},   {"ne", kLess | kGreater | kUnordered},
    {"lt", kLess},    {"le", kLess | kEqual | kUnordered},
    {"gt", kGreater}, {"ge", kGreater | kEqual | kUnordered},
};
constexpr Relation kUnsignedRelations[] = {
    {"eq", kEqual},   {"ne", kLess | kGreater | kUnordered},
    {"lt", kLess},    {"le", kLess | kEqual | kUnordered},
    {"gt", kGreater}, {"ge", kGreater | kEqual | kUnordered},
    {"lo", kLess},    {"ls", kLess | kEqual | kUnordered},
    {"hi", kGreater}, {"hs", kGreater | kEqual | kUnordered},
};

std::span<const Relation> relationsOf(Type type) {
  if (isFloat(type)) return kFloatRelations;
  if (isUntyped(type)) return kUntypedRelations;
  return isSigned(type) ? std::span<const Relation>(kSignedRelations) : kUnsignedRelations;
}

// ---- operands

template <typename T> struct Plain {
  static T read(std::uint64_t bits) { return as<T>(bits); }
};
struct FlushedSingle {
  static float read(std::uint64_t bits) { return flushed(as<float>(bits)); }
};
template <unsigned Shift> struct Half {
  static float read(std::uint64_t bits) { return fromHalf(bits >> Shift); }
};
template <unsigned Shift> struct FlushedHalf {
  static float read(std::uint64_t bits) { return fromHalf(flushedHalf(bits >> Shift)); }
};
template <unsigned Shift> struct Bfloat {
  static float read(std::uint64_t bits) { return fromBfloat(bits >> Shift); }
};

/// The lanes where src0 stands to src1 as op.option[0] has it.
template <typename Operand> LaneMask related(const Warp& w, const Op& op) {
  Lanes s0, s1;
  const std::uint64_t* a = w.fetch(op.src[0], s0);
  const std::uint64_t* b = w.fetch(op.src[1], s1);
  bool complement = std::popcount(op.option[0]) > 2;
  std::uint32_t outcomes = complement ? op.option[0] ^ 15 : op.option[0];
  LaneMask lanes = 0;
  if (outcomes & kLess)
    lanes |= lanesWhere([=](unsigned i) { return Operand::read(a[i]) < Operand::read(b[i]); });
  if (outcomes & kEqual)
    lanes |= lanesWhere([=](unsigned i) { return Operand::read(a[i]) == Operand::read(b[i]); });
  if (outcomes & kGreater)
    lanes |= lanesWhere([=](unsigned i) { return Operand::read(a[i]) > Operand::read(b[i]); });
  if (outcomes & kUnordered)
    lanes |= lanesWhere([=](unsigned i) {
      auto x = Operand::read(a[i]), y = Operand::read(b[i]);
      return x != x || y != y;
    });
  return complement ? ~lanes : lanes;
}

using Compare = LaneMask (*)(const Warp&, const Op&);

// ---- setp and set

enum Combination : std::uint32_t { kAlone, kAnd, kOr, kXor };

/// .and, .or, .xor with the predicate c.
LaneMask combined(const Warp& w, const Op& op, LaneMask result) {
  LaneMask c = w.fetch(op.psrc[0]);
  switch (op.option[1]) {
  case kAnd: return result & c;
  case kOr: return result | c;
  case kXor: return result ^ c;
  default: return result;
  }
}

template <typename Operand> void runSetp(Warp& w, const Op& op, LaneMask mask) {
  LaneMask result = related<Operand>(w, op);
  LaneMask p = combined(w, op, result), q = combined(w, op, ~result);
  w.writePredicate(op.pdst[0], p, mask);
  if (op.predicateDestinations == 2) w.writePredicate(op.pdst[1], q, mask);
}

template <typename Low, typename High> void runSetpPacked(Warp& w, const Op& op, LaneMask mask) {
  LaneMask p = combined(w, op, related<Low>(w, op)), q = combined(w, op, related<High>(w, op));
  w.writePredicate(op.pdst[0], p, mask);
  w.writePredicate(op.pdst[1], q, mask);
}

/// option[2] = what true is.
template <typename Operand> void runSet(Warp& w, const Op& op, LaneMask mask) {
  LaneMask result = combined(w, op, related<Operand>(w, op));
  std::uint64_t one = op.option[2];
  writeLanes(w, op.dst[0], mask, [=](unsigned i) { return result >> i & 1 ? one : 0; });
}

template <typename Low, typename High> void runSetPacked(Warp& w, const Op& op, LaneMask mask) {
  LaneMask low = combined(w, op, related<Low>(w, op)), high = combined(w, op, related<High>(w, op));
  std::uint64_t one = op.option[2];
  writeLanes(w, op.dst[0], mask,
             [=](unsigned i) { return (low >> i & 1 ? one : 0) | (high >> i & 1 ? one << 16 : 0); });
}

struct Runs {
  OpFunction setp = nullptr, set = nullptr;
};

template <typename Operand> Runs scalar() {
  return {runSetp<Operand>, runSet<Operand>};
}
template <template <unsigned> typename Operand> Runs packed() {
  return {runSetpPacked<Operand<0>, Operand<16>>, runSetPacked<Operand<0>, Operand<16>>};
}

bool isPacked(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2;
}

/// How values of that type are compared; nothing if setp and set do not take it. ftz: of f32 and f16 only.
Runs runsOf(Type type, bool ftz) {
  switch (type) {
  case Type::F16: return ftz ? scalar<FlushedHalf<0>>() : scalar<Half<0>>();
  case Type::F16x2: return ftz ? packed<FlushedHalf>() : packed<Half>();
  case Type::BF16: return ftz ? Runs{} : scalar<Bfloat<0>>();
  case Type::BF16x2: return ftz ? Runs{} : packed<Bfloat>();
  case Type::F32: return ftz ? scalar<FlushedSingle>() : scalar<Plain<float>>();
  default: break;
  }
  Runs runs;
  if (bitsOf(type) >= 16 && !ftz)
    withHostType(type, [&]<typename T>(std::type_identity<T>) { runs = scalar<Plain<T>>(); });
  return runs;
}

/// Takes relation and Boolean operator.
void takeRelation(Binder& b, Type operands) {
  for (const Relation& relation : relationsOf(operands))
    if (b.op.option[0] == 0 && b.take(relation.name)) b.op.option[0] = relation.outcomes;
  if (b.op.option[0] == 0) b.refuse();
  b.op.option[1] = b.choice({"", "and", "or", "xor"}, kAlone);
}

void takeOperands(Binder& b, Type type) {
  b.source(type);
  b.source(type);
  if (b.op.option[1] != kAlone) b.predicate(0);
}

void bindSetp(Binder& b) {
  bool ftz = b.take("ftz");
  Type type = b.type();
  Runs runs = runsOf(type, ftz);
  if (!runs.setp) return b.refuse();
  takeRelation(b, type);
  b.predicateDestination();
  bool two = b.op.predicateDestinations == 2, half = bitsOf(type) == 16 && isFloat(type);
  if (isPacked(type) ? !two : half && two) b.refuse();
  takeOperands(b, type);
  b.op.run = runs.setp;
}

/// What a true comparison of `source` values writes as a `result`; 0 if there is no such form.
std::uint32_t trueAs(Type result, Type source) {
  bool half = isFloat(source) && bitsOf(source) == 16;
  switch (result) {
  case Type::U32:
  case Type::S32: return isPacked(source) ? 0xffff : 0xffffffff;
  case Type::U16:
  case Type::S16: return half ? 0xffff : 0;
  case Type::F32: return half || isPacked(source) ? 0 : 0x3f800000;
  case Type::F16: return isPacked(source) || source == Type::BF16 ? 0 : 0x3c00;
  case Type::BF16: return isPacked(source) ? 0 : 0x3f80;
  case Type::F16x2: return source == Type::F16x2 ? 0x3c00 : 0;
  case Type::BF16x2: return source == Type::BF16x2 ? 0x3f80 : 0;
  default: return 0;
  }
}

void bindSet(Binder& b) {
  bool ftz = b.take("ftz");
  Type result = b.type(), type = b.type();
  Runs runs = runsOf(type, ftz);
  b.op.option[2] = trueAs(result, type);
  if (!runs.set || b.op.option[2] == 0) return b.refuse();
  takeRelation(b, type);
  b.destination(result);
  takeOperands(b, type);
  b.op.run = runs.set;
}

// ---- selp and slct

/// dst0 = src0 where `first`, else src1. Only the chosen one makes a result one that nobody wrote, and what
/// chooses (`known`: the lanes that have it).
void select(Warp& w, const Op& op, LaneMask mask, LaneMask first, LaneMask known) {
  if (w.undefined)
    w.undefined = mask & ~(known & ((first & w.written(op.src[0])) | (~first & w.written(op.src[1]))));
  Lanes s0, s1;
  const std::uint64_t* a = w.fetch(op.src[0], s0);
  const std::uint64_t* b = w.fetch(op.src[1], s1);
  std::uint64_t keep = (std::uint64_t{2} << (op.option[0] - 1)) - 1;
  writeLanes(w, op.dst[0], mask, [=](unsigned i) { return (first >> i & 1 ? a[i] : b[i]) & keep; });
}

bool isSelectable(Type type) {
  switch (type) {
  case Type::B16:
  case Type::B32:
  case Type::B64:
  case Type::U16:
  case Type::U32:
  case Type::U64:
  case Type::S16:
  case Type::S32:
  case Type::S64:
  case Type::F32:
  case Type::F64: return true;
  default: return false;
  }
}

/// d, a, b of a type; option[0] = its width.
void takeSelected(Binder& b, Type type) {
  if (!isSelectable(type)) b.refuse();
  b.op.option[0] = bitsOf(type);
  b.destination(type);
  b.source(type);
  b.source(type);
}

void runSelp(Warp& w, const Op& op, LaneMask mask) {
  const Frame& frame = *w.active.frame;
  select(w, op, mask, w.fetch(op.psrc[0]), frame.written[frame.function.registers + op.psrc[0].slot]);
}

void bindSelp(Binder& b) {
  takeSelected(b, b.type());
  b.predicate(0);
  b.op.run = runSelp;
}

template <typename Operand> void runSlct(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* c = w.fetch(op.src[2], scratch);
  select(w, op, mask, lanesWhere([=](unsigned i) { return Operand::read(c[i]) >= 0; }), w.written(op.src[2]));
}

void bindSlct(Binder& b) {
  bool ftz = b.take("ftz");
  Type type = b.type(), selector = b.type();
  if (selector != Type::F32 && (selector != Type::S32 || ftz)) return b.refuse();
  takeSelected(b, type);
  b.source(selector);
  b.op.run = selector == Type::S32 ? runSlct<Plain<std::int32_t>>
             : ftz                 ? runSlct<FlushedSingle>
                                   : runSlct<Plain<float>>;
}

// ---- testp and copysign

template <typename T> struct Layout;
template <> struct Layout<float> {
  using Bits = std::uint32_t;
  static constexpr Bits kSign = 0x80000000, kExponent = 0x7f800000;
};
template <> struct Layout<double> {
  using Bits = std::uint64_t;
  static constexpr Bits kSign = 0x8000000000000000, kExponent = 0x7ff0000000000000;
};

enum Property : std::uint32_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

template <typename T> bool has(std::uint64_t bits, Property property) {
  auto magnitude = static_cast<typename Layout<T>::Bits>(bits) & ~Layout<T>::kSign;
  constexpr auto kInfinity = Layout<T>::kExponent;
  bool subnormal = magnitude != 0 && (magnitude & kInfinity) == 0;
  switch (property) {
  case kFinite: return magnitude < kInfinity;
  case kInfinite: return magnitude == kInfinity;
  case kNumber: return magnitude <= kInfinity;
  case kNotANumber: return magnitude > kInfinity;
  case kNormal: return magnitude < kInfinity && !subnormal; // zeros too, says PTX
  case kSubnormal: return subnormal;
  }
  return false;
}

template <typename T> void runTestp(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* a = w.fetch(op.src[0], scratch);
  auto property = static_cast<Property>(op.option[0]);
  w.writePredicate(op.pdst[0], lanesWhere([=](unsigned i) { return has<T>(a[i], property); }), mask);
}

void bindTestp(Binder& b) {
  Type type = b.type();
  b.op.option[0] = b.choice({"finite", "infinite", "number", "notanumber", "normal", "subnormal"}, 6);
  if (b.op.option[0] == 6 || (type != Type::F32 && type != Type::F64)) return b.refuse();
  b.predicateDestination();
  if (b.op.predicateDestinations == 2) b.refuse();
  b.source(type);
  b.op.run = type == Type::F32 ? runTestp<float> : runTestp<double>;
}

/// The sign of a, the magnitude of b.
template <typename T> void runCopysign(Warp& w, const Op& op, LaneMask mask) {
  constexpr auto kSign = Layout<T>::kSign;
  map2<typename Layout<T>::Bits>(w, op, mask, [](auto a, auto b) { return (a & kSign) | (b & ~kSign); });
}

void bindCopysign(Binder& b) {
  Type type = b.type();
  if (type != Type::F32 && type != Type::F64) return b.refuse();
  b.destination(type);
  b.source(type);
  b.source(type);
  b.op.run = type == Type::F32 ? runCopysign<float> : runCopysign<double>;
}

constexpr OpcodeRow kRows[] = {
    {"copysign", TypeClass::Real, bindCopysign},
    {"selp", TypeClass::Any, bindSelp},
    {"set", TypeClass::Any, bindSet},
    {"setp", TypeClass::Any, bindSetp},
    {"slct", TypeClass::Any, bindSlct},
    {"testp", TypeClass::Real, bindTestp},
};

} // namespace

std::span<const OpcodeRow> compareOpcodes() {
  return kRows;
}

} // namespace harness::ptx
