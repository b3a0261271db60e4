#pragma once

#include "harness/mma/multiplier.h"
#include "harness/sass/text.h"

#include <cstdint>
#include <optional>
#include <string>

namespace harness::sass {

/// A product of matrices that a warp holds in its registers, as nvdisasm names it ("HMMA.16816.F32.BF16").
struct MmaForm {
  static constexpr unsigned kMostWords = 16; ///< of an operand, a lane

  mma::Inputs inputs{mma::Format::F16, mma::Format::F16, mma::Scaling::None};
  mma::Format d = mma::Format::F32, c = mma::Format::F32;
  mma::Shape shape{};
  bool saturate = false;
  mma::BitOperation bits = mma::BitOperation::Xor;
  /// HMMA.884 multiplies four pairs of matrices, and gives two registers of the result in each of its steps.
  std::optional<unsigned> step;
  bool aColumns = false, bRows = false; ///< HMMA.884: the matrix is stored by its other dimension

  auto operator<=>(const MmaForm&) const = default;
  bool hasScales() const { return inputs.scaling != mma::Scaling::None; }
  /// Registers of an operand, a lane.
  unsigned aWords() const;
  unsigned bWords() const;
  unsigned cWords() const;
  unsigned dWords() const;
};

/// Bits that an element of `format` takes in a register. E2M1 takes four in k64, else eight.
unsigned registerBits(mma::Format format, const mma::Shape& shape);

/// The form that opcode and modifiers name, with the layouts of the operands; nothing if it is none that
/// ptxas 11.8 … 13.5 makes. That an architecture has it is not said.
std::optional<MmaForm> mmaForm(const TextInstruction& instruction);

/// True for HMMA, IMMA, BMMA, DMMA, QMMA and OMMA.
bool isMmaOpcode(std::string_view opcode);

} // namespace harness::sass
