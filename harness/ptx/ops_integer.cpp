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

template <typename T, typename Wide> void runMadWide(Warp& w, const Op& op, LaneMask mask) {
  map3<T, Wide>(w, op, mask, [](T a, T b, Wide c) {
    return static_cast<Wide>(std::uint64_t(Wide{a}) * std::uint64_t(Wide{b}) + std::uint64_t(c));
  });
}

template <typename T> void runMadLow(Warp& w, const Op& op, LaneMask mask) {
  map3<T>(w, op, mask, [](T a, T b, T c) {
    return static_cast<T>(std::uint64_t(a) * std::uint64_t(b) + std::uint64_t(c));
  });
}

/// mad.lo, mad.wide
void bindMad(Binder& b) {
  bool wide = b.take("wide");
  if (!wide && !b.take("lo")) return b.refuse();
  Type type = b.type();
  if (type != Type::U32 && (wide || type != Type::S32)) return b.refuse();
  Type result = wide ? Type::U64 : type;
  b.destination(result);
  b.source(type);
  b.source(type);
  b.source(result);
  b.op.run = wide ? runMadWide<std::uint32_t, std::uint64_t> : runMadLow<std::uint32_t>;
}

constexpr OpcodeRow kRows[] = {
    {"add", TypeClass::Integer, bindSimple<Add>},
    {"mad", TypeClass::Integer, bindMad},
    {"sub", TypeClass::Integer, bindSimple<Subtract>},
};

} // namespace

std::span<const OpcodeRow> integerOpcodes() {
  return kRows;
}

} // namespace harness::ptx
