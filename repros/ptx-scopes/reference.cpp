#include "harness/reference.h"

/// The outer name is 5, the middle one 70; the inner scope multiplies by 1000 what stays below 5000.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* out = static_cast<std::uint32_t*>(args[0]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t inner = (t < 5 ? t * 1000 : t) + 1;
    out[t] = t > 9 ? t + 70 + 5 : inner + 70 + 70 + 5;
  }
}
