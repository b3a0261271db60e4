#include "harness/reference.h"

#include <cmath>

namespace {

/// The number that `bits` encode.
double decode(std::uint32_t bits, int mantissa, int exponent) {
  std::uint32_t fraction = bits & ((1u << mantissa) - 1), power = bits >> mantissa & ((1u << exponent) - 1);
  double sign = bits >> (mantissa + exponent) & 1 ? -1 : 1;
  if (power == (1u << exponent) - 1) return fraction != 0 ? NAN : sign * INFINITY;
  int bias = (1 << (exponent - 1)) - 1;
  if (power == 0) return sign * std::ldexp(fraction, 1 - bias - mantissa);
  return sign * std::ldexp(fraction + (1u << mantissa), static_cast<int>(power) - bias - mantissa);
}

/// The fourteen comparisons of PTX, in the order eq ne lt le gt ge, the same or unordered, both numbers, any
/// NaN.
std::uint32_t comparisons(double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  bool result[6] = {a == b, a < b || a > b, a<b, a <= b, a> b, a >= b};
  std::uint32_t bits = unordered ? 1u << 13 : 1u << 12;
  for (int i = 0; i < 6; ++i)
    bits |= (result[i] ? 0x41u : unordered ? 0x40u : 0u) << i;
  return bits;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint16_t* in = static_cast<const std::uint16_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  auto number = [&](std::uint32_t index) { return decode(in[index % 32], 10, 5); };
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint32_t low = comparisons(number(t), number(t / 32)),
                  high = comparisons(number(t / 32), number(t + 5));
    *out++ = low + high * 65536;
    *out++ = low;
    *out++ = high;
  }
}
