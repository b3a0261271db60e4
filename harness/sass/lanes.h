#pragma once

#include "harness/sass/binder.h"
#include "harness/sass/machine.h"

namespace harness::sass {

// How an operation on one lane becomes an operation on a warp.

/// dst = f(src0)
template <typename F> void map1(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, out;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] = f(a[i]);
  warp.write(op.dst, out.v, mask);
}

/// dst = f(src0, src1)
template <typename F> void map2(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, s1, out;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  const std::uint32_t* b = warp.fetch(op.src[1], s1);
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] = f(a[i], b[i]);
  warp.write(op.dst, out.v, mask);
}

/// dst = f(src0, src1, src2)
template <typename F> void map3(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, s1, s2, out;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  const std::uint32_t* b = warp.fetch(op.src[1], s1);
  const std::uint32_t* c = warp.fetch(op.src[2], s2);
  for (unsigned i = 0; i < kLanes; ++i)
    out.v[i] = f(a[i], b[i], c[i]);
  warp.write(op.dst, out.v, mask);
}

/// Lanes for which f(src0, src1) holds.
template <typename F> LaneMask test2(Warp& warp, const Op& op, F f) {
  Lanes s0, s1;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  const std::uint32_t* b = warp.fetch(op.src[1], s1);
  LaneMask holds = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    holds |= LaneMask{f(a[i], b[i])} << i;
  return holds;
}

/// How a set-predicate instruction combines its comparison with a predicate.
enum class BoolOp : std::uint32_t { And, Or, Xor };

inline LaneMask combine(BoolOp op, LaneMask a, LaneMask b) {
  switch (op) {
  case BoolOp::And: return a & b;
  case BoolOp::Or: return a | b;
  case BoolOp::Xor: return a ^ b;
  }
  return a;
}

inline BoolOp takeBoolOp(Binder& b) {
  unsigned choice = b.choice({"AND", "OR", "XOR"}, 3);
  if (choice == 3) b.refuse();
  return static_cast<BoolOp>(choice % 3);
}

/// pdst0 = comparison bop psrc0, pdst1 = !comparison bop psrc0
inline void writeComparison(Warp& warp, const Op& op, LaneMask mask, LaneMask comparison, BoolOp boolOp) {
  LaneMask with = warp.fetch(op.psrc[0]);
  LaneMask first = combine(boolOp, comparison, with), second = combine(boolOp, ~comparison, with);
  warp.write(op.pdst[0], first, mask);
  warp.write(op.pdst[1], second, mask);
}

} // namespace harness::sass
