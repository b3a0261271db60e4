// Addresses in a cluster. It has one block here, so that every address of the cluster's shared memory is the
// block's own.

#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

bool takeSpace(Binder& b) {
  return b.take("shared::cluster") || b.take("shared::cta");
}

/// mapa{.shared::cluster}.type d, a, rank
void bindMap(Binder& b) {
  takeSpace(b);
  Type type = b.type();
  if (type != Type::U32 && type != Type::U64) return b.refuse();
  b.destination(type);
  b.source(type);
  b.source(Type::U32);
  b.needsDefined();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch[2];
    const std::uint64_t* address = w.fetch(op.src[0], scratch[0]);
    const std::uint64_t* rank = w.fetch(op.src[1], scratch[1]);
    LaneMask elsewhere =
        mask & lanesWhere([&](unsigned lane) { return static_cast<std::uint32_t>(rank[lane]) != 0; });
    if (elsewhere) unsupported("the shared memory of another block of the cluster");
    w.write(op.dst[0], address, mask);
  };
}

/// getctarank{.shared::cluster}.type d, a
void bindRank(Binder& b) {
  takeSpace(b);
  Type type = b.type();
  if (type != Type::U32 && type != Type::U64) return b.refuse();
  b.destination(Type::U32);
  b.source(type);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes zero = {};
    w.write(op.dst[0], zero.v, mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"mapa", TypeClass::Any, bindMap},
    {"getctarank", TypeClass::Any, bindRank},
};

} // namespace

std::span<const OpcodeRow> clusterOpcodes() {
  return kRows;
}

} // namespace harness::ptx
