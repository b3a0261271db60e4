#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 5;
    using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(x[i]) * y[i];
    Wide sum = product + (static_cast<Wide>(static_cast<std::uint32_t>(~z[i])) << 64 | z[i]);
    for (int k = 0; k < 4; ++k)
      o[k] = static_cast<std::uint32_t>(sum >> (32 * k));
    o[4] = sum < product;
  }
}
