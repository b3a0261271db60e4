// Integer arithmetic.

#include "harness/ptx/lanes.h"

namespace harness::ptx {

namespace {

struct Add {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); }
};
struct Subtract {
  template <typename T> T operator()(T a, T b) const { return static_cast<T>(std::uint64_t(a) - std::uint64_t(b)); }
};

template <typename F, typename T> void run2(Warp& w, const Op& op, LaneMask mask) {
  map2<T>(w, op, mask, F{});
}

/// dst, a, b of an integer type of 16 to 64 bits.
template <typename F> void bindSimple(Binder& b) {
  Type type = b.type();
  if (bitsOf(type) < 16 || isFloat(type)) b.refuse();
  b.destination(type);
  b.source(type);
  b.source(type);
  if (!withHostType(type, [&]<typename T>(std::type_identity<T>) { b.op.run = run2<F, T>; })) b.refuse();
}

constexpr OpcodeRow kRows[] = {
    {"add", TypeClass::Integer, bindSimple<Add>},
    {"sub", TypeClass::Integer, bindSimple<Subtract>},
};

} // namespace

std::span<const OpcodeRow> integerOpcodes() {
  return kRows;
}

} // namespace harness::ptx
