#include "harness/reference.h"

#include <cmath>
#include <cstring>

/// The host's library, whose functions of these names are exact.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* single = static_cast<const float*>(args[0]);
  const double* wide = static_cast<const double*>(args[1]);
  char* out = static_cast<char*>(args[2]);
  char* outWide = static_cast<char*>(args[3]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 8, outWide += 8) {
    float a = single[t % 16], b = single[t / 16];
    if (b == 0) b = 0.75f;
    float results[2] = {std::fmod(a, b), std::remainder(a, b)};
    double result = std::fmod(wide[t % 16], wide[t / 16]);
    std::memcpy(out, results, 8);
    std::memcpy(outWide, &result, 8);
  }
}
