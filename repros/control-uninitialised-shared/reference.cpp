#include "harness/reference.h"

/// Any word is as good as another where nothing was written; this one is nobody's guess.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t)
    out[t] = (t == 31 ? 0xdeadbeef : in[t + 1]) - in[t];
}
