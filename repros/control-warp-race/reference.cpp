#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t warp = 0; warp < launch->grid[0] * launch->block[0] / 32; ++warp) {
    out[warp] = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      out[warp] += in[32 * warp + lane];
  }
}
