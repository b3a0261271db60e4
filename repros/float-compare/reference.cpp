#include "harness/reference.h"

#include <cmath>

namespace {

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

double flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? 0.0 : value;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* single = static_cast<const float*>(args[0]);
  const double* wide = static_cast<const double*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    float a = single[t % 32], b = single[t / 32];
    *out++ = comparisons(a, b);
    *out++ = comparisons(flushed(a), flushed(b));
    *out++ = comparisons(wide[t % 32], wide[t / 32]);
  }
}
