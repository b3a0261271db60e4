#pragma once

#include "harness/ptx/binder.h"
#include "harness/ptx/machine.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace harness::ptx {

// How an operation on one lane becomes an operation on a warp.

/// The low bits of a register as a T: an integer of 8 to 64 bits, float or double.
template <typename T> T as(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}

/// A value as a register holds it: zero-extended.
template <typename T> std::uint64_t bitsFrom(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

/// A destination = f(lane), a value of any of these types. `f` may read what it overwrites, of its own lane.
template <typename F> void writeLanes(Warp& warp, Destination destination, LaneMask mask, F f) {
  Lanes out;
  std::uint64_t* to = mask == kAllLanes ? warp.registerAt(destination) : out.v;
#pragma GCC ivdep
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = bitsFrom(f(lane));
  if (mask != kAllLanes) warp.write(destination, out.v, mask);
}

/// dst0 = f(src0), the source read as a T.
template <typename T, typename F> void map1(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0;
  const std::uint64_t* a = warp.fetch(op.src[0], s0);
  writeLanes(warp, op.dst[0], mask, [=](unsigned i) { return f(as<T>(a[i])); });
}

/// dst0 = f(src0, src1); the second source may be of another type.
template <typename T, typename T2 = T, typename F> void map2(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, s1;
  const std::uint64_t* a = warp.fetch(op.src[0], s0);
  const std::uint64_t* b = warp.fetch(op.src[1], s1);
  writeLanes(warp, op.dst[0], mask, [=](unsigned i) { return f(as<T>(a[i]), as<T2>(b[i])); });
}

/// dst0 = f(src0, src1, src2); the third source may be of another type.
template <typename T, typename T3 = T, typename F> void map3(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, s1, s2;
  const std::uint64_t* a = warp.fetch(op.src[0], s0);
  const std::uint64_t* b = warp.fetch(op.src[1], s1);
  const std::uint64_t* c = warp.fetch(op.src[2], s2);
  writeLanes(warp, op.dst[0], mask, [=](unsigned i) { return f(as<T>(a[i]), as<T>(b[i]), as<T3>(c[i])); });
}

/// Lanes for which f(lane) holds.
template <typename F> LaneMask lanesWhere(F f) {
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    mask |= static_cast<LaneMask>(static_cast<bool>(f(lane))) << lane;
  return mask;
}

/// f(std::type_identity<T>()) with the host's type of a PTX type: u8 … s64; b types as unsigned; f32, f64.
/// False for every other type.
template <typename F> bool withHostType(Type type, F f) {
  switch (type) {
  case Type::U8:
  case Type::B8: f(std::type_identity<std::uint8_t>()); return true;
  case Type::U16:
  case Type::B16: f(std::type_identity<std::uint16_t>()); return true;
  case Type::U32:
  case Type::B32: f(std::type_identity<std::uint32_t>()); return true;
  case Type::U64:
  case Type::B64: f(std::type_identity<std::uint64_t>()); return true;
  case Type::S8: f(std::type_identity<std::int8_t>()); return true;
  case Type::S16: f(std::type_identity<std::int16_t>()); return true;
  case Type::S32: f(std::type_identity<std::int32_t>()); return true;
  case Type::S64: f(std::type_identity<std::int64_t>()); return true;
  case Type::F32: f(std::type_identity<float>()); return true;
  case Type::F64: f(std::type_identity<double>()); return true;
  default: return false;
  }
}

} // namespace harness::ptx
