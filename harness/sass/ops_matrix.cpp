#include "harness/sass/access.h"

#include <array>

namespace harness::sass {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Matrices that a warp holds together (PTX ldmatrix, stmatrix, movmatrix). A matrix in memory is eight rows
// of 16 bytes, each at an address of its own: lane 8·m + r has that of row r of matrix m.

constexpr unsigned kRows8 = 8, kRowBytes = 16;
using Matrix = std::array<std::array<std::byte, kRowBytes>, kRows8>;

/// Where a lane's word of a matrix lies in it: byte `i` of the word is matrix[row][column].
struct Place {
  unsigned row, column;
};
using Layout = Place (*)(unsigned lane, unsigned i);

/// 8×8 elements of 16 bits: lane 4·r + c has the elements 2c and 2c + 1 of row r.
Place rowMajor(unsigned lane, unsigned i) {
  return {lane / 4, lane % 4 * 4 + i};
}

/// The same of the transposed matrix.
Place transposed(unsigned lane, unsigned i) {
  return {lane % 4 * 2 + i / 2, lane / 4 * 2 + i % 2};
}

/// 16×8 elements of 8 bits, stored by columns: a lane has two elements of row lane / 4, then two of the row
/// eight further (PTX stmatrix .m16n8.trans.b8; CuTe's SM100_U8x4_STSM_T has the same).
Place transposedBytes(unsigned lane, unsigned i) {
  return {lane % 4 * 2 + i % 2, lane / 4 + i / 2 * 8};
}

/// The lanes whose addresses count for `matrices` matrices.
LaneMask addressing(unsigned matrices) {
  return kAllLanes >> (kLanes - kRows8 * matrices);
}

/// option[0] = matrices; the layout is the template's.
template <Layout At> void loadMatrices(Warp& w, const Op& op, LaneMask mask) {
  requireWholeWarp(mask, "a matrix instruction");
  u64 addresses[kLanes];
  laneAddresses<sharedWindow>(w, op.address, addresses);
  Matrix matrices[4];
  observe<sharedWindow>(w, AccessKind::Read, addresses, kRowBytes, addressing(op.option[0]));
  accessLanes<sharedWindow>(w, addresses, kRowBytes, addressing(op.option[0]),
                            [&](const std::byte* at, unsigned lane) {
                              std::memcpy(matrices[lane / kRows8][lane % kRows8].data(), at, kRowBytes);
                            });
  Lanes words[4];
  for (unsigned m = 0; m < op.option[0]; ++m)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::byte bytes[4];
      for (unsigned i = 0; i < 4; ++i)
        bytes[i] = matrices[m][At(lane, i).row][At(lane, i).column];
      std::memcpy(&words[m].v[lane], bytes, sizeof bytes);
    }
  writeGroup(w, op.dst, words, op.option[0], mask);
}

template <Layout At> void storeMatrices(Warp& w, const Op& op, LaneMask mask) {
  requireWholeWarp(mask, "a matrix instruction");
  Group words(w, op.src[0], op.option[0]);
  Matrix matrices[4];
  for (unsigned m = 0; m < op.option[0]; ++m)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::byte bytes[4];
      std::memcpy(bytes, &words[m][lane], sizeof bytes);
      for (unsigned i = 0; i < 4; ++i)
        matrices[m][At(lane, i).row][At(lane, i).column] = bytes[i];
    }
  u64 addresses[kLanes];
  laneAddresses<sharedWindow>(w, op.address, addresses);
  observe<sharedWindow>(w, AccessKind::Write, addresses, kRowBytes, addressing(op.option[0]));
  accessLanes<sharedWindow>(w, addresses, kRowBytes, addressing(op.option[0]),
                            [&](std::byte* at, unsigned lane) {
                              std::memcpy(at, matrices[lane / kRows8][lane % kRows8].data(), kRowBytes);
                            });
}

/// `.2`, `.4` or nothing: how many matrices.
void takeCount(Binder& b) {
  static constexpr u32 kCounts[] = {2, 4, 1};
  b.op.option[0] = kCounts[b.choice({"2", "4"}, 2)];
}

/// LDSM; the forms of 8, 6 and 4 bits are not settled.
void bindLdsm(Binder& b) {
  if (!b.take("16")) b.refuse();
  unsigned form = b.choice({"M88", "MT88"}, 2);
  if (form == 2) b.refuse();
  takeCount(b);
  b.op.dst = b.destination();
  checkGroup(b, b.op.dst.index, b.op.option[0]);
  takeWindowAddress(b);
  b.op.run = form == 0 ? loadMatrices<rowMajor> : loadMatrices<transposed>;
}

void bindStsm(Binder& b) {
  static constexpr OpFunction kForms[] = {storeMatrices<rowMajor>, storeMatrices<transposed>,
                                          storeMatrices<transposedBytes>};
  unsigned form = b.take("16") ? b.choice({"M88", "MT88"}, 3) : b.take("8") && b.take("MT168") ? 2 : 3;
  takeCount(b);
  takeWindowAddress(b);
  b.op.src[0] = takeGroup(b, b.op.option[0]);
  if (form == 3)
    b.refuse();
  else
    b.op.run = kForms[form];
}

/// MOVM.16.MT88: transposes the matrix that the warp holds.
void bindMovm(Binder& b) {
  if (!b.take("16") || !b.take("MT88")) b.refuse();
  b.op.dst = b.destination();
  b.op.src[0] = takeGroup(b, 1);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    requireWholeWarp(mask, "a matrix instruction");
    Lanes scratch, out;
    const u32* in = w.fetch(op.src[0], scratch);
    u16 elements[kRows8][kRows8];
    static_assert(sizeof elements == sizeof(Lanes));
    std::memcpy(elements, in, sizeof elements);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned row = lane / 4, column = lane % 4 * 2;
      out.v[lane] = elements[column][row] | u32{elements[column + 1][row]} << 16;
    }
    w.write(op.dst, out.v, mask);
  };
}

constexpr OpcodeRow kRows[] = {{"LDSM", bindLdsm}, {"STSM", bindStsm}, {"MOVM", bindMovm}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::matrixOpcodes() {
  return kRows;
}

} // namespace harness::sass
