#pragma once

#include <span>
#include <string>
#include <string_view>

namespace harness::ptx::test {

/// Instructions of one family, for the kernel of kernelOf. Every one runs to its end, in any number and
/// order.
std::span<const std::string_view> fuzzPieces();

/// A module with the kernel `k(.param .u64 a, .param .u64 b, .param .u32 n)`, which runs these instructions
/// between the declarations they need. `a` and `b` have 4,096 bytes.
std::string kernelOf(std::string_view instructions);

} // namespace harness::ptx::test
