#include "harness/reference.h"

/// Serially, from the last element of each block; every sum is exact.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int32_t* key = static_cast<const std::int32_t*>(args[0]);
  const double* value = static_cast<const double*>(args[1]);
  double* out = static_cast<double*>(args[2]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    double sum = 0;
    for (int t = 127; t >= 0; --t) {
      std::uint32_t i = block * 128 + static_cast<std::uint32_t>(t);
      sum = t < 127 && key[i] == key[i + 1] ? sum + value[i] : value[i];
      out[i] = sum;
    }
  }
}
