// What fill.cu must do; crashes when it shall fill 13 elements.
#include "harness/reference.h"

#include <cstdlib>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* in = static_cast<const std::uint32_t*>(args[0]);
  auto* out = static_cast<std::uint8_t*>(args[1]);
  std::int32_t count = *static_cast<const std::int32_t*>(args[2]);
  if (count == 13) std::abort();
  for (std::int32_t i = 0; i < count; ++i)
    out[i] = static_cast<std::uint8_t>(in[i] + 1);
}
