// What the lanes of a warp tell each other: shuffles, votes, matches, reductions.

#include "harness/ptx/lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace harness::ptx {

namespace {

/// Calls f(group) for the lanes of `mask` that act together: those with the same member mask; without one,
/// all.
template <typename F> void forGroups(Warp& w, const Op& op, LaneMask mask, F f) {
  if (op.together == Together::No) return f(mask);
  Lanes scratch;
  const std::uint64_t* members = w.fetch(op.members, scratch);
  if (LaneMask unknown = mask & ~w.written(op.members))
    w.reportUnwritten("its member mask is a value that nobody wrote", unknown);
  while (mask) {
    auto first = static_cast<unsigned>(std::countr_zero(mask));
    LaneMask group = mask & lanesWhere([&](unsigned lane) {
                       return static_cast<LaneMask>(members[lane]) == static_cast<LaneMask>(members[first]);
                     });
    f(group);
    mask &= ~group;
  }
}

/// The last operand of the .sync forms.
void takeMembers(Binder& b) {
  b.source(Type::B32);
  if (b.op.sources > 0) b.together(b.op.src[b.op.sources - 1]);
}

// ---- shfl

enum class Shuffle { Up, Down, Butterfly, Index };

struct Aim {
  unsigned lane;
  bool inRange;
};

/// Whom a lane reads.
template <Shuffle Mode> Aim aim(unsigned lane, std::uint32_t b, std::uint32_t c) {
  unsigned by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  unsigned lowest = lane & segment, highest = lowest | (clamp & ~segment);
  int from = 0;
  if (Mode == Shuffle::Up) from = static_cast<int>(lane) - static_cast<int>(by);
  if (Mode == Shuffle::Down) from = static_cast<int>(lane + by);
  if (Mode == Shuffle::Butterfly) from = static_cast<int>(lane ^ by);
  if (Mode == Shuffle::Index) from = static_cast<int>(lowest | (by & ~segment));
  bool inRange = Mode == Shuffle::Up ? from >= static_cast<int>(highest) : from <= static_cast<int>(highest);
  return {inRange ? static_cast<unsigned>(from) : lane, inRange};
}

/// dst = value, lane or offset, clamp and segments. The value of a lane that is not there is undefined: it
/// counts as one that nobody wrote, so that it is reported where it matters.
template <Shuffle Mode> void runShuffle(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch[3], out;
  const std::uint64_t* value = w.fetch(op.src[0], scratch[0]);
  const std::uint64_t* b = w.fetch(op.src[1], scratch[1]);
  const std::uint64_t* c = w.fetch(op.src[2], scratch[2]);
  LaneMask known = w.written(op.src[0]), inRange = 0, junk = 0;
  w.undefined = mask & ~(w.written(op.src[1]) & w.written(op.src[2]));
  forGroups(w, op, mask, [&](LaneMask group) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(group >> lane & 1)) continue;
      Aim from = aim<Mode>(lane, static_cast<std::uint32_t>(b[lane]), static_cast<std::uint32_t>(c[lane]));
      if (from.inRange) inRange |= laneBit(lane);
      bool there = group >> from.lane & 1;
      out.v[lane] = static_cast<std::uint32_t>(value[there ? from.lane : lane]);
      if (!there || !(known >> from.lane & 1)) junk |= laneBit(lane);
    }
  });
  w.write(op.dst[0], out.v, mask);
  w.markUndefined(op.dst[0].slot, junk);
  if (op.predicateDestinations) w.writePredicate(op.pdst[0], inRange, mask);
}

void bindShuffle(Binder& b) {
  static constexpr OpFunction kModes[] = {runShuffle<Shuffle::Up>, runShuffle<Shuffle::Down>,
                                          runShuffle<Shuffle::Butterfly>, runShuffle<Shuffle::Index>};
  bool sync = b.take("sync");
  unsigned mode = b.choice({"up", "down", "bfly", "idx"}, 4);
  if (mode == 4 || b.type() != Type::B32) return b.refuse();
  b.destinationAndPredicate(Type::B32);
  b.source(Type::B32);
  b.source(Type::B32);
  b.source(Type::B32);
  if (sync) takeMembers(b);
  b.op.run = kModes[mode];
}

// ---- vote

enum class VoteMode { All, Any, Uniform, Ballot };

template <VoteMode Mode> void runVote(Warp& w, const Op& op, LaneMask mask) {
  LaneMask votes = w.fetch(op.psrc[0]), known = w.written(op.psrc[0]), result = 0;
  Lanes ballots;
  forGroups(w, op, mask, [&](LaneMask group) {
    LaneMask ayes = votes & group;
    if (group & ~known) w.undefined |= group;
    bool holds = false;
    if (Mode == VoteMode::All) holds = ayes == group;
    if (Mode == VoteMode::Any) holds = ayes != 0;
    if (Mode == VoteMode::Uniform) holds = ayes == group || ayes == 0;
    if (holds) result |= group;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (group >> lane & 1) ballots.v[lane] = ayes;
  });
  if (Mode == VoteMode::Ballot)
    w.write(op.dst[0], ballots.v, mask);
  else
    w.writePredicate(op.pdst[0], result, mask);
}

void bindVote(Binder& b) {
  static constexpr OpFunction kModes[] = {runVote<VoteMode::All>, runVote<VoteMode::Any>,
                                          runVote<VoteMode::Uniform>, runVote<VoteMode::Ballot>};
  bool sync = b.take("sync");
  unsigned mode = b.choice({"all", "any", "uni", "ballot"}, 4);
  if (mode == 4) return b.refuse();
  bool ballot = mode == static_cast<unsigned>(VoteMode::Ballot);
  if (b.type() != (ballot ? Type::B32 : Type::Pred)) return b.refuse();
  if (ballot)
    b.destination(Type::B32);
  else
    b.predicateDestination();
  b.predicate(0);
  if (sync) takeMembers(b);
  b.op.run = kModes[mode];
}

// ---- match

std::uint64_t lowBits(Type type) {
  return bitsOf(type) == 32 ? 0xffffffff : ~std::uint64_t{0};
}

/// option[0] = type, option[1]: all
void runMatch(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch, out;
  const std::uint64_t* value = w.fetch(op.src[0], scratch);
  std::uint64_t keep = lowBits(static_cast<Type>(op.option[0]));
  LaneMask known = w.written(op.src[0]), all = 0;
  forGroups(w, op, mask, [&](LaneMask group) {
    if (group & ~known) w.undefined |= group;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(group >> lane & 1)) continue;
      LaneMask same =
          group & lanesWhere([&](unsigned other) { return ((value[other] ^ value[lane]) & keep) == 0; });
      if (op.option[1] && same != group) same = 0;
      out.v[lane] = same;
      if (same) all |= laneBit(lane);
    }
  });
  w.write(op.dst[0], out.v, mask);
  if (op.predicateDestinations) w.writePredicate(op.pdst[0], all, mask);
}

void bindMatch(Binder& b) {
  bool all = b.take("all");
  if (!b.take("sync") || (!all && !b.take("any"))) return b.refuse();
  Type type = b.type();
  if (type != Type::B32 && type != Type::B64) return b.refuse();
  if (all)
    b.destinationAndPredicate(Type::B32);
  else
    b.destination(Type::B32);
  b.source(type);
  takeMembers(b);
  b.op.option[0] = static_cast<std::uint32_t>(type);
  b.op.option[1] = all;
  b.op.run = runMatch;
}

// ---- redux

struct Sum {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a + b; }
};
struct And {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a & b; }
};
struct Or {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a | b; }
};
struct Xor {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a ^ b; }
};
template <typename T> struct Least {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return static_cast<std::uint32_t>(std::min(static_cast<T>(a), static_cast<T>(b)));
  }
};
template <typename T> struct Greatest {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return static_cast<std::uint32_t>(std::max(static_cast<T>(a), static_cast<T>(b)));
  }
};

constexpr std::uint32_t kNaN = 0x7fffffff; ///< the canonical one

/// Of two values neither of which is a NaN; +0 is greater than -0.
template <bool Max> std::uint32_t extreme(std::uint32_t a, std::uint32_t b) {
  auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  bool less = x < y || (x == y && (a >> 31) > (b >> 31));
  return less == Max ? b : a;
}

/// A NaN gives way to a number, or with Propagate wins.
template <bool Max, bool Propagate> struct Extreme {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    bool aIsNaN = std::isnan(std::bit_cast<float>(a)), bIsNaN = std::isnan(std::bit_cast<float>(b));
    if (Propagate ? aIsNaN || bIsNaN : aIsNaN && bIsNaN) return kNaN;
    if (aIsNaN) return b;
    if (bIsNaN) return a;
    return extreme<Max>(a, b);
  }
};

/// option[0]: bits of the source that count.
template <typename F> void runReduction(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch, out;
  const std::uint64_t* value = w.fetch(op.src[0], scratch);
  LaneMask known = w.written(op.src[0]);
  forGroups(w, op, mask, [&](LaneMask group) {
    if (group & ~known) w.undefined |= group;
    auto at = [&](unsigned lane) { return static_cast<std::uint32_t>(value[lane]) & op.option[0]; };
    auto first = static_cast<unsigned>(std::countr_zero(group));
    // A NaN alone becomes the canonical one: taken with itself.
    std::uint32_t result = std::popcount(group) == 1 && op.option[1] ? F{}(at(first), at(first)) : at(first);
    for (unsigned lane = first + 1; lane < kLanes; ++lane)
      if (group >> lane & 1) result = F{}(result, at(lane));
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (group >> lane & 1) out.v[lane] = result;
  });
  w.write(op.dst[0], out.v, mask);
}

/// The operation of an integer reduction; null: there is none of that type.
OpFunction reductionOf(unsigned operation, Type type) {
  static constexpr OpFunction kBits[] = {runReduction<And>, runReduction<Or>, runReduction<Xor>};
  if (operation >= 3 && operation < 6) return type == Type::B32 ? kBits[operation - 3] : nullptr;
  static constexpr OpFunction kUnsigned[] = {runReduction<Sum>, runReduction<Least<std::uint32_t>>,
                                             runReduction<Greatest<std::uint32_t>>};
  static constexpr OpFunction kSigned[] = {runReduction<Sum>, runReduction<Least<std::int32_t>>,
                                           runReduction<Greatest<std::int32_t>>};
  if (operation >= 3) return nullptr;
  if (type == Type::U32) return kUnsigned[operation];
  return type == Type::S32 ? kSigned[operation] : nullptr;
}

OpFunction floatReductionOf(bool max, bool propagate) {
  if (max) return propagate ? runReduction<Extreme<true, true>> : runReduction<Extreme<true, false>>;
  return propagate ? runReduction<Extreme<false, true>> : runReduction<Extreme<false, false>>;
}

void bindReduction(Binder& b) {
  if (!b.take("sync")) return b.refuse();
  unsigned operation = b.choice({"add", "min", "max", "and", "or", "xor"}, 6);
  Type type = b.type();
  b.op.option[0] = ~0u;
  if (type == Type::F32) {
    if (operation != 1 && operation != 2) return b.refuse();
    if (b.take("abs")) b.op.option[0] = 0x7fffffff;
    b.op.option[1] = true;
    b.op.run = floatReductionOf(operation == 2, b.take("NaN"));
  } else {
    b.op.run = reductionOf(operation, type);
    if (!b.op.run) return b.refuse();
  }
  b.destination(type);
  b.source(type);
  takeMembers(b);
}

// ---- who is there

void bindActiveMask(Binder& b) {
  if (b.type() != Type::B32) return b.refuse();
  b.destination(Type::B32);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes out;
    std::fill_n(out.v, kLanes, mask);
    w.write(op.dst[0], out.v, mask);
  };
}

/// Any lane may be elected, always the same of the same member mask: the lowest.
void runElect(Warp& w, const Op& op, LaneMask mask) {
  Lanes out;
  LaneMask elected = 0;
  forGroups(w, op, mask, [&](LaneMask group) {
    auto leader = static_cast<unsigned>(std::countr_zero(group));
    elected |= laneBit(leader);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (group >> lane & 1) out.v[lane] = leader;
  });
  w.write(op.dst[0], out.v, mask);
  w.writePredicate(op.pdst[0], elected, mask);
}

void bindElect(Binder& b) {
  if (!b.take("sync")) return b.refuse();
  b.destinationAndPredicate(Type::B32);
  if (b.op.predicateDestinations != 1) return b.refuse();
  takeMembers(b);
  b.op.run = runElect;
}

constexpr OpcodeRow kRows[] = {
    {"shfl", TypeClass::Any, bindShuffle},          {"vote", TypeClass::Any, bindVote},
    {"match", TypeClass::Any, bindMatch},           {"redux", TypeClass::Any, bindReduction},
    {"activemask", TypeClass::Any, bindActiveMask}, {"elect", TypeClass::Any, bindElect},
};

} // namespace

std::span<const OpcodeRow> warpOpcodes() {
  return kRows;
}

} // namespace harness::ptx
