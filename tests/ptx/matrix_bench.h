#pragma once

#include "harness/mma/multiplier.h"
#include "harness/ptx/executor.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace harness::ptx::test {

/// The registers of a warp, a row a register.
using Registers = std::vector<std::array<std::uint64_t, 32>>;

/// An mma as it is written, and what it multiplies.
struct MmaForm {
  std::string text; ///< "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
  std::string target;
  mma::Shape shape;
  mma::Format a, b, c, d;
  bool aColumns = false, bColumns = true;
  unsigned container = 0; ///< bits of an element of A and B in a register, if not its own
  mma::Scaling scaling = mma::Scaling::None;
  bool saturate = false, bitAnd = false;

  bool isQuarters() const { return text.find("m8n8k4") != std::string::npos && a == mma::Format::F16; }
  int products() const { return isQuarters() ? 4 : 1; }
};
std::ostream& operator<<(std::ostream& out, const MmaForm& form);

/// All dense forms of the PTX ISA 9.0, each on the oldest architecture that has it and on a newer one.
const std::vector<MmaForm>& mmaForms();

/// A place in one of the products.
struct Place {
  int product, row, column;
};
// Of the i-th element, from low to high, that a lane holds: the formulas of the PTX ISA, 9.7.14.5.1 to 13,
// shape by shape.
Place placeInA(const MmaForm& form, int lane, int i);
Place placeInB(const MmaForm& form, int lane, int i);
Place placeInC(const MmaForm& form, mma::Format format, int lane, int i);

/// A dense matrix of codes, product after product, row after row.
struct Codes {
  int rows, columns;
  std::vector<std::uint64_t> values;
  Codes(int products, int rowCount, int columnCount)
      : rows(rowCount), columns(columnCount),
        values(static_cast<std::size_t>(products) * static_cast<std::size_t>(rowCount) *
               static_cast<std::size_t>(columnCount)) {}
  std::uint64_t& at(const Place& place) {
    return values[static_cast<std::size_t>((place.product * rows + place.row) * columns + place.column)];
  }
  std::uint64_t at(const Place& place) const { return const_cast<Codes*>(this)->at(place); }
};

/// Bits of an element in a register.
unsigned bitsInRegister(const MmaForm& form, mma::Format format);
unsigned registerBits(mma::Format format);
/// Registers that hold a matrix; what is padding comes from `noise`.
Registers packA(const MmaForm& form, const Codes& codes, std::mt19937_64& noise);
Registers packB(const MmaForm& form, const Codes& codes, std::mt19937_64& noise);
Registers packC(const MmaForm& form, const Codes& codes);
Codes unpackD(const MmaForm& form, const Registers& registers);

/// "{%a0, %a1}"
std::string vectorOf(const std::string& name, std::size_t count);

/// A kernel of one warp that loads registers named a0, a1 …, executes `body` and stores d0, d1 ….
struct WarpKernel {
  struct Vector {
    std::string name; ///< "a"
    std::string type; ///< of its registers: "b32"
    Registers registers;
  };
  std::string target = "sm_90";
  std::vector<Vector> inputs;
  Vector output;    ///< only as many registers as there are count
  std::string body; ///< may declare more
  ExecutionOptions options = {};
};
struct WarpResult {
  ExecutionResult execution;
  Registers output;
};
WarpResult run(const WarpKernel& kernel);

/// D of a form; scales: scale registers and selectors, ", s0, {0, 0}, t0, {0, 0}" of inputs s and t.
WarpResult runMma(const MmaForm& form, const Registers& a, const Registers& b, const Registers& c,
                  const ExecutionOptions& options = {}, const std::string& scales = "",
                  const std::vector<WarpKernel::Vector>& scaleInputs = {});

} // namespace harness::ptx::test
