#pragma once

#include <cstdint>

namespace harness::sass {

/// Exact.
float halfToFloat(std::uint16_t bits);
/// One rounding, in the host's current mode; NaN becomes 0x7fff, overflow infinity or the largest finite by
/// mode.
std::uint16_t floatToHalf(float value);
/// a*b + c with one rounding to nearest even; NaN becomes 0x7fff.
std::uint16_t halfFma(std::uint16_t a, std::uint16_t b, std::uint16_t c);

} // namespace harness::sass
