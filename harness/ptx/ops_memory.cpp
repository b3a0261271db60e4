// Loads and stores.

#include "harness/ptx/lanes.h"
#include "harness/ptx/widths.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

namespace {

/// The state space of ld and st; Generic if there is none.
AddressSpace takeSpace(Binder& b) {
  // A cluster has one block, a function's own parameters are in its frame.
  if (b.take("shared::cta") || b.take("shared::cluster")) return AddressSpace::Shared;
  if (b.take("param::entry") || b.take("param::func")) return AddressSpace::Param;
  static constexpr AddressSpace kSpaces[] = {AddressSpace::Global, AddressSpace::Const,
                                             AddressSpace::Shared, AddressSpace::Local,
                                             AddressSpace::Param,  AddressSpace::Generic};
  return kSpaces[b.choice({"global", "const", "shared", "local", "param"}, 5)];
}

/// Modifiers that say how, not what: ordering, scope, caches. True if there is a cache policy.
bool ignoreAccessModifiers(Binder& b) {
  b.ignore({"weak", "relaxed", "acquire", "release", "volatile", "mmio"});
  b.ignore({"cta", "cluster", "gpu", "sys"});
  b.ignore({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"});
  bool policy = b.take("L2::cache_hint");
  b.ignorePrefix("L1::");
  b.ignorePrefix("L2::");
  return policy;
}

/// option[0] = type, option[1] = elements.
void runLoad(Warp& w, const Op& op, LaneMask mask) {
  auto type = static_cast<Type>(op.option[0]);
  unsigned bytes = std::min(8u, bitsOf(type) / 8), count = op.destinations;
  std::uint64_t addresses[kLanes];
  w.addresses(op.address, addresses);
  Lanes out[kOperands];
  LaneMask unknown[kOperands] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    Warp::Place place = w.resolve(op.address.space, addresses[lane], bytes * count, Warp::Access::Read, lane);
    for (unsigned i = 0; i < count; ++i) {
      const std::uint8_t* written = place.written ? place.written + std::size_t{bytes} * i : nullptr;
      if (written && std::find(written, written + bytes, 0) != written + bytes) unknown[i] |= laneBit(lane);
      std::uint64_t value = 0;
      std::memcpy(&value, place.host + std::size_t{bytes} * i, bytes);
      out[i].v[lane] = fill(value, type, op.dst[i].bits);
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    w.write(op.dst[i], out[i].v, mask);
    w.markUndefined(op.dst[i].slot, unknown[i]);
  }
}

void runStore(Warp& w, const Op& op, LaneMask mask) {
  auto type = static_cast<Type>(op.option[0]);
  unsigned bytes = std::min(8u, bitsOf(type) / 8), count = op.sources;
  if (LaneMask unknown = mask & ~w.written(op.address.base))
    w.reportUnwritten("its address is a value that nobody wrote", unknown);
  std::uint64_t addresses[kLanes];
  w.addresses(op.address, addresses);
  Lanes scratch[kOperands];
  const std::uint64_t* values[kOperands];
  LaneMask known[kOperands];
  for (unsigned i = 0; i < count; ++i) {
    values[i] = w.fetch(op.src[i], scratch[i]);
    known[i] = w.written(op.src[i]);
  }
  LaneMask leaked = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    Warp::Place place =
        w.resolve(op.address.space, addresses[lane], bytes * count, Warp::Access::Write, lane);
    for (unsigned i = 0; i < count; ++i) {
      std::memcpy(place.host + std::size_t{bytes} * i, &values[i][lane], bytes);
      bool isKnown = known[i] >> lane & 1;
      if (place.written)
        std::fill_n(place.written + std::size_t{bytes} * i, bytes, static_cast<std::uint8_t>(isKnown));
      else if (!isKnown)
        leaked |= laneBit(lane);
    }
  }
  if (leaked) w.reportUnwritten("stores a value that nobody wrote", leaked);
}

/// Vectors of .b128 have two registers an element.
unsigned takeTypeAndLength(Binder& b, AddressSpace space, Type& type) {
  unsigned length = b.vectorLength();
  type = b.type();
  bool simple = isFloat(type) ? type == Type::F32 || type == Type::F64 : type <= Type::B128;
  // More than 128 bits at once there are in global memory only.
  bool wide = space == AddressSpace::Global || space == AddressSpace::Generic;
  if (!simple || length * bitsOf(type) > (wide ? 256 : 128)) b.refuse();
  b.op.option[0] = static_cast<std::uint32_t>(type);
  return length;
}

void bindLoad(Binder& b) {
  bool policy = ignoreAccessModifiers(b);
  AddressSpace space = takeSpace(b);
  Type type = Type::B32;
  unsigned length = takeTypeAndLength(b, space, type);
  b.destinations(type, length);
  b.address(space);
  if (policy) b.ignoreSource(Type::B64);
  b.needsDefined();
  b.op.run = runLoad;
}

/// st.bulk: [a], bytes, 0. Sets shared memory to zero.
void runFill(Warp& w, const Op& op, LaneMask mask) {
  constexpr std::uint32_t kPiece = 8;
  Lanes scratch;
  const std::uint64_t* sizes = w.fetch(op.src[0], scratch);
  std::uint64_t addresses[kLanes];
  w.addresses(op.address, addresses);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    if (sizes[lane] % kPiece != 0)
      fault("st.bulk of a size that is no multiple of 8", static_cast<int>(lane));
    for (std::uint64_t part = 0; part < sizes[lane]; part += kPiece) {
      w.machine.work(part % 4096 == 0 ? 4096 : 0);
      Warp::Place place =
          w.resolve(op.address.space, addresses[lane] + part, kPiece, Warp::Access::Write, lane);
      if (place.space != AddressSpace::Shared)
        fault("st.bulk outside of shared memory", static_cast<int>(lane));
      std::fill_n(place.host, kPiece, std::byte{0});
      std::fill_n(place.written, kPiece, std::uint8_t{1});
    }
  }
}

void bindFill(Binder& b) {
  b.ignore({"weak"});
  bool shared = b.take("shared::cta") || b.take("shared");
  b.address(shared ? AddressSpace::Shared : AddressSpace::Generic);
  b.source(Type::U64);
  if (b.number() != 0) b.refuse();
  b.needsDefined();
  b.op.run = runFill;
}

void bindStore(Binder& b) {
  if (b.take("bulk")) return bindFill(b);
  if (b.has("async")) return b.refuse();
  bool policy = ignoreAccessModifiers(b);
  AddressSpace space = takeSpace(b);
  if (space == AddressSpace::Const) b.refuse();
  Type type = Type::B32;
  unsigned length = takeTypeAndLength(b, space, type);
  b.address(space);
  b.sources(type, length);
  if (policy) b.ignoreSource(Type::B64);
  b.op.run = runStore;
}

constexpr OpcodeRow kRows[] = {
    {"ld", TypeClass::Any, bindLoad},
    {"ldu", TypeClass::Any, bindLoad},
    {"st", TypeClass::Any, bindStore},
};

} // namespace

std::span<const OpcodeRow> memoryOpcodes() {
  return kRows;
}

} // namespace harness::ptx
