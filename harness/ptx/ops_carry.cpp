// Integer arithmetic with a carry flag: PTX ISA 9.2, section 9.7.2. The flag is a predicate of the frame.

#include "harness/ptx/integer.h"

namespace harness::ptx {

namespace {

/// T without sign; `carry` is 0 or 1 and becomes the carry out.
template <typename T> T addWithCarry(T a, T b, bool& carry) {
  T partial = static_cast<T>(a + b), sum = static_cast<T>(partial + carry);
  carry = partial < a || sum < partial;
  return sum;
}

/// a - (b + borrow)
template <typename T> T subtractWithBorrow(T a, T b, bool& borrow) {
  T partial = static_cast<T>(a - b), difference = static_cast<T>(partial - borrow);
  borrow = a < b || partial < T{borrow};
  return difference;
}

/// dst0 = f(lane, carry) and, if the instruction has a second destination, the carry out.
template <typename F> void runChain(Warp& w, const Op& op, LaneMask mask, F f) {
  LaneMask in = op.psrc[0].always ? 0 : w.fetch(op.psrc[0]), out = 0;
  Lanes result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bool carry = in >> lane & 1;
    result.v[lane] = f(lane, carry);
    out |= static_cast<LaneMask>(carry) << lane;
  }
  w.write(op.dst[0], result.v, mask);
  if (op.predicateDestinations) w.writePredicate(op.pdst[0], out, mask);
}

template <typename T> void runAdd(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1;
  const std::uint64_t *a = w.fetch(op.src[0], s0), *b = w.fetch(op.src[1], s1);
  runChain(w, op, mask,
           [=](unsigned i, bool& carry) { return addWithCarry(as<T>(a[i]), as<T>(b[i]), carry); });
}

template <typename T> void runSubtract(Warp& w, const Op& op, LaneMask mask) {
  Lanes s0, s1;
  const std::uint64_t *a = w.fetch(op.src[0], s0), *b = w.fetch(op.src[1], s1);
  runChain(w, op, mask,
           [=](unsigned i, bool& borrow) { return subtractWithBorrow(as<T>(a[i]), as<T>(b[i]), borrow); });
}

/// T has the sign of the product; the addition has none.
template <typename T, bool high> void runMad(Warp& w, const Op& op, LaneMask mask) {
  using U = std::make_unsigned_t<T>;
  Lanes s0, s1, s2;
  const std::uint64_t *a = w.fetch(op.src[0], s0), *b = w.fetch(op.src[1], s1), *c = w.fetch(op.src[2], s2);
  runChain(w, op, mask, [=](unsigned i, bool& carry) {
    T x = as<T>(a[i]), y = as<T>(b[i]);
    U product = high ? static_cast<U>(multiplyHigh(x, y)) : static_cast<U>(U(x) * U(y));
    return addWithCarry(product, as<U>(c[i]), carry);
  });
}

/// The type, the operands and the flags; `in` = the instruction reads the carry flag.
Type bindChain(Binder& b, bool in, unsigned sources) {
  bool out = b.take("cc");
  Type type = typeOf(b, kWordsAndDoubles);
  sameOperands(b, type, sources);
  if (in) b.carryIn();
  if (out) b.carryOut();
  return type;
}

template <bool in> void bindAdd(Binder& b) {
  b.op.run = bitsOf(bindChain(b, in, 2)) == 32 ? runAdd<std::uint32_t> : runAdd<std::uint64_t>;
}

template <bool in> void bindSubtract(Binder& b) {
  b.op.run = bitsOf(bindChain(b, in, 2)) == 32 ? runSubtract<std::uint32_t> : runSubtract<std::uint64_t>;
}

template <bool in> void bindMad(Binder& b) {
  bool high = b.take("hi");
  if (!high && !b.take("lo")) b.refuse();
  Type type = bindChain(b, in, 3);
  withHostType(type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4)
      b.op.run = high ? runMad<T, true> : runMad<T, false>;
  });
}

constexpr OpcodeRow kRows[] = {
    {"addc", TypeClass::Integer, bindAdd<true>},
    {"madc", TypeClass::Integer, bindMad<true>},
    {"subc", TypeClass::Integer, bindSubtract<true>},
};

} // namespace

void bindAddCarry(Binder& b) {
  bindAdd<false>(b);
}

void bindSubtractCarry(Binder& b) {
  bindSubtract<false>(b);
}

void bindMadCarry(Binder& b) {
  bindMad<false>(b);
}

std::span<const OpcodeRow> carryOpcodes() {
  return kRows;
}

} // namespace harness::ptx
