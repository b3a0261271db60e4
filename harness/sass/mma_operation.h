#pragma once

#include "harness/mma/multiplier.h"
#include "harness/sass/mma_form.h"
#include "harness/sass/op.h"

#include <cstdint>
#include <string>
#include <vector>

namespace harness::sass {

/// An MmaForm on an architecture: who multiplies, and where the elements lie in the lanes' registers, as in
/// PTX's tables of fragments. Immutable; shared by all instructions of the form.
class MmaOperation {
public:
  /// The words of an operand: [i][lane] is the i-th of a lane.
  using Words = const std::uint32_t* const*;
  /// Registers with scales, and which of their bytes.
  struct Scales {
    const std::uint32_t *a = nullptr, *b = nullptr; ///< a word a lane
    std::uint32_t selector = 0;
  };
  /// Lanes that a lane's part of the result depends on.
  struct Sources {
    LaneMask a = 0, b = 0, c = 0, scales = 0;
  };

  /// Throws mma::UnknownModel if no model has it.
  MmaOperation(const MmaForm& form, unsigned sm);

  const MmaForm& form() const { return form_; }
  Sources sources(unsigned lane) const;
  /// True if the instruction has such a selector. Bits 0, 1 are the byte of A's scales in the register, bit 2
  /// the pair of lanes in a group of four that has them; bits 3, 4 and 5, 6 the byte and the lane of B's.
  bool hasSelector(std::uint32_t selector) const;
  /// D = A·B + C. Allocates nothing.
  void multiply(Lanes* d, Words a, Words b, Words c, const Scales& scales) const;

private:
  /// Places of the elements of a matrix in an array, in the order of words, lanes, and from the lowest bit.
  using Places = std::vector<std::uint16_t>;

  void multiplySteps(void* d, const void* a, const void* b, const void* c) const;
  void takeScales(const Scales& scales, std::uint8_t* a, std::uint8_t* b) const;

  MmaForm form_;
  mma::Multiplier multiplier_;
  Places a_, b_, c_, d_;
};

/// The operation of a form, made when it is first asked for; it lives as long as the process. Null, and why,
/// if there is no model.
const MmaOperation* findMmaOperation(const MmaForm& form, unsigned sm, std::string* why = nullptr);

/// Why a tensor-core instruction is not understood; empty if it is none, or nothing is wrong with its form.
std::string mmaRefusal(std::string_view text, unsigned sm);

} // namespace harness::sass
