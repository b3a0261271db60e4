#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 3) {
    out[0] = in[t] + in[63 - t];
    out[1] = in[t ^ 1] - out[0];
    out[2] = in[t ^ 2];
  }
}
