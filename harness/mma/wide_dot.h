#pragma once

#include "harness/mma/scalar.h"

#include <string_view>
#include <vector>

namespace harness::mma {

/// True if the wide code computes this rule: plain fused steps of not too many bits.
bool isWide(const DotRule& rule);
/// D = A·B + C of a rule that isWide.
void multiplyWide(const DotRule& rule, const Shape& size, const Operands& operands);

/// Instruction sets that the wide code was compiled for and this processor has, "baseline" first. Of them the
/// last is used, or the one that HARNESS_ISA names.
std::vector<std::string_view> wideIsas();

} // namespace harness::mma
