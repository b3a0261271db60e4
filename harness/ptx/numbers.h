#pragma once

#include "harness/ptx/syntax.h"

#include <cstdint>
#include <optional>

namespace harness::ptx {

/// The bits of a number as a value of that type; nothing if the type cannot take it. Integers are truncated,
/// a decimal or 0d number becomes an f32 by rounding.
std::optional<std::uint64_t> bitsAs(const Number& number, Type type);

} // namespace harness::ptx
