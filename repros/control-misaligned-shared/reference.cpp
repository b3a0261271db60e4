#include "harness/reference.h"

/// What the author had in mind.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int16_t* in = static_cast<const std::int16_t*>(args[0]);
  std::int16_t* out = static_cast<std::int16_t*>(args[1]);
  std::int32_t first = *static_cast<const std::int32_t*>(args[2]);
  for (std::uint32_t i = 0; i < 8 * launch->block[0]; ++i)
    out[i] = in[i + static_cast<std::uint32_t>(first)];
}
