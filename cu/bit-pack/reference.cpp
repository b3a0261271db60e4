#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* values = static_cast<const std::uint32_t*>(args[0]);
  auto* widths = static_cast<const std::uint8_t*>(args[1]);
  auto* packed = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint32_t width = (widths[t] - 1) % 32 + 1;
    std::uint32_t* words = packed + 32 * t;
    std::fill(words, words + width, 0);
    for (std::uint32_t bit = 0; bit < 32 * width; ++bit)
      words[bit / 32] |= (values[32 * t + bit / width] >> bit % width & 1) << bit % 32;
  }
}
