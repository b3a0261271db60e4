#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

struct Format {
  int mantissa, bias;
  std::uint8_t largest; ///< code of the largest finite number
  bool infinity;        ///< E5M2 has one, just above
};
constexpr Format kFormats[2] = {{3, 7, 0x7e, false}, {2, 15, 0x7b, true}}; // E4M3, E5M2

double decode(const Format& f, std::uint32_t code) {
  std::uint32_t magnitude = code & 0x7f, fraction = magnitude & ((1u << f.mantissa) - 1);
  int power = static_cast<int>(magnitude >> f.mantissa);
  double value = power == 0 ? std::ldexp(fraction, 1 - f.bias - f.mantissa)
                            : std::ldexp(fraction + (1u << f.mantissa), power - f.bias - f.mantissa);
  if (magnitude > f.largest) value = f.infinity && fraction == 0 ? INFINITY : NAN;
  return (code & 0x80) != 0 ? -value : value;
}

/// The nearest code by search, ties to even; beyond the largest, the largest if `saturate`.
std::uint8_t encode(const Format& f, double value, bool saturate) {
  if (std::isnan(value)) return 0x7f;
  std::uint8_t sign = std::signbit(value) ? 0x80 : 0, best = 0;
  double magnitude = std::fabs(value);
  std::uint8_t beyond = static_cast<std::uint8_t>(f.largest + 1); // infinity, or a NaN
  double largest = decode(f, f.largest), step = largest - decode(f, f.largest - 1u);
  if (std::isinf(value)) return sign | (saturate ? f.largest : beyond);
  for (std::uint32_t code = 1; code <= f.largest; ++code) {
    double before = magnitude - decode(f, best), after = decode(f, code) - magnitude;
    if (after < before || (after == before && code % 2 == 0)) best = static_cast<std::uint8_t>(code);
    if (after > 0) break;
  }
  // The next code would be even in E5M2; in E4M3 the largest is even and takes the tie.
  double half = magnitude - largest - step / 2;
  if (!saturate && (half > 0 || (half == 0 && f.largest % 2 == 1))) best = beyond;
  return sign | best;
}

/// A number that binary16 holds, as its bits.
std::uint16_t halfBits(double value) {
  if (std::isnan(value)) return 0x7e00;
  std::uint32_t sign = std::signbit(value) ? 0x8000 : 0, bits = 0;
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    bits = 0x7c00;
  else if (magnitude < std::ldexp(1, -14))
    bits = static_cast<std::uint32_t>(std::ldexp(magnitude, 24));
  else {
    int power = std::ilogb(magnitude);
    bits = static_cast<std::uint32_t>(power + 14) * 1024 +
           static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - power));
  }
  return static_cast<std::uint16_t>(sign | bits);
}

/// `value` cut to a multiple of binary16's last place, at most its largest.
double cutToHalf(double value) {
  if (!std::isfinite(value) || value == 0) return value;
  int place = std::max(std::ilogb(value), -14) - 10;
  double cut = std::ldexp(std::trunc(std::ldexp(value, -place)), place);
  return std::copysign(std::min(std::fabs(cut), 65504.0), value);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  std::uint16_t* back = static_cast<std::uint16_t*>(args[2]);
  const Format &e4m3 = kFormats[0], &e5m2 = kFormats[1];
  for (std::uint32_t t = 0; t < 64; ++t, out += 8) {
    double x = in[t], half = cutToHalf(x), other = in[t % 2 == 0 ? t + 1 : t - 1];
    const std::uint8_t row[8] = {encode(e4m3, x, true),  encode(e5m2, x, true),    encode(e4m3, x, false),
                                 encode(e5m2, x, false), encode(e4m3, half, true), encode(e5m2, half, true),
                                 encode(e4m3, x, true),  encode(e4m3, other, true)};
    std::copy(row, row + 8, out);
  }
  for (std::uint32_t code = 0; code < launch->block[0]; ++code) {
    *back++ = halfBits(decode(e4m3, code));
    *back++ = halfBits(decode(e5m2, code));
    *back++ = halfBits(decode(e4m3, code));
    *back++ = halfBits(decode(e4m3, 255 - code));
  }
}
