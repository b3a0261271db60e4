#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 8;
    unsigned __int128 low = static_cast<unsigned __int128>(x[i]) + y[i];
    unsigned __int128 high = static_cast<unsigned __int128>(z[i]) + x[i + 256] + (low >> 64);
    o[0] = static_cast<std::uint64_t>(low);
    o[1] = o[4] = o[6] = static_cast<std::uint64_t>(high);
    o[2] = o[5] = o[7] = static_cast<std::uint64_t>(high >> 64);
    o[3] = o[0] ^ y[i + 256];
  }
}
