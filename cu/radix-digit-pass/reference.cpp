#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* keys = static_cast<const std::uint32_t*>(args[0]);
  const auto* values = static_cast<const std::uint16_t*>(args[1]);
  auto* sortedKeys = static_cast<std::uint32_t*>(args[2]);
  auto* sortedValues = static_cast<std::uint16_t*>(args[3]);
  auto* starts = static_cast<std::uint32_t*>(args[4]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[5]);
  std::uint32_t shift = *static_cast<const std::uint32_t*>(args[6]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    std::uint32_t to = 0;
    for (std::uint32_t digit = 0; digit < 16; ++digit) {
      starts[block * 16 + digit] = to;
      for (std::uint32_t i = block * n; i < (block + 1) * n; ++i) {
        if ((keys[i] >> shift) % 16 != digit) continue;
        sortedKeys[block * n + to] = keys[i];
        sortedValues[block * n + to] = values[i];
        ++to;
      }
    }
  }
}
