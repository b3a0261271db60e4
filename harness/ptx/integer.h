#pragma once

#include "harness/ptx/lanes.h"

#include <cstdint>
#include <type_traits>

namespace harness::ptx {

// What the families of integer instructions share. Values wrap as the PTX ISA's do: arithmetic is done modulo
// 2^64 and cut to the type, so that nothing overflows a signed one.

/// A set of types.
using TypeSet = std::uint64_t;
template <typename... T> constexpr TypeSet setOf(T... types) {
  return (TypeSet{0} | ... | (TypeSet{1} << static_cast<unsigned>(types)));
}
inline constexpr TypeSet kIntegers = setOf(Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64);
inline constexpr TypeSet kSignedIntegers = setOf(Type::S16, Type::S32, Type::S64);
inline constexpr TypeSet kWords = setOf(Type::U32, Type::S32);
inline constexpr TypeSet kWordsAndDoubles = setOf(Type::U32, Type::U64, Type::S32, Type::S64);

inline bool contains(TypeSet set, Type type) {
  return set >> static_cast<unsigned>(type) & 1;
}

/// Takes the instruction's type; refuses one outside the set.
inline Type typeOf(Binder& b, TypeSet legal) {
  Type type = b.type();
  if (!contains(legal, type)) b.refuse();
  return type;
}

/// d, then `count` sources, all of one type.
inline void sameOperands(Binder& b, Type type, unsigned count) {
  b.destination(type);
  for (unsigned i = 0; i < count; ++i)
    b.source(type);
}

/// f of every element of 32 bits.
template <typename E, typename F> std::uint32_t packed(std::uint32_t a, std::uint32_t b, F f) {
  std::uint32_t d = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(E))
    d |= static_cast<std::uint32_t>(bitsFrom<E>(f(static_cast<E>(a >> at), static_cast<E>(b >> at)))) << at;
  return d;
}

/// The type of twice the width and the same signedness.
template <typename T> struct TwiceAs;
template <> struct TwiceAs<std::uint16_t> {
  using type = std::uint32_t;
};
template <> struct TwiceAs<std::int16_t> {
  using type = std::int32_t;
};
template <> struct TwiceAs<std::uint32_t> {
  using type = std::uint64_t;
};
template <> struct TwiceAs<std::int32_t> {
  using type = std::int64_t;
};
template <> struct TwiceAs<std::uint64_t> {
  using type = unsigned __int128;
};
template <> struct TwiceAs<std::int64_t> {
  using type = __int128;
};
template <typename T> using Twice = typename TwiceAs<T>::type;

/// The upper half of the product.
template <typename T> T multiplyHigh(T a, T b) {
  return static_cast<T>((static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b)) >> (8 * sizeof(T)));
}

/// add.cc, sub.cc, mad.cc: those forms of add, sub and mad that write the carry flag.
void bindAddCarry(Binder& b);
void bindSubtractCarry(Binder& b);
void bindMadCarry(Binder& b);

} // namespace harness::ptx
