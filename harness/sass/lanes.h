#pragma once

#include "harness/sass/binder.h"
#include "harness/sass/machine.h"

namespace harness::sass {

// How an operation on one lane becomes an operation on a warp.

/// destination = f(lane). `f` may read what it overwrites, of its own lane.
template <typename F> void writeLanes(Warp& warp, Destination destination, LaneMask mask, F f) {
  Lanes out;
  std::uint32_t* whole = warp.whole(destination, mask);
  std::uint32_t* to = whole ? whole : out.v;
#pragma GCC ivdep
  for (unsigned i = 0; i < kLanes; ++i)
    to[i] = f(i);
  if (!whole) warp.write(destination, out.v, mask);
}

/// The lower and the upper words of a 64-bit source.
struct Pair {
  Pair(const Warp& warp, const Source& source) : low(scratch_[0].v), high(scratch_[1].v) {
    if (source.kind == Source::Kind::Register && source.index != 255 && source.transform == Transform::None) {
      low = warp.registers[source.index].v;
      high = warp.registers[source.index + 1].v;
      return;
    }
    std::uint64_t value[kLanes];
    warp.fetch64(source, value);
    for (unsigned i = 0; i < kLanes; ++i) {
      scratch_[0].v[i] = static_cast<std::uint32_t>(value[i]);
      scratch_[1].v[i] = static_cast<std::uint32_t>(value[i] >> 32);
    }
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  const std::uint32_t *low, *high;

private:
  Lanes scratch_[2];
};

/// The pair at destination = f(lane), 64 bits. `f` may read what it overwrites, of its own lane.
template <typename F> void writePairs(Warp& warp, Destination destination, LaneMask mask, F f) {
  Lanes low, high;
  Destination above{static_cast<std::uint8_t>(destination.index + 1), destination.uniform};
  bool whole = warp.whole(destination, mask) != nullptr;
  std::uint32_t* toLow = whole ? warp.whole(destination, mask) : low.v;
  std::uint32_t* toHigh = whole ? warp.whole(above, mask) : high.v;
#pragma GCC ivdep
  for (unsigned i = 0; i < kLanes; ++i) {
    std::uint64_t value = f(i);
    toLow[i] = static_cast<std::uint32_t>(value);
    toHigh[i] = static_cast<std::uint32_t>(value >> 32);
  }
  if (whole || destination.index == 255) return;
  warp.write(destination, low.v, mask);
  warp.write(above, high.v, mask);
}

/// Lanes for which f(lane) holds.
template <typename F> LaneMask lanesWhere(F f) {
  Lanes holds;
  for (unsigned i = 0; i < kLanes; ++i)
    holds.v[i] = f(i) ? ~std::uint32_t{0} : 0;
  return nonZeroLanes(holds);
}

/// dst = f(src0)
template <typename F> void map1(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  writeLanes(warp, op.dst, mask, [=](unsigned i) { return f(a[i]); });
}

/// dst = f(src0, src1)
template <typename F> void map2(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, s1;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  const std::uint32_t* b = warp.fetch(op.src[1], s1);
  writeLanes(warp, op.dst, mask, [=](unsigned i) { return f(a[i], b[i]); });
}

/// dst = f(src0, src1, src2)
template <typename F> void map3(Warp& warp, const Op& op, LaneMask mask, F f) {
  Lanes s0, s1, s2;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  const std::uint32_t* b = warp.fetch(op.src[1], s1);
  const std::uint32_t* c = warp.fetch(op.src[2], s2);
  writeLanes(warp, op.dst, mask, [=](unsigned i) { return f(a[i], b[i], c[i]); });
}

/// Lanes for which f(src0, src1) holds.
template <typename F> LaneMask test2(Warp& warp, const Op& op, F f) {
  Lanes s0, s1;
  const std::uint32_t* a = warp.fetch(op.src[0], s0);
  const std::uint32_t* b = warp.fetch(op.src[1], s1);
  return lanesWhere([=](unsigned i) { return f(a[i], b[i]); });
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

/// The bind function of an instruction's twin in the uniform datapath.
template <void (*Bind)(Binder&)> void uniform(Binder& b) {
  b.op.uniform = true;
  Bind(b);
}

} // namespace harness::sass
