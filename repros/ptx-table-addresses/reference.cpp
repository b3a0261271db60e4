#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* out = static_cast<std::uint32_t*>(args[0]);
  const std::uint32_t words[4] = {1, 0u - 119u, 32, 0xc0000000}; // the last: the upper word of -2.0
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 4) {
    out[0] = words[t % 4];
    out[1] = t;
    out[2] = 1;
    out[3] = 0u - 2u;
  }
}
