#include "harness/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

/// The bits of `value` in a format of `mantissa` stored bits and `exponent` bits, rounded once from the exact
/// double; modes are nearest-even, zero, up, down.
std::uint32_t encode(double value, int mode, int mantissa, int exponent) {
  std::uint32_t sign = std::signbit(value) ? 1u << (mantissa + exponent) : 0;
  std::uint32_t infinity = ((1u << exponent) - 1) << mantissa;
  if (std::isnan(value)) return infinity | 1u << (mantissa - 1);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int lowest = 2 - (1 << (exponent - 1)), power = std::max(std::ilogb(value), lowest);
  // In units of the last place: an integer for what can be represented.
  double units = std::ldexp(value, mantissa - power);
  units = mode == 0   ? std::nearbyint(units)
          : mode == 1 ? std::trunc(units)
          : mode == 2 ? std::ceil(units)
                      : std::floor(units);
  std::uint64_t magnitude = static_cast<std::uint64_t>(std::fabs(units));
  // A leading one counts as one in the exponent; without it the number is subnormal.
  magnitude += static_cast<std::uint64_t>(power - lowest) << mantissa;
  if (magnitude >= infinity) magnitude = mode == 0 || mode == (sign != 0 ? 3 : 2) ? infinity : infinity - 1;
  return sign | static_cast<std::uint32_t>(magnitude);
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

float canonical(double value) {
  std::uint32_t nan = 0x7fc00000;
  float result = static_cast<float>(value);
  if (std::isnan(value)) std::memcpy(&result, &nan, 4);
  return result;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint16_t* out = static_cast<std::uint16_t*>(args[1]);
  float* back = static_cast<float*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t word;
    std::memcpy(&word, in + t, 4);
    for (int mode = 0; mode < 4; ++mode)
      *out++ = static_cast<std::uint16_t>(encode(in[t], mode, 10, 5));
    *out++ = static_cast<std::uint16_t>(encode(in[t] * (1 + std::ldexp(1, -40)), 0, 10, 5));
    *back++ = canonical(decode(encode(in[t], 0, 10, 5), 10, 5));
    *back++ = canonical(decode(word >> 13 & 0xffff, 10, 5));
  }
}
