#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* total = static_cast<std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t shared = 1000, threads = launch->block[0];
  for (std::uint32_t t = 0; t < threads; ++t)
    (t % 2 != 0 ? shared : *total) += t;
  for (std::uint32_t t = 0; t < threads; ++t)
    out[t] = t % 2 != 0 ? shared : *total;
}
