#include "harness/reference.h"

#include <cmath>
#include <initializer_list>

namespace {

double rounded(double value, int mode) {
  switch (mode) {
  case 0: return std::nearbyint(value); // nearest-even, the default
  case 1: return std::trunc(value);
  case 2: return std::ceil(value);
  default: return std::floor(value);
  }
}

/// PTX cvt to an integer of `bits`: saturating; a NaN is 0 up to 32 bits and the top bit in 64.
std::uint64_t toInteger(double value, int mode, int bits, bool isSigned) {
  std::uint64_t top = std::uint64_t{1} << (bits - 1), mask = top | (top - 1);
  if (std::isnan(value)) return bits == 64 ? top : 0;
  double result = rounded(value, mode), limit = std::ldexp(1, isSigned ? bits - 1 : bits);
  if (result >= limit) return isSigned ? top - 1 : mask;
  if (isSigned && result < -limit) return top;
  if (result >= 0) return static_cast<std::uint64_t>(result);
  if (!isSigned) return 0;
  return (0 - static_cast<std::uint64_t>(-result)) & mask;
}

/// The number that `bits` encode.
double decode(std::uint32_t bits, int mantissa, int exponent) {
  std::uint32_t fraction = bits & ((1u << mantissa) - 1), power = bits >> mantissa & ((1u << exponent) - 1);
  double sign = bits >> (mantissa + exponent) & 1 ? -1 : 1;
  if (power == (1u << exponent) - 1) return fraction != 0 ? NAN : sign * INFINITY;
  int bias = (1 << (exponent - 1)) - 1;
  if (power == 0) return sign * std::ldexp(fraction, 1 - bias - mantissa);
  return sign * std::ldexp(fraction + (1u << mantissa), static_cast<int>(power) - bias - mantissa);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint16_t* in = static_cast<const std::uint16_t*>(args[0]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t)
    for (int bits : {16, 32, 64})
      for (bool isSigned : {true, false})
        for (int mode = 0; mode < 4; ++mode)
          *out++ = toInteger(decode(in[t], 10, 5), mode, bits, isSigned);
}
