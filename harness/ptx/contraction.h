#pragma once

#include "harness/ptx/syntax.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace harness::ptx {

/// A multiplication and an addition that ptxas may make one fused operation of, because neither says how it
/// is rounded (PTX ISA, "add" and "mul" of floats: without a rounding modifier code optimisation may contract
/// them). The executor rounds twice; a machine code that rounds once is as right.
struct Contraction {
  std::uint32_t product = 0, sum = 0; ///< lines
};

/// All in the function of that name, in order of their sums. By registers' names, so what is in no
/// instruction's reach of another may be among them; what is not is none.
std::vector<Contraction> findContractions(const Module& module, std::string_view function);

} // namespace harness::ptx
