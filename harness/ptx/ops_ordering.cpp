// What orders memory, and what only helps caches: memory here is ordered already and has no caches, so none
// of it changes a value.

#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

void runNothing(Warp&, const Op&, LaneMask) {}

bool takeScope(Binder& b) {
  return b.choice({"cta", "cluster", "gpu", "sys"}, 4) != 4;
}

bool takeRestriction(Binder& b) {
  return b.take("sync_restrict::shared::cluster") || b.take("sync_restrict::shared::cta");
}

void bindProxyFence(Binder& b) {
  if (b.take("alias")) return;
  if (b.take("async")) {
    if (!b.take("global") && !b.take("shared::cta")) b.ignore({"shared::cluster"});
    return;
  }
  if (b.take("async::generic")) {
    if (b.choice({"acquire", "release"}, 2) == 2 || !takeRestriction(b) || !takeScope(b)) b.refuse();
    return;
  }
  if (!b.take("tensormap::generic")) return b.refuse();
  if (b.take("acquire")) {
    b.address(AddressSpace::Generic);
    if (!b.number()) b.refuse();
  } else if (!b.take("release")) {
    b.refuse();
  }
  if (!takeScope(b)) b.refuse();
}

/// membar.level, membar.proxy.kind
void bindMembar(Binder& b) {
  b.op.run = runNothing;
  if (b.take("proxy")) {
    return bindProxyFence(b);
  }
  if (b.choice({"cta", "gl", "sys"}, 3) == 3) b.refuse();
}

void bindFence(Binder& b) {
  b.op.run = runNothing;
  if (b.take("proxy")) return bindProxyFence(b);
  if (b.take("mbarrier_init")) {
    if (!b.take("release") || !b.take("cluster")) b.refuse();
    return;
  }
  b.ignore({"sc", "acq_rel", "acquire", "release"});
  takeRestriction(b);
  if (!takeScope(b)) b.refuse();
}

// ---- caches

/// prefetch.space.level, prefetch.tensormap
void bindPrefetch(Binder& b) {
  b.op.run = runNothing;
  b.choice({"global", "local", "const", "param"}, 4);
  if (b.choice({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"}, 5) == 5) b.refuse();
  b.address(AddressSpace::Generic);
}

void bindPrefetchUniform(Binder& b) {
  b.op.run = runNothing;
  if (!b.take("L1")) b.refuse();
  b.address(AddressSpace::Generic);
}

void bindApplyPriority(Binder& b) {
  b.op.run = runNothing;
  b.ignore({"global"});
  if (!b.take("L2::evict_normal")) b.refuse();
  b.address(AddressSpace::Generic);
  if (b.number() != 128) b.refuse();
}

/// A policy is opaque: nothing but a cache hint may use it.
void bindCreatePolicy(Binder& b) {
  bool range = b.take("range");
  if (!range && b.choice({"fractional", "cvt"}, 2) == 2) return b.refuse();
  b.ignore({"global"});
  b.ignorePrefix("L2::");
  if (b.type() != Type::B64) return b.refuse();
  b.destination(Type::B64);
  if (range) b.address(AddressSpace::Generic);
  while (b.operandsLeft() > 0)
    b.any();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes policy = {};
    w.write(op.dst[0], policy.v, mask);
  };
}

/// Whom grids wait for: a launch has one.
void bindGridDependency(Binder& b) {
  b.op.run = runNothing;
  if (b.choice({"launch_dependents", "wait"}, 2) == 2) b.refuse();
}

/// Counts events of a profiler, which nothing can read.
void bindEvent(Binder& b) {
  b.op.run = runNothing;
  b.ignore({"mask"});
  if (!b.number()) b.refuse();
}

constexpr OpcodeRow kRows[] = {
    {"membar", TypeClass::Any, bindMembar},
    {"fence", TypeClass::Any, bindFence},
    {"prefetch", TypeClass::Any, bindPrefetch},
    {"prefetchu", TypeClass::Any, bindPrefetchUniform},
    {"applypriority", TypeClass::Any, bindApplyPriority},
    {"createpolicy", TypeClass::Any, bindCreatePolicy},
    {"griddepcontrol", TypeClass::Any, bindGridDependency},
    {"pmevent", TypeClass::Any, bindEvent},
};

} // namespace

std::span<const OpcodeRow> orderingOpcodes() {
  return kRows;
}

} // namespace harness::ptx
