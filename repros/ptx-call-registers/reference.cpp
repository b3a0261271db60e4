#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    *out++ = in[t] + t;
    *out++ = in[t] * 2;
  }
}
