#include "harness/reference.h"

#include <cmath>
#include <cstring>
#include <initializer_list>

namespace {

/// The lesser or greater; a NaN gives way to a number (or, if it may not, wins); +0 is greater than -0.
double chosen(double a, double b, bool greatest, bool nanWins) {
  if (std::isnan(a) || std::isnan(b))
    return nanWins || std::isnan(a) == std::isnan(b) ? NAN : std::isnan(a) ? b : a;
  if (a == b) return std::signbit(a) == greatest ? b : a;
  return (a > b) == greatest ? a : b;
}

std::uint32_t single(double value) {
  float narrow = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  return std::isnan(value) ? 0x7fc00000 : bits;
}

std::uint64_t wide(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return std::isnan(value) ? 0x7ff8000000000000 : bits;
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* singles = static_cast<const float*>(args[0]);
  const double* wides = static_cast<const double*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  std::uint64_t* outWide = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    float a = singles[t % 32], b = singles[t / 32];
    for (bool greatest : {false, true}) {
      out[t * 6 + greatest] = single(chosen(a, b, greatest, false));
      out[t * 6 + 2 + greatest] = single(chosen(flushed(a), flushed(b), greatest, false));
      out[t * 6 + 4 + greatest] = single(chosen(a, b, greatest, true));
      outWide[t * 2 + greatest] = wide(chosen(wides[t % 32], wides[t / 32], greatest, false));
    }
  }
}
