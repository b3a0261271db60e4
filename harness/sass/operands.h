#pragma once

// How an instruction's operands are read and written: the members of Warp that every operation calls,
// compiled for each level of the host's instruction set with the operations.

#include "harness/sass/machine.h"
#include "harness/sass/vector.h"

#include <algorithm>
#include <bit>

namespace harness::sass {

/// What becomes of a source's bits: (x & keep ^ flip) + add.
struct TransformBits {
  std::uint64_t keep = ~std::uint64_t{0}, flip = 0, add = 0;
};

constexpr TransformBits bitsOf(Transform transform, unsigned width) {
  std::uint64_t all = ~std::uint64_t{0}, sign = std::uint64_t{1} << (width - 1);
  switch (transform) {
  case Transform::None: break;
  case Transform::IntNegate: return {all, all, 1};
  case Transform::IntNot: return {all, all, 0};
  case Transform::FloatNegate: return {all, sign, 0};
  case Transform::FloatAbs: return {~sign, 0, 0};
  case Transform::FloatNegateAbs: return {~sign, sign, 0};
  }
  return {};
}

template <typename T> void transformLanes(T* out, const T* in, Transform transform) {
  TransformBits bits = bitsOf(transform, 8 * sizeof(T));
  auto keep = static_cast<T>(bits.keep), flip = static_cast<T>(bits.flip), add = static_cast<T>(bits.add);
#pragma GCC ivdep
  for (unsigned i = 0; i < kLanes; ++i)
    out[i] = ((in[i] & keep) ^ flip) + add;
}

inline const std::uint32_t* Warp::fetch(const Source& source, Lanes& scratch) const {
  if (source.place.table < SourcePlace::Constants) return tables_[source.place.table][source.place.slot].v;
  return fetchElsewhere(source, scratch);
}

[[gnu::noinline]] inline const std::uint32_t* Warp::fetchElsewhere(const Source& source,
                                                                   Lanes& scratch) const {
  if (source.place.table == SourcePlace::Constants)
    if (const std::uint32_t* lanes = machine.constant(source.place.slot)) return lanes;
  if (source.kind == Source::Kind::Register && source.index != 255) {
    const std::uint32_t* lanes = registers[source.index].v;
    if (source.transform == Transform::None) return lanes;
    transformLanes(scratch.v, lanes, source.transform);
    return scratch.v;
  }
  auto value = static_cast<std::uint32_t>(fetchCommon(source, 4));
  std::fill_n(scratch.v, kLanes, value);
  if (source.transform != Transform::None) transformLanes(scratch.v, scratch.v, source.transform);
  return scratch.v;
}

[[gnu::noinline]] inline void Warp::fetch64(const Source& source, std::uint64_t (&value)[kLanes]) const {
  if (source.kind == Source::Kind::Register && source.index != 255) {
    const std::uint32_t* low = registers[source.index].v;
    const std::uint32_t* high = registers[source.index + 1].v;
    for (unsigned i = 0; i < kLanes; ++i)
      value[i] = low[i] | std::uint64_t{high[i]} << 32;
  } else {
    std::fill_n(value, kLanes, fetchCommon(source, 8));
  }
  if (source.transform != Transform::None) transformLanes(value, value, source.transform);
}

inline LaneMask Warp::fetch(const PredicateSource& source) const {
  LaneMask value =
      source.uniform ? (uniformPredicates[source.index] ? kAllLanes : 0) : predicates[source.index];
  return source.negated ? ~value : value;
}

inline std::uint32_t* Warp::whole(Destination destination, LaneMask mask) {
  if (mask != kAllLanes || destination.uniform || destination.index == 255) return nullptr;
  return registers[destination.index].v;
}

[[gnu::noinline]] inline void Warp::writeUniform(unsigned at, std::uint32_t value) {
  uniform[at] = value;
  if (at < uniformLanes.size()) std::fill_n(uniformLanes[at].v, kLanes, value);
}

inline void Warp::write(Destination destination, const std::uint32_t* value, LaneMask mask) {
  if (destination.index == 255) return;
  if (destination.uniform)
    writeUniform(destination.index, value[std::countr_zero(mask) & (kLanes - 1)]);
  else
    copyLanes(registers[destination.index].v, value, mask);
}

[[gnu::noinline]] inline void Warp::write64(Destination destination, const std::uint64_t* value,
                                            LaneMask mask) {
  if (destination.index == 255) return;
  Lanes low, high;
  for (unsigned i = 0; i < kLanes; ++i) {
    low.v[i] = static_cast<std::uint32_t>(value[i]);
    high.v[i] = static_cast<std::uint32_t>(value[i] >> 32);
  }
  write(destination, low.v, mask);
  destination.index = static_cast<std::uint8_t>(destination.index + 1);
  write(destination, high.v, mask);
}

inline void Warp::write(PredicateDestination destination, LaneMask value, LaneMask mask) {
  if (destination.index == 7) return;
  if (destination.uniform)
    uniformPredicates[destination.index] = (value >> std::countr_zero(mask) & 1) != 0;
  else
    predicates[destination.index] = (predicates[destination.index] & ~mask) | (value & mask);
}

[[gnu::noinline]] inline void Warp::addresses(const Address& address, std::uint64_t (&value)[kLanes]) const {
  std::uint64_t common = static_cast<std::uint64_t>(address.offset);
  if (address.uniform != 255) {
    common += uniform[address.uniform];
    if (address.uniform64) common += std::uint64_t{uniform[address.uniform + 1]} << 32;
  }
  if (address.base == 255) {
    std::fill_n(value, kLanes, common);
    return;
  }
  const std::uint32_t* low = registers[address.base].v;
  if (address.base64) {
    const std::uint32_t* high = registers[address.base + 1].v;
    for (unsigned i = 0; i < kLanes; ++i)
      value[i] = common + ((low[i] | std::uint64_t{high[i]} << 32) << address.scale);
  } else {
    for (unsigned i = 0; i < kLanes; ++i)
      value[i] = common + (std::uint64_t{low[i]} << address.scale);
  }
}

} // namespace harness::sass
