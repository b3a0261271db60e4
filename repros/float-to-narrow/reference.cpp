#include "harness/reference.h"

#include <cmath>

namespace {

double rounded(double value, int mode) {
  switch (mode) {
  case 0: return std::nearbyint(value); // nearest-even, the default
  case 1: return std::trunc(value);
  case 2: return std::ceil(value);
  default: return std::floor(value);
  }
}

/// PTX cvt to an integer of `bits`: saturating; a NaN is 0.
std::uint64_t toInteger(double value, int mode, int bits, bool isSigned) {
  std::uint64_t top = std::uint64_t{1} << (bits - 1), mask = top | (top - 1);
  if (std::isnan(value)) return 0;
  double result = rounded(value, mode), limit = std::ldexp(1, isSigned ? bits - 1 : bits);
  if (result >= limit) return isSigned ? top - 1 : mask;
  if (isSigned && result < -limit) return top;
  if (result >= 0) return static_cast<std::uint64_t>(result);
  if (!isSigned) return 0;
  return (0 - static_cast<std::uint64_t>(-result)) & mask;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  struct Kind {
    int bits;
    bool isSigned;
  };
  const Kind kinds[4] = {{8, true}, {8, false}, {16, true}, {16, false}};
  const float* in = static_cast<const float*>(args[0]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t)
    for (const Kind& kind : kinds)
      for (int mode = 0; mode < 4; ++mode)
        *out++ = toInteger(in[t], mode, kind.bits, kind.isSigned);
}
