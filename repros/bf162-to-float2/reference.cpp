#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  std::uint32_t* out = static_cast<std::uint32_t*>(args[0]);
  for (std::uint32_t value = 0; value < 65536; ++value)
    out[value] = value * 65536;
}
