#include "harness/reference.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

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

std::uint32_t pair(double high, double low, int mode, bool relu, int mantissa, int exponent) {
  std::uint32_t result = 0;
  for (double value : {high, low}) {
    if (relu && value <= 0) value = 0;
    std::uint32_t infinity = ((1u << exponent) - 1) << mantissa;
    result = result << 16 | (std::isnan(value) ? infinity | 0x40 : encode(value, mode, mantissa, exponent));
  }
  return result;
}

/// Ten stored bits with the exponent of an f32, ties away from zero.
std::uint32_t tf32(float value) {
  if (std::isnan(value)) return 0x7fc00000;
  if (std::isinf(value) || value == 0) return encode(value, 0, 23, 8);
  int place = std::max(std::ilogb(value), -126) - 10;
  return encode(std::ldexp(std::round(std::ldexp(value, -place)), place), 0, 23, 8);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    float a = in[t], b = in[t % 2 == 0 ? t + 1 : t - 1];
    *out++ = pair(a, b, 0, false, 10, 5);
    *out++ = pair(a, b, 1, false, 10, 5);
    *out++ = pair(a, b, 0, true, 10, 5);
    *out++ = pair(a, b, 0, false, 7, 8);
    *out++ = pair(a, b, 0, true, 7, 8);
    *out++ = tf32(a);
  }
}
