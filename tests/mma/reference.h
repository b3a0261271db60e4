#pragma once

#include "harness/mma/multiplier.h"

#include <cstdint>
#include <vector>

namespace harness::mma::test {

/// One output, of operands as stored. Scales: one for each block of k.
struct DotOperands {
  std::vector<std::uint64_t> a, b;
  std::uint64_t c;
  std::vector<std::uint8_t> aScales, bScales;
};

/// The same as a Multiplier computes, by another way: numbers are exact integers of any length (GMP) that
/// count a unit far below all formats; it shares nothing with the library but the rows of its table. Slow.
std::uint64_t referenceDot(const Model& model, const Inputs& inputs, int instructionK, Format cFormat,
                           bool saturate, const DotOperands& operands);

} // namespace harness::mma::test
