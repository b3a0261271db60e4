#include "harness/reference.h"

#include <cmath>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* position = static_cast<const std::int64_t*>(args[0]);
  const auto* table = static_cast<const float*>(args[1]);
  auto* x = static_cast<float*>(args[2]);
  int dim = *static_cast<const int*>(args[3]), rotated = *static_cast<const int*>(args[4]);
  bool split = *static_cast<const int*>(args[5]) != 0;
  for (std::uint32_t token = 0; token < launch->grid[0]; ++token)
    for (std::uint32_t h = 0; h < launch->grid[1]; ++h, x += dim)
      for (int pair = 0; pair < rotated / 2; ++pair) {
        float c = table[position[token] * rotated + pair];
        float s = table[position[token] * rotated + rotated / 2 + pair];
        int i = split ? pair : 2 * pair, j = split ? pair + rotated / 2 : 2 * pair + 1;
        float a = x[i], b = x[j];
        float bs = b * s, bc = b * c;
        x[i] = std::fma(a, c, -bs);
        x[j] = std::fma(a, s, bc);
      }
}
