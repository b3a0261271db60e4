#pragma once

#include "harness/report/instruction_shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace harness {

/// How the registers that two corresponding instructions read stand to each other.
enum class Values : std::uint8_t {
  Equal,     ///< each holds the same value on both sides
  Different, ///< one holds a value that is in another register on the other side
  Unclear,   ///< neither is certain
};

/// A place in two codes: an instruction of each, or of one alone.
struct FlowStep {
  std::optional<std::size_t> left, right;
  bool same = false; ///< the two have the same skeleton
};

/// Follows which registers of two codes hold the same values: what diffCode() says. `steps` are all
/// instructions of both in their order; the answer is about each of them that is `same`.
std::vector<Values> followRegisters(const std::vector<InstructionShape>& left,
                                    const std::vector<InstructionShape>& right,
                                    const std::vector<FlowStep>& steps);

} // namespace harness
