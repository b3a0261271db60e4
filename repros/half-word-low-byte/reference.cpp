#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* words = static_cast<const std::uint16_t*>(args[0]);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    out[i * 2] = words[i];
    out[i * 2 + 1] = words[i] % 256;
  }
}
