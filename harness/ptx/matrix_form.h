#pragma once

#include "harness/mma/multiplier.h"
#include "harness/ptx/binder.h"
#include "harness/ptx/fragments.h"

#include <optional>
#include <string>
#include <string_view>

namespace harness::ptx {

/// .kind::… of mma.
enum class MatrixKind : std::uint8_t { Plain, F8f6f4, Mxf8f6f4, Mxf4, Mxf4nvf4 };

/// What an mma or wmma.mma multiplies.
struct MatrixForm {
  bool wmma = false;
  MatrixKind kind = MatrixKind::Plain;
  mma::Shape shape{};
  mma::Format a{}, b{}, c{}, d{};
  bool aColumns = false, bColumns = true; ///< .col
  bool saturate = false;
  mma::BitOperation bits = mma::BitOperation::Xor;
  int rounding = 0; ///< of f64: FE_…
  mma::Scaling scaling = mma::Scaling::None;

  bool isQuarters() const { return shape == mma::Shape{8, 8, 4} && a == mma::Format::F16; }
};

/// The architecture that a module is for.
struct MatrixTarget {
  unsigned sm = 0;
  bool specific = false; ///< sm_120a, sm_120f
};
MatrixTarget targetOf(const Module& module);

/// Takes the modifiers of mma or wmma.mma but for .sync and .aligned. Refuses, and says why, what the PTX ISA
/// (9.7.14.4.5, 9.7.14.5.14) or the module's target does not have.
std::optional<MatrixForm> takeMatrixForm(Binder& b, bool wmma);

/// The form that wmma.load and wmma.store name with their shape, a role and a format, if there is one.
struct WmmaOperand {
  MatrixRole role;
  mma::Format format;
  mma::Shape shape;
  bool columnMajor;
};
/// Takes shape, layout and type of an operand of that role.
std::optional<WmmaOperand> takeWmmaOperand(Binder& b, MatrixRole role);

/// Bits that an element takes in a register: 8 of all of .kind::f8f6f4 and mxf8f6f4, 32 of a word of .b1.
unsigned fragmentBits(mma::Format format, MatrixKind kind);

/// Registers of a lane that hold a matrix of wmma.
unsigned wmmaRegisters(MatrixRole role, mma::Format format, const mma::Shape& shape);

/// Rows and columns of a matrix; those of .b1 are words of 32 elements along k.
struct MatrixSize {
  unsigned rows, columns;
};
MatrixSize sizeOf(MatrixRole role, mma::Format format, const mma::Shape& shape);

/// Refuses a vector of registers of another number, or of a type that ptxas does not take for the format.
bool checkRegisters(Binder& b, MatrixRole role, mma::Format format, MatrixKind kind, unsigned registers);
/// The type as which a register or number of that format is bound.
Type registerType(mma::Format format);

} // namespace harness::ptx
