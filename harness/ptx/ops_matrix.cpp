// 8×8 matrices of 16-bit elements, spread over a warp: a register holds two elements, lane 4r + c those of
// row r in columns 2c and 2c + 1.

#include "harness/ptx/ops_matrix.h"

#include "harness/ptx/lanes.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

void bindMatrixTogether(Binder& b) {
  if (!b.take("sync") || !b.take("aligned")) b.refuse(".sync and .aligned are required");
  b.together(b.symbols().constant(kAllLanes));
}

void checkWarpIsWhole(Warp& warp, LaneMask mask) {
  if (mask != kAllLanes) warp.reportUndefined("a matrix instruction without all 32 lanes of the warp", mask);
}

namespace {

constexpr unsigned kSide = 8, kRowBytes = 16;

/// Where an element of a row or, transposed, of a column lies.
struct Element {
  unsigned row, column;
};
/// The n-th element (0 or 1) that a lane's register holds.
Element elementOf(unsigned lane, unsigned n, bool transposed) {
  unsigned row = lane / 4, column = 2 * (lane % 4) + n;
  return transposed ? Element{column, row} : Element{row, column};
}

/// The rows of a matrix, in shared memory.
struct Rows {
  std::byte* host[kSide];
  std::uint8_t* written[kSide];
  bool addressKnown[kSide];
};

/// Lanes 8m to 8m + 7 give the addresses of the rows of matrix m.
Rows rowsOf(Warp& w, const Op& op, unsigned matrix, const std::uint64_t (&at)[kLanes], Warp::Access access) {
  Rows rows;
  LaneMask known = w.written(op.address.base);
  for (unsigned row = 0; row < kSide; ++row) {
    unsigned lane = matrix * kSide + row;
    Warp::Place place = w.resolve(op.address.space, at[lane], kRowBytes, access, lane);
    if (place.space != AddressSpace::Shared)
      fault("a matrix that is not in shared memory", static_cast<int>(lane));
    rows.host[row] = place.host;
    rows.written[row] = place.written;
    rows.addressKnown[row] = known >> lane & 1;
  }
  return rows;
}

// ---- ldmatrix, stmatrix: option[0] = transposed

void runLoad(Warp& w, const Op& op, LaneMask mask) {
  checkWarpIsWhole(w, mask);
  std::uint64_t at[kLanes];
  w.addresses(op.address, at);
  w.undefined = 0;
  Lanes out[4];
  LaneMask unknown[4] = {};
  for (unsigned matrix = 0; matrix < op.destinations; ++matrix) {
    Rows rows = rowsOf(w, op, matrix, at, Warp::Access::Read);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[matrix].v[lane] = 0;
      for (unsigned n = 0; n < 2; ++n) {
        auto [row, column] = elementOf(lane, n, op.option[0]);
        std::uint16_t element = 0;
        std::memcpy(&element, rows.host[row] + 2 * column, 2);
        out[matrix].v[lane] |= std::uint64_t{element} << 16 * n;
        const std::uint8_t* written = rows.written[row] + 2 * column;
        if (!written[0] || !written[1] || !rows.addressKnown[row]) unknown[matrix] |= laneBit(lane);
      }
    }
  }
  for (unsigned matrix = 0; matrix < op.destinations; ++matrix) {
    w.write(op.dst[matrix], out[matrix].v, mask);
    w.markUndefined(op.dst[matrix].slot, unknown[matrix]);
  }
}

void runStore(Warp& w, const Op& op, LaneMask mask) {
  checkWarpIsWhole(w, mask);
  std::uint64_t at[kLanes];
  w.addresses(op.address, at);
  for (unsigned matrix = 0; matrix < op.sources; ++matrix) {
    Lanes scratch;
    const std::uint64_t* value = w.fetch(op.src[matrix], scratch);
    LaneMask known = w.written(op.src[matrix]);
    Rows rows = rowsOf(w, op, matrix, at, Warp::Access::Write);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      for (unsigned n = 0; n < 2; ++n) {
        auto [row, column] = elementOf(lane, n, op.option[0]);
        auto element = static_cast<std::uint16_t>(value[lane] >> 16 * n);
        std::memcpy(rows.host[row] + 2 * column, &element, 2);
        std::fill_n(rows.written[row] + 2 * column, 2, static_cast<std::uint8_t>(known >> lane & 1));
      }
    }
  }
}

/// The shape, number and space of ldmatrix and stmatrix; the number of matrices.
unsigned takeMatrices(Binder& b, AddressSpace& space) {
  bindMatrixTogether(b);
  if (!b.take("m8n8")) b.refuse();
  static constexpr unsigned kNumbers[] = {1, 2, 4, 1};
  unsigned number = b.choice({"x1", "x2", "x4"}, 3);
  if (number == 3) b.refuse();
  b.op.option[0] = b.take("trans");
  space = b.take("shared") || b.take("shared::cta") ? AddressSpace::Shared : AddressSpace::Generic;
  if (b.type() != Type::B16) b.refuse();
  return kNumbers[number];
}

void bindLoadMatrix(Binder& b) {
  AddressSpace space = AddressSpace::Generic;
  unsigned number = takeMatrices(b, space);
  b.destinations(Type::B32, number);
  b.address(space);
  b.op.run = runLoad;
}

void bindStoreMatrix(Binder& b) {
  AddressSpace space = AddressSpace::Generic;
  unsigned number = takeMatrices(b, space);
  b.address(space);
  b.sources(Type::B32, number);
  b.op.run = runStore;
}

// ---- movmatrix

void runMove(Warp& w, const Op& op, LaneMask mask) {
  checkWarpIsWhole(w, mask);
  Lanes scratch, out;
  const std::uint64_t* value = w.fetch(op.src[0], scratch);
  LaneMask known = w.written(op.src[0]);
  w.undefined = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out.v[lane] = 0;
    for (unsigned n = 0; n < 2; ++n) {
      auto [row, column] = elementOf(lane, n, true);
      unsigned from = row * 4 + column / 2;
      out.v[lane] |= (value[from] >> 16 * (column % 2) & 0xffff) << 16 * n;
      if (!(known & mask & laneBit(from))) w.undefined |= laneBit(lane);
    }
  }
  w.write(op.dst[0], out.v, mask);
}

void bindMoveMatrix(Binder& b) {
  bindMatrixTogether(b);
  if (!b.take("m8n8") || !b.take("trans") || b.type() != Type::B16) return b.refuse();
  b.destination(Type::B32);
  b.source(Type::B32);
  b.op.run = runMove;
}

constexpr OpcodeRow kRows[] = {
    {"ldmatrix", TypeClass::Any, bindLoadMatrix},
    {"stmatrix", TypeClass::Any, bindStoreMatrix},
    {"movmatrix", TypeClass::Any, bindMoveMatrix},
};

} // namespace

std::span<const OpcodeRow> matrixOpcodes() {
  return kRows;
}

} // namespace harness::ptx
