#pragma once

#include "harness/sass/op.h"

#include <string>
#include <vector>

namespace harness::sass {

/// A decoded code space.
struct Code {
  std::vector<Op> ops;            ///< one for every 16 bytes, and one more that is never executed
  std::vector<std::string> texts; ///< as listed
  unsigned registers = 1;         ///< that any instruction can touch, groups of four included; at least one
  unsigned uniforms = 1;          ///< uniform registers that a 32-bit source reads lie below this
  std::vector<Lanes> numbers;     ///< what SourcePlace::Numbers refers to
  std::vector<Source> constants;  ///< what SourcePlace::Constants refers to

  /// No instruction lets a block see when another one writes: atomics and fences of global memory, strong
  /// accesses.
  bool blocksAreIndependent = true;

  std::size_t size() const { return texts.size(); }
  /// To be called once all instructions are there: their lines, counts and the places of their sources.
  void complete();
};

} // namespace harness::sass
