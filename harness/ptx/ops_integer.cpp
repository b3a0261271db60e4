// Integer arithmetic: PTX ISA 9.2, section 9.7.1. The forms with a carry flag are in ops_carry.cpp, those
// that count and move bits in ops_bits.cpp.

#include "harness/ptx/integer.h"

#include <algorithm>
#include <limits>

namespace harness::ptx {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// ---- what is computed of one lane

struct Add {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(u64(a) + u64(b)); }
};
struct Subtract {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(u64(a) - u64(b)); }
};
struct Multiply {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(u64(a) * u64(b)); }
};

/// `.sat`, of types up to 32 bits.
template <typename T> T saturate(s64 value) {
  return static_cast<T>(std::clamp<s64>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
struct AddSaturated {
  template <typename T> T operator()(T a, T b) const { return saturate<T>(s64(a) + s64(b)); }
};
struct SubtractSaturated {
  template <typename T> T operator()(T a, T b) const { return saturate<T>(s64(a) - s64(b)); }
};

struct Minimum {
  template <typename T> T operator()(T a, T b) const { return a < b ? a : b; }
};
struct Maximum {
  template <typename T> T operator()(T a, T b) const { return a > b ? a : b; }
};
template <typename F> struct Relu {
  template <typename T> T operator()(T a, T b) const { return std::max<T>(F{}(a, b), 0); }
};

struct MultiplyHigh {
  template <typename T> T operator()(T a, T b) const { return multiplyHigh(a, b); }
};
struct MultiplyWide {
  template <typename T> Twice<T> operator()(T a, T b) const {
    return static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b);
  }
};
struct MadLow {
  template <typename T> T operator()(T a, T b, T c) const { return static_cast<T>(u64(a) * u64(b) + u64(c)); }
};
struct MadHigh {
  template <typename T> T operator()(T a, T b, T c) const { return Add{}(multiplyHigh(a, b), c); }
};
struct MadWide {
  template <typename T> Twice<T> operator()(T a, T b, Twice<T> c) const {
    return Add{}(MultiplyWide{}(a, b), c);
  }
};

/// The value of the lower 24 bits.
template <typename T> s64 low24(T value) {
  u32 shifted = static_cast<u32>(value) << 8;
  return std::is_signed_v<T> ? static_cast<s32>(shifted) >> 8 : s64{shifted >> 8};
}
struct Multiply24Low {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(low24(a) * low24(b)); }
};
struct Multiply24High {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>((low24(a) * low24(b)) >> 16); }
};
template <typename Product> struct Mad24 {
  template <typename T> T operator()(T a, T b, T c) const { return Add{}(Product{}(a, b), c); }
};
template <typename Product> struct MadSaturated {
  template <typename T> T operator()(T a, T b, T c) const { return AddSaturated{}(Product{}(a, b), c); }
};

struct SumOfDifference {
  template <typename T> T operator()(T a, T b, T c) const {
    return static_cast<T>(u64(c) + (a < b ? u64(b) - u64(a) : u64(a) - u64(b)));
  }
};

struct Negate {
  template <typename T> T operator()(T a) const { return static_cast<T>(0 - u64(a)); }
};
struct Absolute {
  template <typename T> T operator()(T a) const { return a < 0 ? Negate{}(a) : a; }
};

/// Machines divide towards zero; by zero they all give ones.
struct Divide {
  template <typename T> T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Negate{}(a);
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <typename T> T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};

// ---- of a warp

template <typename T, typename F> void run1(Warp& w, const Op& op, LaneMask mask) {
  map1<T>(w, op, mask, F{});
}
template <typename T, typename F> void run2(Warp& w, const Op& op, LaneMask mask) {
  map2<T>(w, op, mask, F{});
}
template <typename T, typename F, typename T3 = T> void run3(Warp& w, const Op& op, LaneMask mask) {
  map3<T, T3>(w, op, mask, F{});
}
template <typename E, typename F> void runPacked1(Warp& w, const Op& op, LaneMask mask) {
  map1<u32>(w, op, mask, [](u32 a) { return packed<E>(a, a, [](E x, E) { return F{}(x); }); });
}
template <typename E, typename F> void runPacked2(Warp& w, const Op& op, LaneMask mask) {
  map2<u32>(w, op, mask, [](u32 a, u32 b) { return packed<E>(a, b, F{}); });
}

/// f(std::type_identity<T>()) for the integer types of 16 to 64 bits; null for others.
template <typename F> OpFunction ofInteger(Type type, F f) {
  switch (type) {
  case Type::U16: return f(std::type_identity<u16>());
  case Type::U32: return f(std::type_identity<u32>());
  case Type::U64: return f(std::type_identity<u64>());
  case Type::S16: return f(std::type_identity<s16>());
  case Type::S32: return f(std::type_identity<s32>());
  case Type::S64: return f(std::type_identity<s64>());
  default: return nullptr;
  }
}

template <typename F> OpFunction binary(Type type) {
  return ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return run2<T, F>; });
}
/// Of types in 32 bits.
template <typename F> OpFunction wordBinary(Type type) {
  switch (type) {
  case Type::U32: return run2<u32, F>;
  case Type::S32: return run2<s32, F>;
  case Type::U16x2: return runPacked2<u16, F>;
  case Type::S16x2: return runPacked2<s16, F>;
  case Type::U8x4: return runPacked2<std::uint8_t, F>;
  case Type::S8x4: return runPacked2<s8, F>;
  default: return nullptr;
  }
}
template <typename F> OpFunction anyBinary(Type type) {
  return contains(kIntegers, type) ? binary<F>(type) : wordBinary<F>(type);
}
template <typename F> OpFunction ternary(Type type) {
  return ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return run3<T, F>; });
}
/// The signless type as wide: results that wrap are the same, and loops over them are faster.
Type unsignedOf(Type type) {
  switch (type) {
  case Type::S16: return Type::U16;
  case Type::S32: return Type::U32;
  case Type::S64: return Type::U64;
  case Type::S16x2: return Type::U16x2;
  case Type::S8x4: return Type::U8x4;
  default: return type;
  }
}

// ---- binding

void bindAdd(Binder& b) {
  if (b.has("cc")) return bindAddCarry(b);
  bool saturated = b.take("sat");
  constexpr TypeSet kPacked = setOf(Type::U16x2, Type::S16x2, Type::U8x4, Type::S8x4);
  Type type = typeOf(b, saturated ? kPacked | kWords : kPacked | kIntegers);
  sameOperands(b, type, 2);
  b.op.run = saturated ? wordBinary<AddSaturated>(type) : anyBinary<Add>(unsignedOf(type));
}

void bindSubtract(Binder& b) {
  if (b.has("cc")) return bindSubtractCarry(b);
  bool saturated = b.take("sat");
  constexpr TypeSet kPacked = setOf(Type::U8x4, Type::S8x4);
  Type type = typeOf(b, saturated ? kPacked | setOf(Type::S32) : kPacked | kIntegers);
  sameOperands(b, type, 2);
  b.op.run = saturated ? wordBinary<SubtractSaturated>(type) : anyBinary<Subtract>(unsignedOf(type));
}

enum class Half : std::uint8_t { Low, High, Wide, None };
Half takeHalf(Binder& b) {
  auto half = static_cast<Half>(b.choice({"lo", "hi", "wide"}, 3));
  if (half == Half::None) b.refuse();
  return half;
}

/// What mul.wide and mad.wide give; refuses types that have none.
Type wideOf(Binder& b, Type type) {
  switch (type) {
  case Type::U16: return Type::U32;
  case Type::S16: return Type::S32;
  case Type::U32: return Type::U64;
  case Type::S32: return Type::S64;
  default: b.refuse(); return type;
  }
}

void bindMultiply(Binder& b) {
  Half half = takeHalf(b);
  Type type = typeOf(b, kIntegers);
  b.destination(half == Half::Wide ? wideOf(b, type) : type);
  b.source(type);
  b.source(type);
  switch (half) {
  case Half::Low: b.op.run = binary<Multiply>(unsignedOf(type)); break;
  case Half::High: b.op.run = binary<MultiplyHigh>(type); break;
  default:
    b.op.run = ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction {
      if constexpr (sizeof(T) < 8)
        return run2<T, MultiplyWide>;
      else
        return nullptr;
    });
  }
}

void bindMad(Binder& b) {
  if (b.has("cc")) return bindMadCarry(b);
  Half half = takeHalf(b);
  bool saturated = b.take("sat");
  Type type = typeOf(b, saturated ? setOf(Type::S32) : kIntegers);
  Type result = half == Half::Wide ? wideOf(b, type) : type;
  b.destination(result);
  b.source(type);
  b.source(type);
  b.source(result);
  if (saturated) {
    if (half != Half::High) b.refuse();
    b.op.run = run3<s32, MadSaturated<MultiplyHigh>>;
    return;
  }
  switch (half) {
  case Half::Low: b.op.run = ternary<MadLow>(unsignedOf(type)); break;
  case Half::High: b.op.run = ternary<MadHigh>(type); break;
  default:
    b.op.run = ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction {
      if constexpr (sizeof(T) < 8)
        return run3<T, MadWide, Twice<T>>;
      else
        return nullptr;
    });
  }
}

void bindMultiply24(Binder& b) {
  Half half = takeHalf(b);
  Type type = typeOf(b, kWords);
  if (half == Half::Wide) b.refuse();
  sameOperands(b, type, 2);
  b.op.run = half == Half::Low ? binary<Multiply24Low>(type) : binary<Multiply24High>(type);
}

void bindMad24(Binder& b) {
  Half half = takeHalf(b);
  bool saturated = b.take("sat");
  Type type = typeOf(b, saturated ? setOf(Type::S32) : kWords);
  if (half == Half::Wide || (saturated && half != Half::High)) b.refuse();
  sameOperands(b, type, 3);
  if (saturated)
    b.op.run = run3<s32, MadSaturated<Multiply24High>>;
  else
    b.op.run = half == Half::Low ? ternary<Mad24<Multiply24Low>>(type) : ternary<Mad24<Multiply24High>>(type);
}

void bindSad(Binder& b) {
  Type type = typeOf(b, kIntegers);
  sameOperands(b, type, 3);
  b.op.run = ternary<SumOfDifference>(type);
}

template <typename T, typename F> void runDivision(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const u64* divisor = w.fetch(op.src[1], scratch);
  LaneMask zero = mask & lanesWhere([&](unsigned lane) { return as<T>(divisor[lane]) == 0; });
  if (zero) w.reportUndefined("divides by zero", zero);
  map2<T>(w, op, mask, F{});
}

template <typename F> void bindDivision(Binder& b) {
  Type type = typeOf(b, kIntegers);
  sameOperands(b, type, 2);
  b.op.run =
      ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return runDivision<T, F>; });
}

template <typename F> OpFunction unary(Type type) {
  return ofInteger(type, []<typename T>(std::type_identity<T>) -> OpFunction { return run1<T, F>; });
}

void bindAbsolute(Binder& b) {
  Type type = typeOf(b, kSignedIntegers);
  sameOperands(b, type, 1);
  b.op.run = unary<Absolute>(type);
}

void bindNegate(Binder& b) {
  Type type = typeOf(b, kSignedIntegers | setOf(Type::S8x4));
  sameOperands(b, type, 1);
  b.op.run = type == Type::S8x4 ? runPacked1<s8, Negate> : unary<Negate>(type);
}

template <typename F> void bindExtreme(Binder& b) {
  constexpr TypeSet kSignedTypes = setOf(Type::S32, Type::S16x2, Type::S8x4);
  bool relu = b.take("relu");
  Type type = typeOf(b, relu ? kSignedTypes : kSignedTypes | kIntegers | setOf(Type::U16x2, Type::U8x4));
  sameOperands(b, type, 2);
  b.op.run = relu ? wordBinary<Relu<F>>(type) : anyBinary<F>(type);
}

// ---- dot products

/// Product by product: elements of A (an unsigned or signed type) of a, elements of B of b from bit `from`
/// on.
template <typename A, typename B> u32 dotProduct(u32 a, u32 b, u32 c, unsigned from) {
  for (unsigned i = 0; i < 32 / (8 * sizeof(A)); ++i)
    c += static_cast<u32>(s32{static_cast<A>(a >> (8 * sizeof(A) * i))} *
                          s32{static_cast<B>(b >> (from + 8 * sizeof(B) * i))});
  return c;
}

/// option[0] = first bit of b
template <typename A, typename B> void runDotProduct(Warp& w, const Op& op, LaneMask mask) {
  unsigned from = op.option[0];
  map3<u32>(w, op, mask, [=](u32 a, u32 b, u32 c) { return dotProduct<A, B>(a, b, c, from); });
}

template <typename Unsigned, typename Signed> void bindDotProduct(Binder& b) {
  bool signedA = isSigned(typeOf(b, kWords)), signedB = isSigned(typeOf(b, kWords));
  sameOperands(b, Type::B32, 3);
  if (signedA)
    b.op.run = signedB ? runDotProduct<Signed, s8> : runDotProduct<Signed, std::uint8_t>;
  else
    b.op.run = signedB ? runDotProduct<Unsigned, s8> : runDotProduct<Unsigned, std::uint8_t>;
}

void bindDp2a(Binder& b) {
  Half half = takeHalf(b);
  if (half == Half::Wide) b.refuse();
  b.op.option[0] = half == Half::High ? 16 : 0;
  bindDotProduct<u16, s16>(b);
}

constexpr OpcodeRow kRows[] = {
    {"abs", TypeClass::Integer, bindAbsolute},
    {"add", TypeClass::Integer, bindAdd},
    {"div", TypeClass::Integer, bindDivision<Divide>},
    {"dp2a", TypeClass::Integer, bindDp2a},
    {"dp4a", TypeClass::Integer, bindDotProduct<std::uint8_t, s8>},
    {"mad", TypeClass::Integer, bindMad},
    {"mad24", TypeClass::Integer, bindMad24},
    {"max", TypeClass::Integer, bindExtreme<Maximum>},
    {"min", TypeClass::Integer, bindExtreme<Minimum>},
    {"mul", TypeClass::Integer, bindMultiply},
    {"mul24", TypeClass::Integer, bindMultiply24},
    {"neg", TypeClass::Integer, bindNegate},
    {"rem", TypeClass::Integer, bindDivision<Remainder>},
    {"sad", TypeClass::Integer, bindSad},
    {"sub", TypeClass::Integer, bindSubtract},
};

} // namespace

std::span<const OpcodeRow> integerOpcodes() {
  return kRows;
}

} // namespace harness::ptx
