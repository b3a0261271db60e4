#include "harness/reference.h"

#include <cmath>

namespace {

/// A small integer as a float of `mantissa` stored bits and `exponent` bits: never subnormal, exact.
std::uint32_t encode(int value, int mantissa, int exponent) {
  if (value == 0) return 0;
  std::uint32_t sign = value < 0, magnitude = static_cast<std::uint32_t>(std::abs(value));
  int power = static_cast<int>(std::log2(magnitude));
  std::uint32_t fraction = (magnitude << mantissa >> power) - (1u << mantissa);
  std::uint32_t biased = static_cast<std::uint32_t>(power + (1 << (exponent - 1)) - 1);
  return sign << (mantissa + exponent) | biased << mantissa | fraction;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int32_t* in = static_cast<const std::int32_t*>(args[0]);
  std::uint32_t* narrow = static_cast<std::uint32_t*>(args[1]);
  double* out = static_cast<double*>(args[2]);
  int byFour[4] = {}, byTwo[2] = {}, bySix[6] = {};
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    byFour[t % 4] += in[t];
    byTwo[t % 2] += in[t];
    bySix[t % 6] += in[t];
  }
  for (int i = 0; i < 4; ++i) {
    std::uint32_t half = encode(byFour[i], 10, 5), bfloat = encode(byFour[i], 7, 8);
    narrow[i] = half | encode(-byFour[i], 10, 5) << 16;
    narrow[4 + i] = half * 0x10001;
    narrow[8 + i] = bfloat * 0x10001;
    out[6 + i] = byFour[i] / 8.0;
  }
  for (int i = 0; i < 6; ++i)
    out[i] = std::ldexp(bySix[i], 30);
  for (int i = 0; i < 2; ++i)
    out[10 + i] = std::ldexp(byTwo[i], 40) + launch->block[0] / 2 / 16.0;
}
