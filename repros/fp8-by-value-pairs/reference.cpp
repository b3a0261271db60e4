#include "harness/reference.h"

#include <cmath>

namespace {

/// The codes of a format by their values; beyond the largest finite one, infinity (E5M2 only) and NaN.
struct Format {
  int mantissa, bias, largest;
  double values[128];

  Format(int mantissaBits, int exponentBias, int largestCode)
      : mantissa(mantissaBits), bias(exponentBias), largest(largestCode) {
    int one = 1 << mantissa;
    for (int code = 0; code <= largest; ++code)
      values[code] = code < one ? std::ldexp(code, 1 - bias - mantissa)
                                : std::ldexp(one + code % one, code / one - bias - mantissa);
    for (int code = largest + 1; code < 128; ++code)
      values[code] = code == largest + 1 && mantissa == 2 ? INFINITY : NAN;
  }

  double decode(std::uint32_t code) const { return code >= 128 ? -values[code - 128] : values[code]; }

  /// The nearest code, ties to even; beyond the largest, the largest.
  std::uint8_t encode(double value) const {
    if (std::isnan(value)) return 0x7f;
    double magnitude = std::fabs(value);
    int below = 0, end = largest; // values[below] <= magnitude, or it is beyond all
    while (below < end) {
      int middle = (below + end + 1) / 2;
      if (values[middle] <= magnitude)
        below = middle;
      else
        end = middle - 1;
    }
    if (below < largest) {
      double nearer = (magnitude - values[below]) - (values[below + 1] - magnitude);
      if (nearer > 0 || (nearer == 0 && below % 2 != 0)) ++below;
    }
    return static_cast<std::uint8_t>(below + (std::signbit(value) ? 128 : 0));
  }

  std::uint8_t sum(std::uint32_t a, std::uint32_t b) const { return encode(decode(a) + decode(b)); }
};

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint8_t* out = static_cast<std::uint8_t*>(args[0]);
  const Format e4m3(3, 7, 0x7e), e5m2(2, 15, 0x7b);
  for (std::uint32_t a = 0; a < launch->grid[0]; ++a)
    for (std::uint32_t b = 0; b < launch->block[0]; ++b, out += 3) {
      out[0] = e4m3.sum(a, b);
      out[1] = e5m2.sum(a, b);
      out[2] = static_cast<std::uint8_t>(a + b);
    }
}
