#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* n = static_cast<const std::int32_t*>(args[0]);
  auto* x = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 7;
    std::int64_t count = n[i], above = count > 5 ? (count - 4) / 2 : 0;
    o[0] = static_cast<std::uint32_t>(count > 0 ? count : 0);
    o[1] = static_cast<std::uint32_t>(count > 0 ? 0 : count);
    o[2] = 0;
    o[3] = static_cast<std::uint32_t>(above * x[i]);
    o[4] = static_cast<std::uint32_t>(5 + 2 * above);
    const std::uint32_t doublings[8] = {0, 7, 6, 6, 5, 5, 5, 4};
    o[5] = doublings[x[i] % 8];
    o[6] = static_cast<std::uint32_t>(count > o[5] + 1 ? count : o[5] + 1);
  }
}
