#include "harness/reference.h"

#include <algorithm>
#include <cmath>

namespace {

struct Format {
  int exponent, mantissa, bias;

  int codes() const { return 1 << (exponent + mantissa); }
  double value(int code) const {
    int power = code >> mantissa, fraction = code % (1 << mantissa);
    double significand = std::ldexp(fraction, -mantissa) + (power != 0);
    return std::ldexp(significand, std::max(power, 1) - bias);
  }
  /// The nearest code, ties to even, at most the largest, which is also what a NaN becomes.
  std::uint32_t encode(double v) const {
    int best = 0;
    if (std::isnan(v)) return static_cast<std::uint32_t>(codes() - 1);
    double magnitude = std::min(std::fabs(v), value(codes() - 1));
    for (int code = 1; code < codes(); ++code) {
      double gain = std::fabs(magnitude - value(best)) - std::fabs(magnitude - value(code));
      if (gain > 0 || (gain == 0 && code % 2 == 0)) best = code;
    }
    return static_cast<std::uint32_t>(best + (std::signbit(v) ? codes() : 0));
  }
};
constexpr Format e2m3{2, 3, 1}, e3m2{3, 2, 3};

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 2) {
    float high = in[t], low = in[(t + 1) % 128];
    out[0] = e2m3.encode(high) << 8 | e2m3.encode(low);
    out[1] = e3m2.encode(high) << 8 | e3m2.encode(low);
  }
}
