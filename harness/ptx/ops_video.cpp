// Video instructions: PTX ISA 9.2, section 9.7.18.
//
// Machines since Maxwell have none of them but vmin, vmax and the like; ptxas expands them. The SIMD ones it
// expands as the manual says. Of the scalar ones only those forms are known here of which the manual's text
// is clear and ptxas agrees with it: every one, but for merges into .h1, where those since 13.3.33 do (see
// repros/ptx-video-merge). Expansions of the others (.sat to u32 or before a merge; .min and .max after an
// operation that does not saturate; .sat, .shr7 and .shr15 of vmad) differ from the manual's formulas, and no
// machine is left to say which is meant.

#include "harness/ptx/integer.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <string>

namespace harness::ptx {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// ---- what is computed of the parts of a and b

struct Add {
  s64 operator()(s64 a, s64 b) const { return a + b; }
};
struct Subtract {
  s64 operator()(s64 a, s64 b) const { return a - b; }
};
struct AbsoluteDifference {
  s64 operator()(s64 a, s64 b) const { return a < b ? b - a : a - b; }
};
struct Minimum {
  s64 operator()(s64 a, s64 b) const { return std::min(a, b); }
};
struct Maximum {
  s64 operator()(s64 a, s64 b) const { return std::max(a, b); }
};
/// A half is rounded away from zero.
struct Average {
  s64 operator()(s64 a, s64 b) const { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};
template <bool clamp> s64 shiftAmount(s64 b) {
  return clamp ? std::min<s64>(b, 32) : b & 31;
}
template <bool clamp> struct ShiftLeft {
  s64 operator()(s64 a, s64 b) const {
    return static_cast<s64>(static_cast<u64>(a) << shiftAmount<clamp>(b));
  }
};
template <bool clamp> struct ShiftRight {
  s64 operator()(s64 a, s64 b) const { return a >> shiftAmount<clamp>(b); }
};
template <template <typename> typename Compare> struct Compared {
  s64 operator()(s64 a, s64 b) const { return Compare<s64>{}(a, b); }
};

// ---- scalar

enum class Second : u8 { Add, Minimum, Maximum, None };

/// A byte, half-word or word of a register. Fits an option of an Op.
struct Part {
  u8 offset = 0, width = 32;
  bool isSigned = false;
  Second second = Second::None; ///< of a destination: what the result and c become together

  s64 of(u64 value) const {
    u32 high = static_cast<u32>(value) << (32 - offset - width);
    return isSigned ? static_cast<s32>(high) >> (32 - width) : s64{high >> (32 - width)};
  }
};

/// The part that a selector names; refuses one that names none.
Part partOf(Binder& b, const std::string& selector, bool isSigned) {
  static constexpr std::string_view kNames[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
  static constexpr u8 kOffsets[] = {0, 0, 8, 16, 24, 0, 16}, kWidths[] = {32, 8, 8, 8, 8, 16, 16};
  Part part;
  part.isSigned = isSigned;
  auto at = static_cast<std::size_t>(std::find(std::begin(kNames), std::end(kNames), selector) - kNames);
  if (at == std::size(kNames)) {
    b.refuse();
    return part;
  }
  part.offset = kOffsets[at];
  part.width = kWidths[at];
  return part;
}

/// The result joined with c as the destination says.
u32 finish(s64 value, u32 c, Part destination) {
  s64 third = destination.isSigned ? s64{static_cast<s32>(c)} : s64{c};
  switch (destination.second) {
  case Second::Add: return static_cast<u32>(value + third);
  case Second::Minimum: return static_cast<u32>(std::min(value, third));
  case Second::Maximum: return static_cast<u32>(std::max(value, third));
  default: break;
  }
  if (destination.width == 32) return static_cast<u32>(value);
  u32 field = ((u32{1} << destination.width) - 1) << destination.offset;
  return (static_cast<u32>(value) << destination.offset & field) | (c & ~field);
}

/// option[0 … 2] = the parts of a, b and d; option[3] = 1: saturate to s32.
template <typename F> void runScalar(Warp& w, const Op& op, LaneMask mask) {
  auto partA = std::bit_cast<Part>(op.option[0]), partB = std::bit_cast<Part>(op.option[1]),
       partD = std::bit_cast<Part>(op.option[2]);
  bool saturate = op.option[3];
  Lanes s0, s1, s2;
  const u64 *a = w.fetch(op.src[0], s0), *b = w.fetch(op.src[1], s1), *c = a;
  if (op.sources > 2) c = w.fetch(op.src[2], s2);
  writeLanes(w, op.dst[0], mask, [=](unsigned i) {
    s64 value = F{}(partA.of(a[i]), partB.of(b[i]));
    if (saturate)
      value = std::clamp<s64>(value, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max());
    return finish(value, static_cast<u32>(c[i]), partD);
  });
}

struct Signs {
  bool d = false, a = false, b = false;
};

Signs takeSigns(Binder& b, bool hasDestination) {
  Signs signs;
  if (hasDestination) signs.d = isSigned(typeOf(b, kWords));
  signs.a = isSigned(typeOf(b, kWords));
  signs.b = isSigned(typeOf(b, kWords));
  return signs;
}

/// The operands and what becomes of the result.
void scalarOperands(Binder& b, Signs signs, bool saturate, Second second) {
  Part destination = partOf(b, b.selectedDestination(Type::B32), signs.d);
  destination.second = second;
  b.op.option[0] = std::bit_cast<u32>(partOf(b, b.selectedSource(Type::B32), signs.a));
  b.op.option[1] = std::bit_cast<u32>(partOf(b, b.selectedSource(Type::B32), signs.b));
  b.op.option[2] = std::bit_cast<u32>(destination);
  b.op.option[3] = saturate;
  bool merge = destination.width != 32;
  if (merge || second != Second::None) b.source(Type::B32);
  if (merge && (second != Second::None || saturate)) b.refuse();
  if (saturate && !signs.d) b.refuse();
  if ((second == Second::Minimum || second == Second::Maximum) && !saturate) b.refuse();
}

Second takeSecond(Binder& b) {
  return static_cast<Second>(b.choice({"add", "min", "max"}, 3));
}

template <typename F> void bindScalar(Binder& b) {
  bool saturate = b.take("sat");
  Second second = takeSecond(b);
  scalarOperands(b, takeSigns(b, true), saturate, second);
  b.op.run = runScalar<F>;
}

template <template <bool> typename Shift> void bindScalarShift(Binder& b) {
  unsigned excess = b.choice({"clamp", "wrap"}, 2);
  if (excess == 2) b.refuse();
  Second second = takeSecond(b);
  Signs signs = takeSigns(b, true);
  if (signs.b) b.refuse();
  scalarOperands(b, signs, false, second);
  b.op.run = excess == 0 ? runScalar<Shift<true>> : runScalar<Shift<false>>;
}

/// By the comparison among the modifiers; null if there is none.
template <template <typename> typename Run> OpFunction takeComparison(Binder& b) {
  static constexpr OpFunction kFunctions[] = {Run<Compared<std::equal_to>>::run,
                                              Run<Compared<std::not_equal_to>>::run,
                                              Run<Compared<std::less>>::run,
                                              Run<Compared<std::less_equal>>::run,
                                              Run<Compared<std::greater>>::run,
                                              Run<Compared<std::greater_equal>>::run,
                                              nullptr};
  OpFunction run = kFunctions[b.choice({"eq", "ne", "lt", "le", "gt", "ge"}, 6)];
  if (!run) b.refuse();
  return run;
}

template <typename F> struct Scalar {
  static constexpr OpFunction run = runScalar<F>;
};

void bindScalarSet(Binder& b) {
  OpFunction run = takeComparison<Scalar>(b);
  Second second = takeSecond(b);
  scalarOperands(b, takeSigns(b, false), false, second);
  b.op.run = run;
}

/// option[2] = 1: plus one
void runMad(Warp& w, const Op& op, LaneMask mask) {
  auto partA = std::bit_cast<Part>(op.option[0]), partB = std::bit_cast<Part>(op.option[1]);
  u32 one = op.option[2];
  map3<u32>(w, op, mask, [=](u32 a, u32 b, u32 c) {
    return static_cast<u32>(static_cast<u64>(partA.of(a)) * static_cast<u64>(partB.of(b))) + c + one;
  });
}

void bindMad(Binder& b) {
  b.op.option[2] = b.take("po");
  Signs signs = takeSigns(b, true);
  if (signs.d != (signs.a || signs.b)) b.refuse();
  b.destination(Type::B32);
  b.op.option[0] = std::bit_cast<u32>(partOf(b, b.selectedSource(Type::B32), signs.a));
  b.op.option[1] = std::bit_cast<u32>(partOf(b, b.selectedSource(Type::B32), signs.b));
  b.source(Type::B32);
  b.op.run = runMad;
}

// ---- two and four at once

enum class Ending : u32 { Merge, Saturate, Accumulate };

/// option[0] = selectors of a and b, a nibble an element: which element of b:a. option[1] = those elements
/// that the destination takes, and signs (bits 8, 9 and 10: of a, b, d). option[2] = Ending.
template <unsigned count, typename F> void runSimd(Warp& w, const Op& op, LaneMask mask) {
  constexpr unsigned width = 32 / count;
  constexpr u32 ones = (u32{1} << width) - 1;
  u32 selectors = op.option[0], flags = op.option[1];
  auto ending = static_cast<Ending>(op.option[2]);
  bool signedA = flags >> 8 & 1, signedB = flags >> 9 & 1, signedD = flags >> 10 & 1;
  s64 least = signedD ? -(s64{1} << (width - 1)) : 0, greatest = signedD ? (ones >> 1) : ones;
  auto element = [](u64 both, unsigned at, bool isSigned) {
    Part part{0, static_cast<u8>(width), isSigned};
    return part.of(both >> (width * at) & ones);
  };
  map3<u32>(w, op, mask, [=](u32 a, u32 b, u32 c) {
    u64 both = u64{b} << 32 | a;
    u32 d = c;
    for (unsigned i = 0; i < count; ++i) {
      if (!(flags >> i & 1)) continue;
      s64 value = F{}(element(both, selectors >> (4 * i) & 15, signedA),
                      element(both, selectors >> (16 + 4 * i) & 15, signedB));
      if (ending == Ending::Accumulate) {
        d += static_cast<u32>(value);
        continue;
      }
      if (ending == Ending::Saturate) value = std::clamp(value, least, greatest);
      d = (d & ~(ones << (width * i))) | (static_cast<u32>(value) & ones) << (width * i);
    }
    return d;
  });
}

/// The digits of `.h10` or `.b7654`; `otherwise` if there is no selector; refuses another letter or number.
std::string digitsOf(Binder& b, const std::string& selector, unsigned count, std::string_view otherwise) {
  if (selector.empty()) return std::string(otherwise);
  if (selector[0] == (count == 2 ? 'h' : 'b')) return selector.substr(1);
  b.refuse();
  return std::string(otherwise);
}

/// As many nibbles as elements, each below twice their number.
u32 selectorOf(Binder& b, const std::string& text, unsigned count, std::string_view otherwise) {
  std::string digits = digitsOf(b, text, count, otherwise);
  u32 selector = 0;
  for (char digit : digits) {
    if (digit < '0' || digit >= static_cast<char>('0' + 2 * count)) b.refuse();
    selector = selector << 4 | (static_cast<u32>(digit) & 15);
  }
  if (digits.size() != count) b.refuse();
  return selector;
}

/// The elements named, from the highest down.
u32 elementMask(Binder& b, const std::string& text, unsigned count) {
  std::string digits = digitsOf(b, text, count, count == 2 ? "10" : "3210");
  u32 mask = 0;
  char above = static_cast<char>('0' + count);
  for (char digit : digits) {
    if (digit < '0' || digit >= above) {
      b.refuse();
      return mask;
    }
    mask |= u32{1} << (digit - '0');
    above = digit;
  }
  return mask;
}

void simdOperands(Binder& b, unsigned count, Signs signs, Ending ending) {
  b.op.option[1] = elementMask(b, b.selectedDestination(Type::B32), count);
  u32 first = selectorOf(b, b.selectedSource(Type::B32), count, count == 2 ? "10" : "3210");
  u32 second = selectorOf(b, b.selectedSource(Type::B32), count, count == 2 ? "32" : "7654");
  b.op.option[0] = first | second << 16;
  b.op.option[1] |= u32{signs.a} << 8 | u32{signs.b} << 9 | u32{signs.d} << 10;
  b.op.option[2] = static_cast<u32>(ending);
  b.source(Type::B32);
}

template <unsigned count, typename F> void bindSimd(Binder& b) {
  Ending ending = Ending::Merge;
  if (b.take("sat"))
    ending = Ending::Saturate;
  else if (b.take("add"))
    ending = Ending::Accumulate;
  simdOperands(b, count, takeSigns(b, true), ending);
  b.op.run = runSimd<count, F>;
}

template <typename F> struct Two {
  static constexpr OpFunction run = runSimd<2, F>;
};
template <typename F> struct Four {
  static constexpr OpFunction run = runSimd<4, F>;
};

template <unsigned count, template <typename> typename Run> void bindSimdSet(Binder& b) {
  OpFunction run = takeComparison<Run>(b);
  Ending ending = b.take("add") ? Ending::Accumulate : Ending::Merge;
  simdOperands(b, count, takeSigns(b, false), ending);
  b.op.run = run;
}

constexpr OpcodeRow kRows[] = {
    {"vabsdiff", TypeClass::Integer, bindScalar<AbsoluteDifference>},
    {"vabsdiff2", TypeClass::Integer, bindSimd<2, AbsoluteDifference>},
    {"vabsdiff4", TypeClass::Integer, bindSimd<4, AbsoluteDifference>},
    {"vadd", TypeClass::Integer, bindScalar<Add>},
    {"vadd2", TypeClass::Integer, bindSimd<2, Add>},
    {"vadd4", TypeClass::Integer, bindSimd<4, Add>},
    {"vavrg2", TypeClass::Integer, bindSimd<2, Average>},
    {"vavrg4", TypeClass::Integer, bindSimd<4, Average>},
    {"vmad", TypeClass::Integer, bindMad},
    {"vmax", TypeClass::Integer, bindScalar<Maximum>},
    {"vmax2", TypeClass::Integer, bindSimd<2, Maximum>},
    {"vmax4", TypeClass::Integer, bindSimd<4, Maximum>},
    {"vmin", TypeClass::Integer, bindScalar<Minimum>},
    {"vmin2", TypeClass::Integer, bindSimd<2, Minimum>},
    {"vmin4", TypeClass::Integer, bindSimd<4, Minimum>},
    {"vset", TypeClass::Integer, bindScalarSet},
    {"vset2", TypeClass::Integer, bindSimdSet<2, Two>},
    {"vset4", TypeClass::Integer, bindSimdSet<4, Four>},
    {"vshl", TypeClass::Integer, bindScalarShift<ShiftLeft>},
    {"vshr", TypeClass::Integer, bindScalarShift<ShiftRight>},
    {"vsub", TypeClass::Integer, bindScalar<Subtract>},
    {"vsub2", TypeClass::Integer, bindSimd<2, Subtract>},
    {"vsub4", TypeClass::Integer, bindSimd<4, Subtract>},
};

} // namespace

std::span<const OpcodeRow> videoOpcodes() {
  return kRows;
}

} // namespace harness::ptx
