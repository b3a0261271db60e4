// atom and red: read, combine and write as one. Lanes do it one after the other, the lowest first: an order
// that nothing fixes, so what depends on it (sums of floats, which lane gets which old value) is no property
// of the program.

#include "harness/ptx/lanes.h"

#include <llvm/ADT/APFloat.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace harness::ptx {

namespace {

/// What an operation is given: the old value, and one or two operands; and where that value lies.
struct Given {
  std::uint64_t old, b, c;
  AddressSpace space;
};
using Combine = std::uint64_t (*)(const Given&);

// ---- integers

template <typename T> std::uint64_t sum(const Given& g) {
  return bitsFrom(static_cast<T>(g.old + g.b));
}
template <typename T> std::uint64_t least(const Given& g) {
  return bitsFrom(std::min(as<T>(g.old), as<T>(g.b)));
}
template <typename T> std::uint64_t greatest(const Given& g) {
  return bitsFrom(std::max(as<T>(g.old), as<T>(g.b)));
}
std::uint64_t increment(const Given& g) {
  auto old = as<std::uint32_t>(g.old);
  return old >= as<std::uint32_t>(g.b) ? 0 : old + 1;
}
std::uint64_t decrement(const Given& g) {
  auto old = as<std::uint32_t>(g.old), top = as<std::uint32_t>(g.b);
  return old == 0 || old > top ? top : old - 1;
}
std::uint64_t conjunction(const Given& g) {
  return g.old & g.b;
}
std::uint64_t disjunction(const Given& g) {
  return g.old | g.b;
}
std::uint64_t difference(const Given& g) {
  return g.old ^ g.b;
}
std::uint64_t exchange(const Given& g) {
  return g.b;
}
template <typename T> std::uint64_t exchangeIfEqual(const Given& g) {
  return as<T>(g.old) == as<T>(g.b) ? g.c : g.old;
}

// ---- floats: rounded to nearest even

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// "Current implementation of atom.add.f32 on global memory flushes subnormal inputs and results to
/// sign-preserving zero; whereas atom.add.f32 on shared memory supports subnormal inputs and results" (PTX
/// ISA).
std::uint64_t sumSingle(const Given& g) {
  auto a = as<float>(g.old), b = as<float>(g.b);
  bool flush = g.space == AddressSpace::Global;
  float result = flush ? flushed(flushed(a) + flushed(b)) : a + b;
  return std::isnan(result) ? 0x7fffffff : bitsFrom(result);
}

std::uint64_t sumDouble(const Given& g) {
  return bitsFrom(as<double>(g.old) + as<double>(g.b));
}

std::uint64_t addHalf(const llvm::fltSemantics& format, std::uint64_t a, std::uint64_t b) {
  llvm::APFloat value(format, llvm::APInt(16, a & 0xffff));
  value.add(llvm::APFloat(format, llvm::APInt(16, b & 0xffff)), llvm::APFloat::rmNearestTiesToEven);
  return value.isNaN() ? 0x7fff : value.bitcastToAPInt().getZExtValue();
}

std::uint64_t sumHalf(const Given& g) {
  return addHalf(llvm::APFloat::IEEEhalf(), g.old, g.b);
}
std::uint64_t sumBrain(const Given& g) {
  return addHalf(llvm::APFloat::BFloat(), g.old, g.b);
}

// ---- the table

enum class Kind : std::uint8_t {
  Both,     ///< atom and red
  AtomOnly, ///< red has no result, so no sense
};

struct Row {
  std::string_view operation;
  Type type;
  Kind kind;
  Combine combine;
};

constexpr Row kOperations[] = {
    {"add", Type::U32, Kind::Both, sum<std::uint32_t>},
    {"add", Type::S32, Kind::Both, sum<std::uint32_t>},
    {"add", Type::U64, Kind::Both, sum<std::uint64_t>},
    {"add", Type::F32, Kind::Both, sumSingle},
    {"add", Type::F64, Kind::Both, sumDouble},
    {"add", Type::F16, Kind::Both, sumHalf},
    {"add", Type::F16x2, Kind::Both, sumHalf},
    {"add", Type::BF16, Kind::Both, sumBrain},
    {"add", Type::BF16x2, Kind::Both, sumBrain},
    {"min", Type::U32, Kind::Both, least<std::uint32_t>},
    {"min", Type::S32, Kind::Both, least<std::int32_t>},
    {"min", Type::U64, Kind::Both, least<std::uint64_t>},
    {"min", Type::S64, Kind::Both, least<std::int64_t>},
    {"max", Type::U32, Kind::Both, greatest<std::uint32_t>},
    {"max", Type::S32, Kind::Both, greatest<std::int32_t>},
    {"max", Type::U64, Kind::Both, greatest<std::uint64_t>},
    {"max", Type::S64, Kind::Both, greatest<std::int64_t>},
    {"inc", Type::U32, Kind::Both, increment},
    {"dec", Type::U32, Kind::Both, decrement},
    {"and", Type::B32, Kind::Both, conjunction},
    {"and", Type::B64, Kind::Both, conjunction},
    {"or", Type::B32, Kind::Both, disjunction},
    {"or", Type::B64, Kind::Both, disjunction},
    {"xor", Type::B32, Kind::Both, difference},
    {"xor", Type::B64, Kind::Both, difference},
    {"exch", Type::B32, Kind::AtomOnly, exchange},
    {"exch", Type::B64, Kind::AtomOnly, exchange},
    {"cas", Type::B16, Kind::AtomOnly, exchangeIfEqual<std::uint16_t>},
    {"cas", Type::B32, Kind::AtomOnly, exchangeIfEqual<std::uint32_t>},
    {"cas", Type::B64, Kind::AtomOnly, exchangeIfEqual<std::uint64_t>},
};

// ---- execution

/// option[0] = row of kOperations, option[1] = bytes of an element (half of a packed pair), option[2] =
/// elements of a register.
void runAtomic(Warp& w, const Op& op, LaneMask mask) {
  const Row& row = kOperations[op.option[0]];
  bool hasResult = op.destinations > 0, swap = row.operation == "cas";
  unsigned bytes = op.option[1], packed = op.option[2], registers = swap ? 1 : op.sources;
  if (LaneMask unknown = mask & ~w.written(op.address.base))
    w.reportUnwritten("its address is a value that nobody wrote", unknown);
  std::uint64_t addresses[kLanes];
  w.addresses(op.address, addresses);
  Lanes scratch[kOperands], out[kOperands];
  const std::uint64_t* values[kOperands];
  LaneMask known = kAllLanes, leaked = 0;
  for (unsigned i = 0; i < op.sources; ++i) {
    values[i] = w.fetch(op.src[i], scratch[i]);
    known &= w.written(op.src[i]);
  }
  unsigned size = bytes * packed * registers;
  std::uint64_t keep = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  w.undefined = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    Warp::Place place = w.resolve(op.address.space, addresses[lane], size, Warp::Access::Atomic, lane);
    if (place.space != AddressSpace::Global && place.space != AddressSpace::Shared)
      fault("an atomic access to memory that is neither global nor shared", static_cast<int>(lane));
    bool oldKnown =
        !place.written || std::find(place.written, place.written + size, 0) == place.written + size;
    for (unsigned i = 0; i < registers; ++i) {
      out[i].v[lane] = 0;
      for (unsigned part = 0; part < packed; ++part) {
        std::byte* at = place.host + std::size_t{bytes} * (i * packed + part);
        unsigned shift = 8 * bytes * part;
        Given given{0, values[i][lane] >> shift & keep, swap ? values[1][lane] & keep : 0, place.space};
        std::memcpy(&given.old, at, bytes);
        out[i].v[lane] |= given.old << shift;
        std::uint64_t made = row.combine(given);
        std::memcpy(at, &made, bytes);
      }
    }
    bool operandsKnown = known >> lane & 1,
         becomesKnown = operandsKnown && (oldKnown || row.operation == "exch");
    if (place.written)
      std::fill_n(place.written, size, static_cast<std::uint8_t>(becomesKnown));
    else if (!operandsKnown)
      leaked |= laneBit(lane);
    if (!oldKnown) w.undefined |= laneBit(lane);
  }
  if (leaked) w.reportUnwritten("stores a value that nobody wrote", leaked);
  for (unsigned i = 0; hasResult && i < registers; ++i)
    w.write(op.dst[i], out[i].v, mask);
}

/// A .b128 value is two registers.
template <bool Compare> void runAtomic128(Warp& w, const Op& op, LaneMask mask) {
  std::uint64_t addresses[kLanes];
  w.addresses(op.address, addresses);
  Lanes scratch[4], out[2];
  const std::uint64_t* values[4];
  for (unsigned i = 0; i < op.sources; ++i)
    values[i] = w.fetch(op.src[i], scratch[i]);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    Warp::Place place = w.resolve(op.address.space, addresses[lane], 16, Warp::Access::Atomic, lane);
    if (place.written && std::find(place.written, place.written + 16, 0) != place.written + 16)
      w.undefined |= laneBit(lane);
    std::uint64_t old[2];
    std::memcpy(old, place.host, sizeof old);
    out[0].v[lane] = old[0];
    out[1].v[lane] = old[1];
    if (Compare && (old[0] != values[0][lane] || old[1] != values[1][lane])) continue;
    unsigned from = Compare ? 2 : 0;
    std::uint64_t made[2] = {values[from][lane], values[from + 1][lane]};
    std::memcpy(place.host, made, sizeof made);
    if (place.written) std::fill_n(place.written, 16, std::uint8_t{1});
  }
  w.write(op.dst[0], out[0].v, mask);
  w.write(op.dst[1], out[1].v, mask);
}

// ---- binding

/// Order and scope: every access here is seen by all at once.
void ignoreOrder(Binder& b) {
  b.ignore({"relaxed", "acquire", "release", "acq_rel"});
  b.ignore({"cta", "cluster", "gpu", "sys"});
}

AddressSpace takeSpace(Binder& b) {
  if (b.take("global")) return AddressSpace::Global;
  if (b.take("shared") || b.take("shared::cta") || b.take("shared::cluster")) return AddressSpace::Shared;
  return AddressSpace::Generic;
}

void bind128(Binder& b, std::string_view operation, AddressSpace space) {
  bool compare = operation == "cas";
  if (!compare && operation != "exch") return b.refuse();
  b.destination(Type::B128);
  b.address(space);
  b.source(Type::B128);
  if (compare) b.source(Type::B128);
  b.needsDefined();
  b.op.run = compare ? runAtomic128<true> : runAtomic128<false>;
}

void bindAtomic(Binder& b, bool hasResult) {
  static constexpr std::string_view kNames[] = {"add", "min", "max", "inc",  "dec",
                                                "and", "or",  "xor", "exch", "cas"};
  if (b.has("async")) return b.refuse();
  ignoreOrder(b);
  AddressSpace space = takeSpace(b);
  unsigned name = b.choice({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}, 10);
  if (name == 10) return b.refuse();
  bool hint = b.take("L2::cache_hint"), noFlush = b.take("noftz");
  unsigned length = b.vectorLength();
  Type type = b.type();
  bool half = type == Type::F16 || type == Type::BF16, pair = type == Type::F16x2 || type == Type::BF16x2;
  if (noFlush != (half || pair)) return b.refuse();
  if (type == Type::B128 && hasResult && length == 1) {
    bind128(b, kNames[name], space);
  } else {
    const Row* row = std::find_if(std::begin(kOperations), std::end(kOperations), [&](const Row& r) {
      return r.operation == kNames[name] && r.type == type && (hasResult || r.kind == Kind::Both);
    });
    if (row == std::end(kOperations)) return b.refuse();
    // Vectors are of floats in global memory, 16 bytes at most.
    if (length > 1 &&
        (!isFloat(type) || type == Type::F64 || space == AddressSpace::Shared || length * bitsOf(type) > 128))
      return b.refuse();
    if (hasResult) b.destinations(type, length);
    b.address(space);
    b.sources(type, length);
    if (kNames[name] == "cas") b.source(type);
    b.op.option[0] = static_cast<std::uint32_t>(row - kOperations);
    b.op.option[1] = pair ? 2 : bitsOf(type) / 8;
    b.op.option[2] = pair ? 2 : 1;
    b.op.run = runAtomic;
  }
  if (hint) b.ignoreSource(Type::B64);
}

constexpr OpcodeRow kRows[] = {
    {"atom", TypeClass::Any, [](Binder& b) { bindAtomic(b, true); }},
    {"red", TypeClass::Any, [](Binder& b) { bindAtomic(b, false); }},
};

} // namespace

std::span<const OpcodeRow> atomicOpcodes() {
  return kRows;
}

} // namespace harness::ptx
