#include "harness/reference.h"

/// As if the pointers were plain: every store is seen by the next load.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* a = static_cast<std::uint32_t*>(args[0]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t v = a[t] * 3 + 1 + t;
    a[t] = v ^ v << 8;
  }
}
