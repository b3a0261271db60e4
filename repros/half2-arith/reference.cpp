#include "harness/reference.h"

#include <algorithm>
#include <cfenv>
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

/// x + y with its last bit set if it is not exact, so that rounding it again is as good as rounding once.
double sumToOdd(double x, double y) {
  volatile double a = x, b = y;
  std::fesetround(FE_TOWARDZERO);
  std::feclearexcept(FE_INEXACT);
  volatile double sum = a + b;
  bool exact = std::fetestexcept(FE_INEXACT) == 0;
  std::fesetround(FE_TONEAREST);
  double result = sum;
  std::uint64_t bits;
  std::memcpy(&bits, &result, 8);
  bits |= !exact;
  std::memcpy(&result, &bits, 8);
  return result;
}

/// One half of each of the nine results.
void half(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t* result) {
  double a = decode(x, 10, 5), b = decode(y, 10, 5), c = decode(z, 10, 5), least = std::ldexp(1, -14);
  auto bits = [](double value) { return encode(value, 0, 10, 5); };
  auto saturated = [&](double value) { return bits(value > 0 ? std::min(value, 1.0) : 0); };
  auto flushed = [&](double value) { return std::fabs(value) < least ? std::copysign(0, value) : value; };
  double product = a * b, sum = a + b, fused = sumToOdd(product, c); // the first two are exact
  result[0] = bits(sum);
  result[1] = bits(a - b);
  result[2] = bits(product);
  result[3] = bits(fused);
  result[4] = saturated(sum);
  result[5] = saturated(product);
  result[6] = saturated(fused);
  result[7] = std::isnan(fused) ? bits(fused) : bits(fused > 0 ? fused : 0);
  result[8] = bits(flushed(flushed(a) + flushed(b)));
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint16_t* in = static_cast<const std::uint16_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint32_t low[9], high[9];
    half(in[t % 32], in[t / 32], in[(t * 7 + t / 32) % 32], low);
    half(in[t / 32], in[(t + 5) % 32], in[t / 8 % 32], high);
    for (int i = 0; i < 9; ++i)
      *out++ = low[i] + high[i] * 65536;
  }
}
