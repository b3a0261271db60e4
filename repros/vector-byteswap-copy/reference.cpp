#include "harness/reference.h"

#include <algorithm>

/// The bytes of every word in reverse.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* in = static_cast<const std::uint8_t*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t i = 0; i < 16 * launch->block[0]; i += 4)
    std::reverse_copy(in + i, in + i + 4, out + i);
}
