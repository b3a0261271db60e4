#include "harness/ptx/fragments.h"

#include "harness/ptx/op.h"

namespace harness::ptx {

namespace {

struct Position {
  unsigned row, column;
};

unsigned registerBits(unsigned elementBits) {
  return elementBits == 64 ? 64 : 32;
}

/// Every element of every register of every lane, where `position(lane, register, place)` says it is.
template <typename F> Fragment fragment(unsigned registers, unsigned bits, F position) {
  Fragment made{registers, bits, {}};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned reg = 0; reg < registers; ++reg)
      for (unsigned place = 0; place < registerBits(bits) / bits; ++place) {
        Position at = position(lane, reg, place);
        made.elements.push_back({static_cast<std::uint8_t>(lane), static_cast<std::uint8_t>(reg),
                                 static_cast<std::uint8_t>(place * bits), static_cast<std::uint8_t>(at.row),
                                 static_cast<std::uint8_t>(at.column)});
      }
  return made;
}

} // namespace

Fragment mmaFragment(MatrixRole role, unsigned rows, unsigned columns, unsigned bits) {
  unsigned inRegister = registerBits(bits) / bits, registers = rows * columns / (kLanes * inRegister);
  return fragment(registers, bits, [=](unsigned lane, unsigned reg, unsigned place) -> Position {
    unsigned group = lane / 4, inGroup = lane % 4;
    unsigned along = inGroup * inRegister + place; // of what four lanes hold of a row of A, a column of B
    switch (role) {
    case MatrixRole::A: {
      unsigned halves = rows / 8; // eight rows each; registers take turns
      return {group + reg % halves * 8, along + reg / halves * 4 * inRegister};
    }
    case MatrixRole::B: return {along + reg * 4 * inRegister, group};
    default: {
      unsigned element = reg * inRegister + place;
      return {group + element / 2 * 8, inGroup * 2 + element % 2};
    }
    }
  });
}

Fragment quarterFragment(MatrixRole role, bool columnMajor, unsigned bits) {
  unsigned inRegister = 32 / bits, registers = (role == MatrixRole::Accumulator ? 8 : 4) / inRegister;
  return fragment(registers, bits, [=](unsigned lane, unsigned reg, unsigned place) -> Position {
    unsigned product = lane / 4 % 4, high = lane / 16 * 4, i = reg * inRegister + place;
    if (role == MatrixRole::B)
      return columnMajor ? Position{product * 4 + i, lane % 4 + high}
                         : Position{product * 4 + lane % 4, i + high};
    unsigned first = product * 8 + high;
    if (role == MatrixRole::A)
      return columnMajor ? Position{first + i, lane % 4} : Position{first + lane % 4, i};
    if (bits == 16) return {first + lane % 4, i};
    return {first + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1)};
  });
}

Fragment wmmaFragment(unsigned rows, unsigned columns, unsigned bits, unsigned registers, bool columnMajor) {
  unsigned inRegister = registerBits(bits) / bits;
  return fragment(registers, bits, [=](unsigned lane, unsigned reg, unsigned place) -> Position {
    unsigned i = ((lane * registers + reg) * inRegister + place) % (rows * columns);
    return columnMajor ? Position{i % rows, i / rows} : Position{i / columns, i % columns};
  });
}

} // namespace harness::ptx
