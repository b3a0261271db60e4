#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 4) {
    const std::uint32_t pairs[3][2] = {{in[0], in[1]}, {t, 0x1234}, {77, t}};
    out[0] = 1u << t % 3;
    out[1] = pairs[t % 3][0];
    out[2] = pairs[t % 3][1];
    out[3] = t;
  }
}
