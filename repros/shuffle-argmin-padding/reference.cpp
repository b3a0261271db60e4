#include "harness/reference.h"

#include <cstdlib>

/// A scan from the left: the reduction of a whole warp does not depend on the tree.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int16_t* value = static_cast<const std::int16_t*>(args[0]);
  std::int32_t* out = static_cast<std::int32_t*>(args[1]);
  int threads = static_cast<int>(launch->grid[0] * launch->block[0]);
  for (int first = 0; first < threads; first += 32)
    for (int sign = 1; sign >= -1; sign -= 2, out += 3) {
      int best = first, ties = 0;
      for (int i = first; i < first + 32; ++i)
        if (sign * std::abs(value[i]) < sign * std::abs(value[best])) best = i;
      for (int i = first; i < first + 32; ++i)
        ties += std::abs(value[i]) == std::abs(value[best]);
      out[0] = value[best];
      out[1] = best;
      out[2] = ties;
    }
}
