#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const std::uint8_t*>(args[0]);
  auto* counts = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t bytes = *static_cast<const std::uint32_t*>(args[2]);
  std::uint32_t mask = *static_cast<const std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < bytes; ++i)
    ++counts[x[i] & mask];
}
