#include "harness/reference.h"

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

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* b = static_cast<const std::uint8_t*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t code = 0; code < launch->block[0]; ++code, out += 80)
    for (int i = 0; i < 16; ++i) {
      for (int format = 0; format < 2; ++format) {
        const Format& f = kFormats[format];
        std::uint8_t sum = encode(f, decode(f, code) + decode(f, b[i]), true);
        out[32 * format + i] = out[32 * format + 16 + i] = sum;
      }
      out[64 + i] = static_cast<std::uint8_t>(code + b[i]);
    }
}
