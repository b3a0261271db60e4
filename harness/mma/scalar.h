#pragma once

#include "harness/mma/multiplier.h"
#include "harness/mma/step.h"

#include <vector>

namespace harness::mma {

/// What one output needs beside its row of A and column of B.
struct DotRule {
  const Model* model;
  Inputs inputs;
  Format c;
  int instructionK;
};

/// A row of A, or a column of B.
struct Line {
  const Number* numbers;
  const std::uint8_t* scales; ///< one a block of k
  std::size_t scaleStride;
};

/// One output of narrow floats: C and the result are f32 or f16.
std::uint32_t dot(const DotRule& rule, const Line& a, const Line& b, int k, std::uint32_t c);

/// A and B taken apart, the numbers of an output in a row.
class ScalarTile {
public:
  void load(const DotRule& rule, const Shape& size, const Operands& operands);
  std::uint32_t at(int row, int column, std::uint32_t c) const;

private:
  Line line(const std::vector<Number>& numbers, int index) const;

  DotRule rule_{};
  Shape size_{};
  Operands operands_{};
  std::vector<Number> a_, b_;
};

/// Element `i` of an array of the format.
inline std::uint32_t codeAt(const void* data, std::size_t bytes, std::size_t i) {
  switch (bytes) {
  case 1: return static_cast<const std::uint8_t*>(data)[i];
  case 2: return static_cast<const std::uint16_t*>(data)[i];
  default: return static_cast<const std::uint32_t*>(data)[i];
  }
}

inline void putCode(void* data, std::size_t bytes, std::size_t i, std::uint32_t code) {
  if (bytes == 2)
    static_cast<std::uint16_t*>(data)[i] = static_cast<std::uint16_t>(code);
  else
    static_cast<std::uint32_t*>(data)[i] = code;
}

} // namespace harness::mma
