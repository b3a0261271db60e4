#include "harness/reference.h"

/// Any word is as good as another where nothing was written; this one is nobody's guess.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t v = in[t] * 3 % 16;
    // Element v, even, was written by the i for which (i + in) % 16 and v agree but for the lowest bit.
    out[t] = v % 2 == 1 ? 0xdeadbeef : (v + 16 - in[t] % 16 / 2 * 2) % 16 * t;
  }
}
