#include "harness/reference.h"

#include <cmath>

namespace {

/// Truncated and saturating, as the PTX manual has cvt.rzi to 32 bits; a NaN is 0.
long long truncated(double value, double lowest, double highest) {
  if (std::isnan(value)) return 0;
  return static_cast<long long>(std::trunc(std::fmin(std::fmax(value, lowest), highest)));
}

std::uint32_t differsFromZero(double value) {
  return value < 0 || value > 0 || std::isnan(value) ? 1 : 0;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  const double* wide = static_cast<const double*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 8) {
    double x = in[t], y = wide[t];
    std::uint32_t bit = truncated(x, -2147483648.0, 2147483647.0) % 2 != 0;
    out[0] = differsFromZero(x);
    out[1] = differsFromZero(y);
    out[2] = bit;
    out[3] = bit ? 0xffffffffu : 0;
    out[4] = truncated(x, 0.0, 4294967295.0) % 2 != 0;
    out[5] = truncated(y, -2147483648.0, 2147483647.0) % 2 != 0;
    out[6] = out[0] != out[1];
    out[7] = (1 - out[0]) + 2 * (1 - out[1]);
  }
}
