#include "harness/sass/machine.h"

#include <algorithm>
#include <bit>

namespace harness::sass {

Warp::Warp(Machine& owner, Block& inBlock, unsigned warpIndex, LaneMask itsLanes)
    : machine(owner), block(inBlock), index(warpIndex), registers(owner.code().registers),
      uniformLanes(owner.code().uniforms), lanes(itsLanes),
      tables_{registers.data(), owner.code().numbers.data(), uniformLanes.data()} {
  const auto& size = owner.launch.block;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned linear = index * kLanes + lane;
    threadIndex[0].v[lane] = linear % size[0];
    threadIndex[1].v[lane] = linear / size[0] % size[1];
    threadIndex[2].v[lane] = linear / (size[0] * size[1]);
  }
}

void Warp::restart() {
  auto poison = static_cast<int>(machine.options.poison);
  std::memset(registers.data(), poison, registers.size() * sizeof(Lanes));
  std::memset(uniform, poison, sizeof uniform);
  uniform[255] = 0;
  std::memset(uniformLanes.data(), poison, uniformLanes.size() * sizeof(Lanes));
  LaneMask fill = 0;
  std::memset(&fill, poison, sizeof fill);
  std::fill_n(predicates, 7, fill);
  std::fill_n(uniformPredicates, 7, (fill & 1) != 0);
  predicates[7] = kAllLanes;
  uniformPredicates[7] = true;
  atConvergence = atWarpSync = haveResult = 0;
  std::fill_n(atBarrier, kBlockBarriers, 0);
  std::memset(convergence, 0, sizeof convergence);
  std::fill_n(collectiveTarget, kLanes, 0);
  for (auto& masks : saved)
    masks.clear();
  if (!local.empty()) std::memset(local.data(), poison, local.size());
  live = lanes;
  active = 0;
  approximated = 0;
  deferred.assign(1, {lanes, machine.kernel.entry});
  patience_ = {};
  tried_ = false;
  random_ = machine.options.scheduleSeed;
  random_ = random() ^ (block.linearIndex() << 5 | index);
}

void Warp::defer(LaneMask mask, std::uint64_t at) {
  if (mask) deferred.push_back({mask, at});
}

void Warp::sleep() {
  deferred.insert(deferred.begin(), {active, pc, true});
  active = 0;
}

void Warp::branch(LaneMask taken, std::uint64_t target) {
  LaneMask through = active & ~taken;
  if (machine.observer) machine.observer->branch(*this, taken);
  if (taken == 0) return;
  if (through == 0) {
    pc = target;
    if (machine.options.schedule == Schedule::Random) mayChange();
    return;
  }
  ++block.divergences;
  switch (machine.options.schedule) {
  case Schedule::FallThroughFirst:
    defer(taken, target);
    active = through;
    return;
  case Schedule::TakenFirst:
    defer(through, pc);
    active = taken;
    pc = target;
    return;
  case Schedule::LowestPcFirst:
  case Schedule::Random:
    defer(through, pc);
    defer(taken, target);
    next();
  }
}

void Warp::branchIndirect(LaneMask mask, const std::uint64_t (&targets)[kLanes]) {
  LaneMask through = active & ~mask;
  if (machine.observer) machine.observer->jump(*this, mask, targets);
  std::vector<Path> paths;
  for (LaneMask left = mask; left;) {
    std::uint64_t target = targets[std::countr_zero(left)];
    Path path{0, target};
    for (unsigned i = 0; i < kLanes; ++i)
      if ((left >> i & 1) && targets[i] == target) path.mask |= laneBit(i);
    left &= ~path.mask;
    paths.push_back(path);
  }
  if (through) paths.insert(paths.begin(), Path{through, pc});
  block.divergences += paths.size() > 1;
  deferred.insert(deferred.end(), paths.rbegin(), paths.rend());
  next();
}

// ---- which path runs

std::uint64_t Warp::random() {
  // SplitMix64
  std::uint64_t x = random_ += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

void Warp::next() {
  auto isReady = [](const Path& path) { return !path.spins; };
  std::size_t chosen = deferred.size();
  if (machine.options.schedule == Schedule::Random) {
    auto ready = static_cast<std::uint64_t>(std::count_if(deferred.begin(), deferred.end(), isReady));
    std::uint64_t skip = ready > 1 ? random() % ready : 0;
    for (chosen = 0; !isReady(deferred[chosen]) || skip > 0; ++chosen)
      skip -= isReady(deferred[chosen]) ? 1 : 0;
  } else {
    bool lowest = machine.options.schedule == Schedule::LowestPcFirst;
    for (std::size_t i = deferred.size(); i-- > 0;)
      if (isReady(deferred[i]) &&
          (chosen == deferred.size() || (lowest && deferred[i].pc < deferred[chosen].pc)))
        chosen = i;
  }
  active = deferred[chosen].mask;
  pc = deferred[chosen].pc;
  deferred.erase(deferred.begin() + static_cast<std::ptrdiff_t>(chosen));
  if (machine.options.schedule == Schedule::LowestPcFirst) merge();
}

void Warp::merge() {
  std::erase_if(deferred, [this](const Path& path) {
    if (path.spins || path.pc != pc) return false;
    active |= path.mask;
    return true;
  });
}

void Warp::mayChange() {
  constexpr std::uint64_t kOneIn = 4;
  if (deferred.empty() || random() % kOneIn) return;
  defer(active, pc);
  next();
}

bool Warp::isOvertaken() const {
  return std::any_of(deferred.begin(), deferred.end(),
                     [this](const Path& path) { return !path.spins && path.pc <= pc; });
}

// ---- running

void Warp::run() {
  while (!deferred.empty()) {
    if (std::all_of(deferred.begin(), deferred.end(), [](const Path& path) { return path.spins; })) {
      for (Path& path : deferred)
        path.spins = false;
      tried_ = true;
      return;
    }
    next();
    patience_.begin(tried_);
    execute();
    if (active)
      deferred.insert(deferred.begin(), {active, pc, true});
    else
      tried_ = false;
  }
}

void Warp::execute() {
  bool merges = machine.options.schedule == Schedule::LowestPcFirst;
  while (active) {
    if (merges && isOvertaken()) {
      defer(active, pc);
      next();
    }
    straight_ = merges && !deferred.empty() ? 1 : patience_.left();
    if (patience_.spins(*this, runStraight(machine.at(pc)))) return;
  }
}

std::uint64_t Warp::runStraight(const Op* first) {
  straight_ = std::min(straight_, block.begin(*this, first));
  LaneMask before = active;
  std::uint64_t following = pc, count = 0;
  do {
    const Op& op = first[count++];
    block.position.op = &op;
    pc = following += 16;
    if (LaneMask mask = enabled(op)) op.run(*this, op, mask);
  } while (pc == following && active == before && count < straight_);
  block.count();
  return count;
}

} // namespace harness::sass
