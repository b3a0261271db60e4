#include "harness/reference.h"

/// One of the legal answers: all lanes of odd values come first.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t slot[32] = {};
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    if (in[t] % 2 == 0) continue;
    out[t] = 0;
    for (std::uint32_t i = 0; i < in[t] % 8; ++i)
      out[t] += in[t] >> i;
    slot[t] = out[t] | 1;
  }
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    if (in[t] % 2 != 0) continue;
    out[t] = 0;
    for (std::uint32_t i = 0; i < 32; ++i)
      out[t] += slot[i] * (in[t] + i);
  }
}
