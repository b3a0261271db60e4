// Which paths of a warp run, and where they wait for each other.

#include "harness/ptx/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <limits>

namespace harness::ptx {

namespace {

/// Two frames of the same call, made because lanes came to it apart.
bool areTwins(const Frame& a, const Frame& b) {
  const Frame *x = &a, *y = &b;
  for (; x != y; x = x->caller.get(), y = y->caller.get()) {
    if (!x || !y) return false;
    if (&x->function != &y->function || x->returnTo != y->returnTo || x->stack != y->stack) return false;
  }
  return true;
}

/// Lanes of `mask` of `from` come into `into`, its twin, and so do those of its callers.
void adopt(Frame& into, const Frame& from, LaneMask mask) {
  Frame* x = &into;
  const Frame* y = &from;
  for (; x != y; x = x->caller.get(), y = y->caller.get()) {
    for (std::size_t slot = 0; slot < x->registers.size(); ++slot)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        if (mask >> lane & 1) x->registers[slot].v[lane] = y->registers[slot].v[lane];
    for (std::size_t slot = 0; slot < x->predicates.size(); ++slot)
      x->predicates[slot] = (x->predicates[slot] & ~mask) | (y->predicates[slot] & mask);
    for (std::size_t place = 0; place < x->written.size(); ++place)
      x->written[place] = (x->written[place] & ~mask) | (y->written[place] & mask);
  }
}

/// LowestPcFirst: whoever has let others go first does so again, or one that spins would keep those from
/// running that it waits for.
bool isBehind(const Path& a, const Path& b) {
  return a.yields != b.yields ? a.yields < b.yields : a.pc < b.pc;
}

bool isOuter(const std::shared_ptr<Join>& join, const std::shared_ptr<Join>& of) {
  for (const Join* at = of.get(); at; at = at->outer.get())
    if (at == join.get()) return true;
  return !join;
}

} // namespace

std::uint64_t Warp::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

/// The schedule's choice of the ready paths becomes the active one; false if there is none.
bool Warp::next() {
  active = {};
  if (ready.empty()) return false;
  auto chosen = std::prev(ready.end());
  if (machine.options.schedule == Schedule::LowestPcFirst)
    chosen = std::min_element(ready.begin(), ready.end(), isBehind);
  if (machine.options.schedule == Schedule::Random)
    chosen = ready.begin() + static_cast<std::ptrdiff_t>(random() % ready.size());
  active = std::move(*chosen);
  ready.erase(chosen);
  return true;
}

void Warp::yield() {
  std::vector<Path> joined = std::move(atJoin);
  atJoin.clear();
  for (Path& path : joined) {
    leaveJoins(path.join, path.mask);
    path.join = nullptr;
    ready.insert(ready.begin(), std::move(path));
  }
  if (active.yields < std::numeric_limits<std::uint16_t>::max()) ++active.yields;
  ready.insert(ready.begin(), std::move(active));
  active = {};
}

/// Takes the ready paths at the active path's place into it; under LowestPcFirst lets one that is behind go
/// first.
void Warp::mergeReady() {
  for (std::size_t i = 0; i < ready.size();) {
    Path& other = ready[i];
    if (other.pc == active.pc && !other.together && !active.together && joinGroup(active, other))
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  bool change = false;
  if (machine.options.schedule == Schedule::LowestPcFirst)
    change =
        std::any_of(ready.begin(), ready.end(), [this](const Path& path) { return isBehind(path, active); });
  else if (!ready.empty() && machine.code.ops[active.pc].flow != Flow::Next)
    change = random() % 4 == 0;
  if (!change) return;
  ready.push_back(std::move(active));
  next();
}

/// Lanes of `other` come into `into`, if their frames are of the same calls.
bool Warp::joinGroup(Path& into, const Path& other) {
  if (into.frame != other.frame) {
    if (!areTwins(*into.frame, *other.frame)) return false;
    adopt(*into.frame, *other.frame, other.mask);
  }
  into.mask |= other.mask;
  into.yields = std::max(into.yields, other.yields);
  // Both leave the joins that they do not share.
  std::shared_ptr<Join> common = into.join;
  while (common && !isOuter(common, other.join))
    common = common->outer;
  LaneMask all = into.mask;
  for (std::shared_ptr<Join> at = into.join; at != common; at = at->outer)
    at->expected &= ~all;
  for (std::shared_ptr<Join> at = other.join; at != common; at = at->outer)
    at->expected &= ~all;
  into.join = common;
  return true;
}

// ---- joins

/// The active path has come to its join. True if it goes on: it was the last.
bool Warp::arriveAtJoin() {
  std::shared_ptr<Join> join = active.join;
  join->arrived |= active.mask;
  if ((join->expected & ~join->arrived) != 0) {
    atJoin.push_back(std::move(active));
    active = {};
    return false;
  }
  for (std::size_t i = 0; i < atJoin.size();) {
    if (atJoin[i].join != join) {
      ++i;
      continue;
    }
    active.mask |= atJoin[i].mask;
    atJoin.erase(atJoin.begin() + static_cast<std::ptrdiff_t>(i));
  }
  active.join = join->outer;
  return !active.join || active.pc != active.join->at || active.frame.get() != active.join->frame ||
         arriveAtJoin();
}

/// Lanes that will not come to these joins any more; whoever waited only for them goes on.
void Warp::leaveJoins(const std::shared_ptr<Join>& innermost, LaneMask mask) {
  for (std::shared_ptr<Join> join = innermost; join; join = join->outer) {
    join->expected &= ~mask;
    join->arrived &= ~mask;
    if (join->arrived == 0 || (join->expected & ~join->arrived) != 0) continue;
    Path path;
    for (std::size_t i = 0; i < atJoin.size();) {
      if (atJoin[i].join != join) {
        ++i;
        continue;
      }
      LaneMask both = path.mask | atJoin[i].mask;
      path = std::move(atJoin[i]);
      path.mask = both;
      atJoin.erase(atJoin.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (!path.mask) continue;
    path.join = join->outer;
    ready.push_back(std::move(path));
  }
}

bool Warp::dissolveJoins() {
  if (atJoin.empty()) return false;
  std::vector<Path> joined = std::move(atJoin);
  atJoin.clear();
  for (Path& path : joined) {
    leaveJoins(path.join, path.mask);
    path.join = nullptr;
    ready.push_back(std::move(path));
  }
  return true;
}

// ---- control

void Warp::branch(LaneMask taken, std::uint32_t target, std::uint32_t join) {
  LaneMask others = active.mask & ~taken;
  if (!others) {
    active.pc = target;
    return;
  }
  if (!taken) return;
  std::uint32_t targets[kLanes];
  std::fill_n(targets, kLanes, active.pc);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (taken >> lane & 1) targets[lane] = target;
  branchIndirect(active.mask, targets, join);
}

void Warp::branchIndirect(LaneMask mask, const std::uint32_t (&targets)[kLanes], std::uint32_t join) {
  // Sides in the order in which they run: the one that falls through first, the others by their place.
  std::vector<std::pair<std::uint32_t, LaneMask>> sides;
  if (LaneMask others = active.mask & ~mask) sides.emplace_back(active.pc, others);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    auto side =
        std::find_if(sides.begin(), sides.end(), [&](const auto& s) { return s.first == targets[lane]; });
    if (side == sides.end()) side = sides.insert(sides.end(), {targets[lane], 0});
    side->second |= laneBit(lane);
  }
  if (sides.size() == 1) {
    active.pc = sides.front().first;
    return;
  }
  std::stable_sort(sides.begin(), sides.end(), [this](const auto& a, const auto& b) {
    return a.first == active.pc && b.first != active.pc;
  });
  ++machine.result.divergences;
  Schedule schedule = machine.options.schedule;
  if (schedule == Schedule::TakenFirst) std::reverse(sides.begin(), sides.end());
  bool depthFirst = schedule == Schedule::FallThroughFirst || schedule == Schedule::TakenFirst;
  if (depthFirst && join != Code::kNowhere) {
    auto made = std::make_shared<Join>();
    made->at = join;
    made->frame = active.frame.get();
    made->keep = active.frame;
    made->expected = active.mask;
    made->outer = active.join;
    active.join = std::move(made);
  }
  Path whole = std::move(active);
  for (auto side = sides.rbegin(); side != sides.rend(); ++side) {
    Path path = whole;
    path.pc = side->first;
    path.mask = side->second;
    ready.push_back(std::move(path));
  }
  if (schedule == Schedule::Random) {
    next();
    return;
  }
  active = std::move(ready.back());
  ready.pop_back();
}

void Warp::exit(LaneMask mask) {
  live &= ~mask;
  leaveJoins(active.join, mask);
  active.mask &= ~mask;
  if (!active.mask) active = {};
  releaseWaiting();
}

// ---- instructions that lanes execute together

/// True if all members are here. Else the lanes of `mask` wait, and the others of the path go on without
/// them.
bool Warp::waitForMembers(const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* members = fetch(op.members, scratch);
  LaneMask stray = 0;
  bool complete = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    auto wanted = static_cast<LaneMask>(members[lane]);
    if (!(wanted >> lane & 1)) stray |= laneBit(lane);
    complete = complete && (wanted & live & ~mask) == 0;
    memberMask[lane] = wanted | laneBit(lane);
  }
  if (stray) reportUndefined("the executing lane is not in its member mask", stray);
  if (complete) return true;
  Path rest = active;
  rest.mask &= ~mask;
  ++rest.pc;
  Path here = std::move(active);
  here.mask = mask;
  waiting.push_back(std::move(here));
  active = {};
  if (rest.mask) active = std::move(rest);
  releaseWaiting();
  return false;
}

/// Lanes at the one and at the other instruction may be those that wait for each other: at the same, or at
/// two bar.warp.sync, which exchange nothing.
bool Warp::meets(std::uint32_t a, std::uint32_t b) const {
  const Op &x = machine.code.ops[a], &y = machine.code.ops[b];
  return a == b || (x.run == y.run && x.destinations + x.predicateDestinations == 0);
}

/// Lets those go on whose members have all come, or exited.
void Warp::releaseWaiting() {
  for (std::size_t i = 0; i < waiting.size();) {
    unsigned lane = static_cast<unsigned>(std::countr_zero(waiting[i].mask));
    // All that wait at this place with this mask.
    LaneMask here = 0;
    for (const Path& path : waiting)
      if (meets(path.pc, waiting[i].pc)) here |= path.mask;
    LaneMask group = 0;
    for (unsigned other = 0; other < kLanes; ++other)
      if ((here >> other & 1) && memberMask[other] == memberMask[lane]) group |= laneBit(other);
    LaneMask wanted = memberMask[lane] & live;
    if (wanted & ~group) {
      // Another group of the same path may be complete.
      if (LaneMask others = waiting[i].mask & ~group) {
        Path apart = waiting[i];
        apart.mask = others;
        waiting[i].mask &= group;
        waiting.push_back(std::move(apart));
      }
      ++i;
      continue;
    }
    Path together;
    std::uint32_t pc = waiting[i].pc;
    for (std::size_t k = 0; k < waiting.size();) {
      Path& path = waiting[k];
      LaneMask taken = meets(path.pc, pc) ? path.mask & group : 0;
      if (!taken) {
        ++k;
        continue;
      }
      Path part = path;
      part.mask = taken;
      path.mask &= ~taken;
      if (!path.mask)
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(k));
      else
        ++k;
      if (part.pc != pc) {
        part.together = true;
        ready.push_back(std::move(part));
      } else if (!together.mask)
        together = std::move(part);
      else if (!joinGroup(together, part))
        unsupported("lanes of different calls come together at one instruction");
    }
    together.together = true;
    ready.push_back(std::move(together));
    i = 0;
  }
}

std::string Warp::describeWaiting() const {
  std::string text;
  auto add = [&](const std::vector<Path>& paths) {
    for (const Path& path : paths)
      text += llvm::formatv("{0}lanes {1:x} of warp {2} wait at {3}", text.empty() ? "" : "; ", path.mask,
                            index, machine.code.describe(path.pc));
  };
  add(waiting);
  for (const auto& paths : atBarrier)
    add(paths);
  return text;
}

} // namespace harness::ptx
