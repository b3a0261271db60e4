#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"
#include "harness/sass/shuffle.h"

#include <bit>
#include <functional>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

// ---- special registers

struct SpecialRegister {
  std::string_view name;
  void (*read)(const Warp& warp, u32 (&out)[kLanes]);
};

template <auto Read> void eachLane(const Warp& warp, u32 (&out)[kLanes]) {
  for (unsigned i = 0; i < kLanes; ++i)
    out[i] = Read(warp, i);
}

constexpr SpecialRegister kSpecialRegisters[] = {
    {"SR_TID.X", eachLane<[](const Warp& w, unsigned lane) { return w.threadIndex[0].v[lane]; }>},
    {"SR_TID.Y", eachLane<[](const Warp& w, unsigned lane) { return w.threadIndex[1].v[lane]; }>},
    {"SR_TID.Z", eachLane<[](const Warp& w, unsigned lane) { return w.threadIndex[2].v[lane]; }>},
    {"SR_CTAID.X", eachLane<[](const Warp& w, unsigned) { return w.block.index[0]; }>},
    {"SR_CTAID.Y", eachLane<[](const Warp& w, unsigned) { return w.block.index[1]; }>},
    {"SR_CTAID.Z", eachLane<[](const Warp& w, unsigned) { return w.block.index[2]; }>},
    {"SR_LANEID", eachLane<[](const Warp&, unsigned lane) { return lane; }>},
    {"SR_EQMASK", eachLane<[](const Warp&, unsigned lane) { return u32{1} << lane; }>},
    {"SR_LTMASK", eachLane<[](const Warp&, unsigned lane) { return (u32{1} << lane) - 1; }>},
    {"SR_LEMASK", eachLane<[](const Warp&, unsigned lane) { return (~u32{0} >> (31 - lane)); }>},
    {"SR_GTMASK", eachLane<[](const Warp&, unsigned lane) { return ~(~u32{0} >> (31 - lane)); }>},
    {"SR_GEMASK", eachLane<[](const Warp&, unsigned lane) { return ~u32{0} << lane; }>},
    // The lowest stack address; -O0 code traps when its stack pointer is below.
    {"SR_LMEMHIOFF", eachLane<[](const Warp&, unsigned) { return u32{0}; }>},
    {"SR_CgaCtaId", eachLane<[](const Warp&, unsigned) { return u32{0}; }>}, // clusters of one block only
    {"SR_CgaSize",
     eachLane<[](const Warp&, unsigned) { return u32{0}; }>}, // see Machine on the constants of a cluster
    // %smid and %warpid: as if all blocks ran one after another on one multiprocessor.
    {"SR_VIRTUALSMID", eachLane<[](const Warp&, unsigned) { return u32{0}; }>},
    {"SR_VIRTID", eachLane<[](const Warp& w, unsigned) { return w.index << 8; }>},
    {"SR_CLOCKLO", eachLane<[](const Warp& w, unsigned) { return static_cast<u32>(w.block.clock()); }>},
    {"SR_CLOCKHI", eachLane<[](const Warp& w, unsigned) { return static_cast<u32>(w.block.clock() >> 32); }>},
    {"SR_GLOBALTIMERLO", eachLane<[](const Warp& w, unsigned) { return static_cast<u32>(w.block.clock()); }>},
    {"SR_GLOBALTIMERHI",
     eachLane<[](const Warp& w, unsigned) { return static_cast<u32>(w.block.clock() >> 32); }>},
    {"SR_SWINLO", eachLane<[](const Warp&, unsigned) { return static_cast<u32>(kSharedWindow); }>},
    {"SR_SWINHI", eachLane<[](const Warp&, unsigned) { return static_cast<u32>(kSharedWindow >> 32); }>},
    {"SRZ", eachLane<[](const Warp&, unsigned) { return u32{0}; }>},
};

/// The place of a special register in the table; its length if it is not there.
u32 specialRegister(std::string_view name) {
  u32 place = 0;
  while (place < std::size(kSpecialRegisters) && kSpecialRegisters[place].name != name)
    ++place;
  return place;
}

u32 takeSpecial(Binder& b) {
  const TextOperand* operand = b.any();
  u32 place = operand ? specialRegister(operand->text) : static_cast<u32>(std::size(kSpecialRegisters));
  if (place == std::size(kSpecialRegisters)) b.refuse();
  return place;
}

void readSpecial(Warp& w, Destination destination, u32 place, LaneMask mask) {
  Lanes out;
  kSpecialRegisters[place].read(w, out.v);
  w.write(destination, out.v, mask);
}

void bindReadSpecial(Binder& b, Destination destination) {
  b.op.dst = destination;
  b.op.option[0] = takeSpecial(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { readSpecial(w, op.dst, op.option[0], mask); };
}

void bindS2r(Binder& b) {
  bindReadSpecial(b, b.destination());
}

void bindS2ur(Binder& b) {
  bindReadSpecial(b, b.uniformDestination());
}

/// CS2R.32 R, special; CS2R R, special: a pair, of the register and the one that continues it.
void bindCs2r(Binder& b) {
  if (b.take("32")) return bindS2r(b);
  b.op.dst = b.destination64();
  u32 low = b.op.option[0] = takeSpecial(b);
  if (low == std::size(kSpecialRegisters)) return;
  std::string_view name = kSpecialRegisters[low].name;
  if (name == "SRZ")
    b.op.option[1] = low;
  else if (name.ends_with("LO"))
    b.op.option[1] = specialRegister(std::string(name.substr(0, name.size() - 2)) + "HI");
  else
    b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    readSpecial(w, op.dst, op.option[0], mask);
    if (op.dst.index == kZeroRegister) return;
    readSpecial(w, {static_cast<std::uint8_t>(op.dst.index + 1), false}, op.option[1], mask);
  };
}

/// CS2UR.32 UR, special
void bindCs2ur(Binder& b) {
  if (!b.take("32")) b.refuse();
  bindS2ur(b);
}

// ---- shuffle

template <ShuffleMode Mode> void shuffle(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1, s2, from, out, inRange;
  const u32* value = w.fetch(op.src[0], s0);
  const u32* amount = w.fetch(op.src[1], s1);
  const u32* control = w.fetch(op.src[2], s2);
  for (unsigned i = 0; i < kLanes; ++i) {
    bool holds = false;
    from.v[i] = shuffleSource(Mode, i, amount[i], control[i], holds);
    inRange.v[i] = holds;
  }
  permuteLanes(out, value, from);
  if (mask != kAllLanes) {
    // What a lane that does not take part would give is undefined.
    u32 poison = 0;
    std::memset(&poison, static_cast<int>(w.machine.options.poison), sizeof poison);
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = (mask >> from.v[i] & 1) ? out.v[i] : poison;
  }
  w.write(op.dst, out.v, mask);
  w.write(op.pdst[0], nonZeroLanes(inRange), mask);
}

void bindShfl(Binder& b) {
  static constexpr OpFunction kRuns[] = {shuffle<ShuffleMode::Index>, shuffle<ShuffleMode::Up>,
                                         shuffle<ShuffleMode::Down>, shuffle<ShuffleMode::Butterfly>};
  unsigned mode = b.choice({"IDX", "UP", "DOWN", "BFLY"}, 4);
  if (mode == 4) b.refuse();
  b.op.pdst[0] = b.predicateDestination();
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  b.op.run = kRuns[mode % 4];
}

// ---- lanes with the same value

enum class Match : u32 { Any, All };

template <typename T> void match(Warp& w, const Op& op, LaneMask mask, const T* value) {
  auto equals = [&](unsigned lane) {
    LaneMask same = 0;
    for (unsigned i = 0; i < kLanes; ++i)
      same |= LaneMask{value[i] == value[lane]} << i;
    return same & mask;
  };
  Lanes out{};
  if (op.option[0] == static_cast<u32>(Match::Any)) {
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      out.v[lane] = equals(lane);
    }
    return w.write(op.dst, out.v, mask);
  }
  bool all = equals(static_cast<unsigned>(std::countr_zero(mask))) == mask;
  std::fill_n(out.v, kLanes, all ? mask : 0);
  w.write(op.dst, out.v, mask);
  w.write(op.pdst[0], all ? kAllLanes : 0, mask);
}

/// MATCH.ANY[.U64] R, a: the lanes with the lane's own value. MATCH.ALL[.U64] P, R, a: P = all have one
/// value, R = those lanes, or none.
void bindMatch(Binder& b) {
  unsigned mode = b.choice({"ANY", "ALL"}, 2);
  if (mode == 2) b.refuse();
  b.op.option[0] = mode;
  if (mode == static_cast<u32>(Match::All)) b.op.pdst[0] = b.predicateDestination();
  b.op.dst = b.destination();
  bool wide = b.take("U64");
  b.op.src[0] = wide ? b.integer64() : b.integer();
  if (b.op.src[0].kind != Source::Kind::Register || b.op.src[0].transform != Transform::None) b.refuse();
  if (wide)
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      std::uint64_t value[kLanes];
      w.fetch64(op.src[0], value);
      match(w, op, mask, value);
    };
  else
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      Lanes scratch;
      match(w, op, mask, w.fetch(op.src[0], scratch));
    };
}

// ---- reductions

template <typename F> void reduce(Warp& w, const Op& op, LaneMask mask, F combine) {
  Lanes scratch, out;
  const u32* value = w.fetch(op.src[0], scratch);
  u32 result = value[std::countr_zero(mask)];
  for (LaneMask left = mask & (mask - 1); left; left &= left - 1)
    result = combine(result, value[std::countr_zero(left)]);
  std::fill_n(out.v, kLanes, result);
  w.write(op.dst, out.v, mask);
}

template <typename F> OpFunction reduction() {
  return [](Warp& w, const Op& op, LaneMask mask) { reduce(w, op, mask, F()); };
}

struct Smaller {
  u32 operator()(u32 a, u32 b) const { return std::min(a, b); }
};
struct Greater {
  u32 operator()(u32 a, u32 b) const { return std::max(a, b); }
};
struct SmallerSigned {
  u32 operator()(u32 a, u32 b) const {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
  }
};
struct GreaterSigned {
  u32 operator()(u32 a, u32 b) const {
    return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a : b;
  }
};

void bindReductionSource(Binder& b) {
  b.op.dst = b.uniformDestination();
  b.op.src[0] = b.integer();
  if (b.op.src[0].kind != Source::Kind::Register || b.op.src[0].transform != Transform::None) b.refuse();
}

OpFunction extreme(bool greater, bool isSigned) {
  if (greater) return isSigned ? reduction<GreaterSigned>() : reduction<Greater>();
  return isSigned ? reduction<SmallerSigned>() : reduction<Smaller>();
}

/// REDUX[.OR|XOR|SUM|MIN|MAX][.S32] UR, R; the name alone is AND.
void bindRedux(Binder& b) {
  bindReductionSource(b);
  unsigned operation = b.choice({"OR", "XOR", "SUM", "MIN", "MAX"}, 5);
  bool isSigned = operation >= 2 && operation <= 4 && b.take("S32");
  switch (operation) {
  case 0: b.op.run = reduction<std::bit_or<u32>>(); break;
  case 1: b.op.run = reduction<std::bit_xor<u32>>(); break;
  case 2: b.op.run = reduction<std::plus<u32>>(); break; // modulo 2^32 the sign is no matter
  case 3:
  case 4: b.op.run = extreme(operation == 4, isSigned); break;
  default: b.op.run = reduction<std::bit_and<u32>>(); break;
  }
}

constexpr u32 kSignBit = 0x80000000;

bool isNan(u32 real) {
  return (real & ~kSignBit) > 0x7f800000;
}

/// An f32 as an integer of the same order, in which -0 is less than +0.
std::int32_t orderOf(u32 real) {
  return static_cast<std::int32_t>(real & kSignBit ? real ^ ~kSignBit : real);
}

/// The extreme of two f32, one of which may be a NaN: that loses, or wins if Propagates.
template <bool Maximum, bool Propagates> struct RealExtreme {
  u32 operator()(u32 a, u32 b) const {
    if (isNan(a) || isNan(b)) return isNan(a) == Propagates ? a : b;
    return (orderOf(a) > orderOf(b)) == Maximum ? a : b;
  }
};

enum : u32 { kAbsolute = 1 };

template <bool Maximum, bool Propagates> void reduceReals(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch, out;
  const u32* value = w.fetch(op.src[0], scratch);
  u32 keep = op.option[0] & kAbsolute ? ~kSignBit : ~u32{0};
  u32 result = value[std::countr_zero(mask)] & keep;
  for (LaneMask left = mask & (mask - 1); left; left &= left - 1)
    result = RealExtreme<Maximum, Propagates>()(result, value[std::countr_zero(left)] & keep);
  std::fill_n(out.v, kLanes, canonical(result));
  w.write(op.dst, out.v, mask);
}

/// CREDUX.MIN|MAX[.S32] UR, R; CREDUX.MIN|MAX|MINABS|MAXABS.F32[.NAN] UR, R, as PTX has redux.sync of f32:
/// -0 is less than +0, and a result that is a NaN is the canonical one.
void bindCredux(Binder& b) {
  bindReductionSource(b);
  unsigned operation = b.choice({"MIN", "MAX", "MINABS", "MAXABS"}, 4);
  bool maximum = operation % 2 == 1, absolute = operation >= 2;
  if (!b.take("F32")) {
    if (operation == 4 || absolute) b.refuse();
    b.op.run = extreme(maximum, b.take("S32"));
    return;
  }
  if (operation == 4) b.refuse();
  b.op.option[0] = absolute ? u32{kAbsolute} : 0;
  if (b.take("NAN"))
    b.op.run = maximum ? reduceReals<true, true> : reduceReals<false, true>;
  else
    b.op.run = maximum ? reduceReals<true, false> : reduceReals<false, false>;
}

/// ELECT P, UR, a: P in the lowest lane for which a holds, and that lane's number. ptxas before 12.5 has a
/// mask of lanes in place of a; only that of all lanes, ~URZ, is known.
void bindElect(Binder& b) {
  b.op.pdst[0] = b.predicateDestination();
  b.op.dst = b.uniformDestination();
  if (b.peekPredicate()) {
    b.op.psrc[0] = b.predicate();
    if (b.op.psrc[0].uniform) b.refuse();
  } else if (const TextOperand* lanes = b.any(); !lanes || lanes->text != "~URZ") {
    b.refuse();
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask candidates = w.fetch(op.psrc[0]) & mask;
    if (candidates == 0) unsupported("ELECT among no lanes");
    Lanes out;
    std::fill_n(out.v, kLanes, static_cast<u32>(std::countr_zero(candidates)));
    w.write(op.dst, out.v, mask);
    w.write(op.pdst[0], candidates & -candidates, mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"S2R", bindS2r},     {"S2UR", bindS2ur},     {"CS2R", bindCs2r},
    {"CS2UR", bindCs2ur}, {"SHFL", bindShfl},     {"MATCH", bindMatch},
    {"REDUX", bindRedux}, {"CREDUX", bindCredux}, {"ELECT", bindElect},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::warpOpcodes() {
  return kRows;
}

} // namespace harness::sass
