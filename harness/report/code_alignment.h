#pragma once

#include "harness/report/instruction_shape.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace harness {

/// An instruction of the left code and its partner in the right one.
using AlignedPair = std::pair<std::size_t, std::size_t>;

/// Pairs instructions of two codes, in order, so that together the pairs agree in as much as possible: first
/// in everything but the names of registers and where a branch leads, then in the opcode with its modifiers,
/// at the least in the operation. Codes too long to be compared everywhere with everywhere are cut at
/// instructions that both have once; what lies between and is still too long stays without partners.
std::vector<AlignedPair> alignCode(const std::vector<InstructionShape>& left,
                                   const std::vector<InstructionShape>& right);

} // namespace harness
