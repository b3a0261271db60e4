#include "harness/sass/machine.h"

#include <algorithm>
#include <bit>

namespace harness::sass {

namespace {

std::uint32_t transform32(std::uint32_t value, Transform transform) {
  switch (transform) {
  case Transform::None: return value;
  case Transform::IntNegate: return 0 - value;
  case Transform::IntNot: return ~value;
  case Transform::FloatNegate: return value ^ 0x80000000u;
  case Transform::FloatAbs: return value & 0x7fffffffu;
  case Transform::FloatNegateAbs: return value | 0x80000000u;
  }
  return value;
}

std::uint64_t transform64(std::uint64_t value, Transform transform) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  switch (transform) {
  case Transform::None: return value;
  case Transform::IntNegate: return 0 - value;
  case Transform::IntNot: return ~value;
  case Transform::FloatNegate: return value ^ kSign;
  case Transform::FloatAbs: return value & ~kSign;
  case Transform::FloatNegateAbs: return value | kSign;
  }
  return value;
}

} // namespace

const std::uint32_t* Warp::fetch(const Source& source, Lanes& scratch) const {
  std::uint32_t value = 0;
  switch (source.kind) {
  case Source::Kind::Register:
    if (source.index != 255) {
      const std::uint32_t* lanes = registers[source.index].v;
      if (source.transform == Transform::None) return lanes;
      for (unsigned i = 0; i < kLanes; ++i)
        scratch.v[i] = transform32(lanes[i], source.transform);
      return scratch.v;
    }
    break;
  case Source::Kind::Immediate: value = static_cast<std::uint32_t>(source.immediate); break;
  case Source::Kind::Uniform: value = uniform[source.index]; break;
  case Source::Kind::Constant: value = machine.bank(source.bank).read32(source.bank, source.offset); break;
  case Source::Kind::ConstantIndexed: unsupported("a constant indexed by a register as an operand");
  }
  std::fill_n(scratch.v, kLanes, transform32(value, source.transform));
  return scratch.v;
}

void Warp::fetch64(const Source& source, std::uint64_t (&value)[kLanes]) const {
  std::uint64_t all = 0;
  switch (source.kind) {
  case Source::Kind::Register:
    if (source.index != 255) {
      const std::uint32_t* low = registers[source.index].v;
      const std::uint32_t* high = registers[source.index + 1].v;
      for (unsigned i = 0; i < kLanes; ++i)
        value[i] = transform64(low[i] | std::uint64_t{high[i]} << 32, source.transform);
      return;
    }
    break;
  case Source::Kind::Immediate: all = source.immediate; break;
  case Source::Kind::Uniform:
    if (source.index != 255) all = uniform[source.index] | std::uint64_t{uniform[source.index + 1]} << 32;
    break;
  case Source::Kind::Constant: all = machine.bank(source.bank).read(source.bank, source.offset, 8); break;
  case Source::Kind::ConstantIndexed: unsupported("a constant indexed by a register as an operand");
  }
  std::fill_n(value, kLanes, transform64(all, source.transform));
}

LaneMask Warp::fetch(const PredicateSource& source) const {
  LaneMask value =
      source.uniform ? (uniformPredicates[source.index] ? kAllLanes : 0) : predicates[source.index];
  return source.negated ? ~value : value;
}

void Warp::write(Destination destination, const std::uint32_t* value, LaneMask mask) {
  if (destination.index == 255) return;
  if (destination.uniform) {
    uniform[destination.index] = value[std::countr_zero(mask)];
    return;
  }
  std::uint32_t* lanes = registers[destination.index].v;
  if (mask == kAllLanes) {
    std::memcpy(lanes, value, sizeof(Lanes));
    return;
  }
  for (unsigned i = 0; i < kLanes; ++i)
    lanes[i] = (mask >> i & 1) ? value[i] : lanes[i];
}

void Warp::write64(Destination destination, const std::uint64_t* value, LaneMask mask) {
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

void Warp::write(PredicateDestination destination, LaneMask value, LaneMask mask) {
  if (destination.index == 7) return;
  if (destination.uniform)
    uniformPredicates[destination.index] = (value >> std::countr_zero(mask) & 1) != 0;
  else
    predicates[destination.index] = (predicates[destination.index] & ~mask) | (value & mask);
}

void Warp::addresses(const Address& address, std::uint64_t (&value)[kLanes]) const {
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
