#pragma once

#include "harness/mma/multiplier.h"

#include "tests/mma/reference.h"

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace harness::mma::test {

using Random = std::mt19937_64;

enum class Family {
  RandomBits,
  Normal,
  Subnormals,
  Cancellation,
  NearOverflow,
  SignedZeros,
  TinyAccumulators,
  MixedMagnitude,
  LsbWalk,
  Specials,
};
inline constexpr Family kFamilies[] = {Family::RandomBits,       Family::Normal,         Family::Subnormals,
                                       Family::Cancellation,     Family::NearOverflow,   Family::SignedZeros,
                                       Family::TinyAccumulators, Family::MixedMagnitude, Family::LsbWalk,
                                       Family::Specials};
std::string_view toString(Family family);

/// Matrices as a Multiplier takes them.
struct Matrices {
  Shape size;
  std::vector<std::uint8_t> a, b, c, aScales, bScales;

  /// The operands of one output.
  DotOperands dot(const Inputs& inputs, Format cFormat, int row, int column) const;
};

/// Operands of a family. Every row of A meets every column of B.
Matrices generate(Family family, const Inputs& inputs, Format cFormat, const Shape& size, Random& random);

std::uint64_t elementAt(const std::vector<std::uint8_t>& data, Format format, std::size_t i);
void putElement(std::vector<std::uint8_t>& data, Format format, std::size_t i, std::uint64_t code);

} // namespace harness::mma::test
