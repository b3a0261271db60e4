#include "harness/reference.h"

#include <cmath>
#include <cstring>

namespace {

std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

std::uint64_t bits(double value) {
  std::uint64_t result;
  std::memcpy(&result, &value, 8);
  return result;
}

} // namespace

/// The host's library, whose functions of these names are exact.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* single = static_cast<const float*>(args[0]);
  const double* wide = static_cast<const double*>(args[1]);
  const std::int32_t* power = static_cast<const std::int32_t*>(args[2]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[3]);
  std::uint64_t* outWide = static_cast<std::uint64_t*>(args[4]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    float f = single[t % 32], whole;
    double d = wide[t % 32];
    int n = power[t / 32], exponent;
    *out++ = bits(std::frexp(f, &exponent));
    *out++ = static_cast<std::uint32_t>(exponent);
    *out++ = bits(std::ldexp(f, n));
    *out++ = bits(std::modf(f, &whole));
    *out++ = bits(whole);
    *out++ = f == 0 ? 0 : static_cast<std::uint32_t>(std::ilogb(f));
    *out++ = bits(std::nextafter(f, n > 0 ? 3.0f : -3.0f));
    *outWide++ = bits(std::frexp(d, &exponent));
    *outWide++ = static_cast<std::uint32_t>(exponent);
    *outWide++ = bits(std::ldexp(d, n * 9));
    *outWide++ = bits(std::nextafter(d, n > 0 ? 3.0 : -3.0));
  }
}
