#include "harness/sass/access.h"
#include "harness/sass/mbarrier.h"
#include "harness/sass/rounding.h"

#include <llvm/ADT/APFloat.h>

#include <algorithm>

namespace harness::sass {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// ---- what is done to one element of memory

template <typename T> T add(T old, T value) {
  return old + value;
}
template <typename T> T minimum(T old, T value) {
  return std::min(old, value);
}
template <typename T> T maximum(T old, T value) {
  return std::max(old, value);
}
template <typename T> T bitAnd(T old, T value) {
  return old & value;
}
template <typename T> T bitOr(T old, T value) {
  return old | value;
}
template <typename T> T bitXor(T old, T value) {
  return old ^ value;
}
template <typename T> T exchange(T, T value) {
  return value;
}
u32 increment(u32 old, u32 limit) {
  return old >= limit ? 0 : old + 1;
}
u32 decrement(u32 old, u32 limit) {
  return old == 0 || old > limit ? limit : old - 1;
}

/// Subnormals flushed on the way in and out.
u32 addFloat(u32 old, u32 value) {
  return flush(canonical(asBits(asFloat(flush(old)) + asFloat(flush(value)))));
}

u64 addDouble(u64 old, u64 value) {
  double sum = std::bit_cast<double>(old) + std::bit_cast<double>(value);
  return sum != sum ? 0xfff8000000000000 : std::bit_cast<u64>(sum);
}

/// The 16-bit formats: subnormals are kept, a NaN is 0x7fff.
enum class Narrow { Half, BFloat };
constexpr u16 kNarrowNan = 0x7fff;

template <Narrow Format> llvm::APFloat decode(u16 bits) {
  return {Format == Narrow::Half ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat(),
          llvm::APInt(16, bits)};
}

u16 encode(const llvm::APFloat& value) {
  return value.isNaN() ? kNarrowNan : static_cast<u16>(value.bitcastToAPInt().getZExtValue());
}

template <Narrow Format> u16 addNarrow(u16 old, u16 value) {
  llvm::APFloat sum = decode<Format>(old);
  sum.add(decode<Format>(value), llvm::APFloat::rmNearestTiesToEven);
  return encode(sum);
}

/// A NaN loses against a number; -0 is less than +0 (PTX min and max).
template <Narrow Format> u16 minNarrow(u16 old, u16 value) {
  return encode(llvm::minnum(decode<Format>(old), decode<Format>(value)));
}
template <Narrow Format> u16 maxNarrow(u16 old, u16 value) {
  return encode(llvm::maxnum(decode<Format>(old), decode<Format>(value)));
}

// ---- what is done to the whole

constexpr u32 kMaxBytes = 16;

/// What memory holds after an operation on `old`, both of the operation's size.
using Combine = void (*)(std::byte* memory, const std::byte* value);

/// One element after the other.
template <typename T, T (*Operation)(T, T), unsigned Count = 1>
void combine(std::byte* memory, const std::byte* value) {
  static_assert(sizeof(T) * Count <= kMaxBytes);
  T old[Count], operand[Count];
  std::memcpy(old, memory, sizeof old);
  std::memcpy(operand, value, sizeof operand);
  for (unsigned i = 0; i < Count; ++i)
    old[i] = Operation(old[i], operand[i]);
  std::memcpy(memory, old, sizeof old);
}

void exchange128(std::byte* memory, const std::byte* value) {
  std::memcpy(memory, value, kMaxBytes);
}

struct Operation {
  std::string_view name, type;
  u32 bytes;
  Combine combine;
};

constexpr Operation kOperations[] = {
    {"ADD", "", 4, combine<u32, add>},
    {"ADD", "S32", 4, combine<u32, add>},
    {"ADD", "64", 8, combine<u64, add>},
    {"ADD", "F32", 4, combine<u32, addFloat>},
    {"ADD", "F32x2", 8, combine<u32, addFloat, 2>},
    {"ADD", "F32x4", 16, combine<u32, addFloat, 4>},
    {"ADD", "F64", 8, combine<u64, addDouble>},
    {"ADD", "F16x2", 4, combine<u16, addNarrow<Narrow::Half>, 2>},
    {"ADD", "F16x4", 8, combine<u16, addNarrow<Narrow::Half>, 4>},
    {"ADD", "F16x8", 16, combine<u16, addNarrow<Narrow::Half>, 8>},
    {"ADD", "BF16x2", 4, combine<u16, addNarrow<Narrow::BFloat>, 2>},
    {"ADD", "BF16x4", 8, combine<u16, addNarrow<Narrow::BFloat>, 4>},
    {"ADD", "BF16x8", 16, combine<u16, addNarrow<Narrow::BFloat>, 8>},
    {"MIN", "", 4, combine<u32, minimum>},
    {"MIN", "S32", 4, combine<s32, minimum>},
    {"MIN", "64", 8, combine<u64, minimum>},
    {"MIN", "S64", 8, combine<s64, minimum>},
    {"MIN", "F16x2", 4, combine<u16, minNarrow<Narrow::Half>, 2>},
    {"MIN", "F16x4", 8, combine<u16, minNarrow<Narrow::Half>, 4>},
    {"MIN", "F16x8", 16, combine<u16, minNarrow<Narrow::Half>, 8>},
    {"MIN", "BF16x2", 4, combine<u16, minNarrow<Narrow::BFloat>, 2>},
    {"MIN", "BF16x4", 8, combine<u16, minNarrow<Narrow::BFloat>, 4>},
    {"MIN", "BF16x8", 16, combine<u16, minNarrow<Narrow::BFloat>, 8>},
    {"MAX", "", 4, combine<u32, maximum>},
    {"MAX", "S32", 4, combine<s32, maximum>},
    {"MAX", "64", 8, combine<u64, maximum>},
    {"MAX", "S64", 8, combine<s64, maximum>},
    {"MAX", "F16x2", 4, combine<u16, maxNarrow<Narrow::Half>, 2>},
    {"MAX", "F16x4", 8, combine<u16, maxNarrow<Narrow::Half>, 4>},
    {"MAX", "F16x8", 16, combine<u16, maxNarrow<Narrow::Half>, 8>},
    {"MAX", "BF16x2", 4, combine<u16, maxNarrow<Narrow::BFloat>, 2>},
    {"MAX", "BF16x4", 8, combine<u16, maxNarrow<Narrow::BFloat>, 4>},
    {"MAX", "BF16x8", 16, combine<u16, maxNarrow<Narrow::BFloat>, 8>},
    {"INC", "", 4, combine<u32, increment>},
    {"DEC", "", 4, combine<u32, decrement>},
    {"AND", "", 4, combine<u32, bitAnd>},
    {"AND", "64", 8, combine<u64, bitAnd>},
    {"OR", "", 4, combine<u32, bitOr>},
    {"OR", "64", 8, combine<u64, bitOr>},
    {"XOR", "", 4, combine<u32, bitXor>},
    {"XOR", "64", 8, combine<u64, bitXor>},
    {"EXCH", "", 4, combine<u32, exchange>},
    {"EXCH", "64", 8, combine<u64, exchange>},
    {"EXCH", "128", 16, exchange128},
};

bool isExchange(const Operation& operation) {
  return operation.name == "EXCH";
}

/// Index of the operation that the modifiers name; refuses what is not there.
u32 takeOperation(Binder& b) {
  auto takeOneOf = [&b](auto member) {
    for (const Operation& operation : kOperations)
      if (!(operation.*member).empty() && b.take(operation.*member)) return operation.*member;
    return std::string_view();
  };
  std::string_view name = takeOneOf(&Operation::name), type = takeOneOf(&Operation::type);
  bool real = type.find('F') != std::string_view::npos;
  if ((real && !b.take("RN")) || (type.starts_with("F32") && !b.take("FTZ"))) b.refuse();
  for (u32 i = 0; i < std::size(kOperations); ++i)
    if (kOperations[i].name == name && kOperations[i].type == type) return i;
  b.refuse();
  return 0;
}

// ---- execution; option[0] = bytes, option[1] = the operation

/// Reads the words of an access of one lane and puts something in their place.
/// update(memory, lane) changes what is there with the lane's `value`; old[] gets what was there.
template <FindWindow Find, typename Update>
void updateLanes(Warp& w, const Op& op, LaneMask mask, Lanes (&old)[4], const u32* const* value,
                 Update update) {
  u64 addresses[kLanes];
  laneAddresses<Find>(w, op.address, addresses);
  u32 bytes = op.option[0];
  observe<Find>(w, AccessKind::Atomic, addresses, bytes, mask, value);
  accessLanes<Find>(w, addresses, bytes, mask, [&](std::byte* at, unsigned lane) {
    u32 words[4] = {};
    std::memcpy(words, at, bytes);
    for (unsigned i = 0; i < 4; ++i)
      old[i].v[lane] = words[i];
    update(at, lane);
  });
}

/// A lane's words of a group.
struct LaneWords {
  LaneWords(const Group& group, u32 bytes, unsigned lane) {
    for (unsigned i = 0; i < bytes / 4; ++i)
      words[i] = group[i][lane];
  }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(words); }
  u32 words[4] = {};
};

template <FindWindow Find> void update(Warp& w, const Op& op, LaneMask mask) {
  u32 bytes = op.option[0];
  Group value(w, op.src[0], bytes / 4);
  Combine combine = kOperations[op.option[1]].combine;
  Lanes old[4];
  updateLanes<Find>(w, op, mask, old, value.data(), [&](std::byte* at, unsigned lane) {
    combine(at, LaneWords(value, bytes, lane).bytes());
  });
  writeGroup(w, op.dst, old, bytes / 4, mask);
}

/// Stores src[1] where memory holds src[0]. Returns the lanes that did.
template <FindWindow Find> LaneMask compareAndSwap(Warp& w, const Op& op, LaneMask mask, Lanes (&old)[4]) {
  u32 bytes = op.option[0];
  Group expected(w, op.src[0], bytes / 4), value(w, op.src[1], bytes / 4);
  LaneMask done = 0;
  updateLanes<Find>(w, op, mask, old, value.data(), [&](std::byte* at, unsigned lane) {
    if (std::memcmp(at, LaneWords(expected, bytes, lane).bytes(), bytes) != 0) return;
    std::memcpy(at, LaneWords(value, bytes, lane).bytes(), bytes);
    done |= LaneMask{1} << lane;
  });
  return done;
}

template <FindWindow Find> void swap(Warp& w, const Op& op, LaneMask mask) {
  Lanes old[4];
  compareAndSwap<Find>(w, op, mask, old);
  writeGroup(w, op.dst, old, op.option[0] / 4, mask);
}

/// CAST.SPIN: whether the lane's value was stored, as a predicate or as 1 or 0.
template <FindWindow Find> void trySwap(Warp& w, const Op& op, LaneMask mask) {
  Lanes old[4];
  LaneMask done = compareAndSwap<Find>(w, op, mask, old);
  w.write(op.pdst[0], done, mask);
  Lanes result[2] = {};
  for (unsigned i = 0; i < kLanes; ++i)
    result[0].v[i] = done >> i & 1;
  writeGroup(w, op.dst, result, op.option[0] / 4, mask);
}

/// ATOM with a predicate says where it did its work; elsewhere the code that follows does it. ptxas tells
/// what each can: after swaps and exchanges it provides for local memory alone, so they reach shared memory
/// too; after arithmetic it asks QSPC and tries with ATOMS in shared memory, so that reaches global memory
/// alone.
template <OpFunction Run, bool Shared> void whereAble(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  w.addresses(op.address, addresses);
  LaneMask able = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    MemorySpace space = spaceOf(addresses[i]);
    able |= LaneMask{space == MemorySpace::Global || (Shared && space == MemorySpace::Shared)} << i;
  }
  w.write(op.pdst[0], able, mask);
  if (able & mask) Run(w, op, able & mask);
}

/// ATOM without one is for what shared memory can do too.
Window globalOrSharedWindow(Warp& w, u64 address, u32 bytes, int lane) {
  if (spaceOf(address) == MemorySpace::Local) fault("an atomic operation on local memory", lane);
  return genericWindow(w, address, bytes, lane);
}

/// ATOMS.ARRIVE: an arrival at an mbarrier of sm_80.
void arrive(Warp& w, const Op& op, LaneMask mask) {
  Lanes old[4];
  updateLanes<sharedWindow>(w, op, mask, old, nullptr, [](std::byte* at, unsigned) {
    u64 state = 0;
    std::memcpy(&state, at, sizeof state);
    state = arriveAtCounter(state);
    std::memcpy(at, &state, sizeof state);
  });
  writeGroup(w, op.dst, old, 2, mask);
}

// ---- binding

/// `.64`, `.128` or nothing of a compare and swap.
u32 takeSwapBytes(Binder& b) {
  static constexpr u32 kBytes[] = {8, 16, 4};
  return kBytes[b.choice({"64", "128"}, 2)];
}

Destination takeOld(Binder& b) {
  Destination old = b.destination();
  checkGroup(b, old.index, b.op.option[0] / 4);
  return old;
}

/// What an atomic instruction does, into option[0] and, but for swaps, option[1].
struct AtomicKind {
  bool tries = false; ///< CAST.SPIN: a swap that may say no
  bool swaps = false; ///< CAS and CAST
};

void takeArithmetic(Binder& b) {
  b.op.option[1] = takeOperation(b);
  b.op.option[0] = kOperations[b.op.option[1]].bytes;
}

AtomicKind takeKind(Binder& b) {
  bool tries = b.take("CAST"), swaps = tries || b.take("CAS");
  if (tries && !b.take("SPIN")) b.refuse();
  if (swaps)
    b.op.option[0] = takeSwapBytes(b);
  else
    takeArithmetic(b);
  return {tries, swaps};
}

/// The group that a kind works with, or two of them.
void takeValues(Binder& b, AtomicKind kind) {
  for (Source& source : std::span(b.op.src, kind.swaps ? 2 : 1))
    source = takeGroup(b, b.op.option[0] / 4);
}

/// `ATOMG Pd, Rd, [address], …`; what a predicate of ATOMG would say is not known.
template <FindWindow Find, bool Partial> void bindAtom(Binder& b) {
  auto [tries, swaps] = takeKind(b);
  ignoreCacheWords(b);
  b.op.pdst[0] = b.predicateDestination();
  bool partial = b.op.pdst[0].index != kTruePredicate;
  b.op.dst = takeOld(b);
  takeGlobalAddress(b);
  takeValues(b, {tries, swaps});
  if (partial && (!Partial || tries)) b.refuse();
  if (tries)
    b.op.run = trySwap<Find>;
  else if (partial)
    b.op.run = swaps                                     ? whereAble<swap<Find>, true>
               : isExchange(kOperations[b.op.option[1]]) ? whereAble<update<Find>, true>
                                                         : whereAble<update<globalWindow>, false>;
  else
    b.op.run = swaps ? swap<Find> : update<Find>;
}

/// RED, REDG: nothing comes back.
void bindRed(Binder& b) {
  takeArithmetic(b);
  ignoreCacheWords(b);
  takeGlobalAddress(b);
  b.op.src[0] = takeGroup(b, b.op.option[0] / 4);
  b.op.run = update<globalWindow>;
}

/// `ATOMS Rd, [address], …` on shared memory.
void bindAtoms(Binder& b) {
  if (b.take("ARRIVE")) {
    if (!b.take("64")) b.refuse();
    b.op.option[0] = 8;
    b.op.dst = takeOld(b);
    takeWindowAddress(b);
    b.op.run = arrive;
    return;
  }
  if (b.take("POPC")) {
    // Adds the number of the lanes that have the address; what it would return is not known.
    if (!b.take("INC") || !b.take("32")) b.refuse();
    b.op.option[0] = 4;
    b.op.dst = takeOld(b);
    if (b.op.dst.index != kZeroRegister) b.refuse();
    takeWindowAddress(b);
    b.op.src[0].immediate = 1;
    b.op.run = update<sharedWindow>; // option[1] = 0: ADD
    return;
  }
  auto [tries, swaps] = takeKind(b);
  // From sm_100 on a try gives a predicate.
  if (tries && b.peekPredicate())
    b.op.pdst[0] = b.predicateDestination();
  else
    b.op.dst = takeOld(b);
  takeWindowAddress(b);
  takeValues(b, {tries, swaps});
  b.op.run = tries ? trySwap<sharedWindow> : swaps ? swap<sharedWindow> : update<sharedWindow>;
}

/// REDAS [R4.64], a: on shared memory, and completes the transaction of its bytes.
void bindAsyncReduction(Binder& b) {
  takeArithmetic(b);
  const Operation& operation = kOperations[b.op.option[1]];
  // What red.async has.
  if (isExchange(operation) || !(operation.type.empty() || operation.type == "S32" ||
                                 (operation.name == "ADD" && operation.type == "64")))
    b.refuse();
  takeCountedAddress(b);
  b.op.src[0] = takeGroup(b, operation.bytes / 4);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 barriers[kLanes];
    countedBarriers(w, op, barriers);
    update<sharedWindow>(w, op, mask);
    completeTransaction(w, barriers, op.option[0], mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"ATOM", bindAtom<globalOrSharedWindow, true>},
    {"ATOMG", bindAtom<globalWindow, false>},
    {"ATOMS", bindAtoms},
    {"RED", bindRed},
    {"REDG", bindRed},
    {"REDAS", bindAsyncReduction},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::atomicOpcodes() {
  return kRows;
}

} // namespace harness::sass
