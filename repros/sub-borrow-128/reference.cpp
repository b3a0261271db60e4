#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 8;
    using Wide = unsigned __int128;
    Wide a = static_cast<Wide>(z[i]) << 64 | x[i], b = static_cast<Wide>(z[i + 256]) << 64 | y[i];
    Wide difference = a - b, negated = 0 - a;
    o[0] = static_cast<std::uint64_t>(difference);
    o[1] = o[7] = static_cast<std::uint64_t>(difference >> 64);
    o[2] = a < b ? 0xffffffff : 0;
    o[3] = o[0] + o[1];
    o[4] = a < b;
    o[5] = static_cast<std::uint64_t>(negated);
    o[6] = static_cast<std::uint64_t>(negated >> 64);
  }
}
