#include "harness/reference.h"

/// Any word is as good as another where nothing was assigned; this one is nobody's guess.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  const std::uint32_t* table = static_cast<const std::uint32_t*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t last = in[t] % 4;
    out[t] = last == 0 ? 0xdeadbeef : table[last - 1] ^ (last - 1) * t;
  }
}
