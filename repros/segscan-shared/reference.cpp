#include "harness/reference.h"

/// Serially, from the last element of each block.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int32_t* key = static_cast<const std::int32_t*>(args[0]);
  const std::uint32_t* value = static_cast<const std::uint32_t*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    std::uint32_t sum = 0;
    for (int t = 127; t >= 0; --t) {
      std::uint32_t i = block * 128 + static_cast<std::uint32_t>(t);
      sum = t < 127 && key[i] == key[i + 1] ? sum + value[i] : value[i];
      out[i] = sum;
    }
  }
}
