#include "harness/sass/half.h"
#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

/// Which halves of a packed source an operation sees.
enum : u32 { kBothHalves = 0, kLowTwice = 1, kHighTwice = 2 };

/// A packed source: register with `.H0_H0`, `.H1_H1`, signs and bars; or two numbers, whose bits stand in the
/// encoding. `option` gets the swizzle in bits 1:0, negation in bit 2, absolute value in bit 3.
Source takePacked(Binder& b, u32& option) {
  const TextOperand* operand = b.any();
  Source source;
  if (!operand) return source;
  if (operand->kind == OperandKind::Number) {
    const TextOperand* upper = b.any(); // printed second
    if (!upper || upper->kind != OperandKind::Number) b.refuse();
    source.immediate = b.encoding().low >> 32;
    return source;
  }
  if (operand->kind != OperandKind::Register || operand->inverted || operand->suffixes.size() > 1) b.refuse();
  source.kind = Source::Kind::Register;
  source.index = static_cast<std::uint8_t>(operand->index);
  option = (operand->negated ? 4u : 0) | (operand->absolute ? 8u : 0);
  if (operand->suffixes.empty()) return source;
  if (operand->suffixes[0] == "H0_H0")
    option |= kLowTwice;
  else if (operand->suffixes[0] == "H1_H1")
    option |= kHighTwice;
  else
    b.refuse();
  return source;
}

u32 swizzle(u32 packed, u32 option) {
  if ((option & 3) == kLowTwice) packed = (packed & 0xffff) * 0x10001u;
  if ((option & 3) == kHighTwice) packed = (packed >> 16) * 0x10001u;
  if (option & 8) packed &= 0x7fff7fffu;
  if (option & 4) packed ^= 0x80008000u;
  return packed;
}

/// HADD2.F32: the sum of the low halves as an f32. Compilers use it to widen a half.
void bindHadd2(Binder& b) {
  if (!b.take("F32")) b.refuse();
  b.op.dst = b.destination();
  b.op.src[0] = takePacked(b, b.op.option[0]);
  b.op.src[1] = takePacked(b, b.op.option[1]);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map2(w, op, mask, [&op](u32 a, u32 c) {
      float x = halfToFloat(static_cast<std::uint16_t>(swizzle(a, op.option[0])));
      float y = halfToFloat(static_cast<std::uint16_t>(swizzle(c, op.option[1])));
      return canonical(asBits(x + y));
    });
  };
}

void bindHfma2(Binder& b) {
  b.take("MMA"); // which unit does it
  b.op.dst = b.destination();
  for (unsigned i = 0; i < 3; ++i)
    b.op.src[i] = takePacked(b, b.op.option[i]);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    map3(w, op, mask, [&op](u32 a, u32 x, u32 c) {
      a = swizzle(a, op.option[0]);
      x = swizzle(x, op.option[1]);
      c = swizzle(c, op.option[2]);
      auto fma = [&](unsigned shift) {
        auto half = [shift](u32 packed) { return static_cast<std::uint16_t>(packed >> shift); };
        return u32{halfFma(half(a), half(x), half(c))} << shift;
      };
      return fma(0) | fma(16);
    });
  };
}

constexpr OpcodeRow kRows[] = {{"HADD2", bindHadd2}, {"HFMA2", bindHfma2}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::halfOpcodes() {
  return kRows;
}

} // namespace harness::sass
