#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* n = static_cast<const std::uint32_t*>(args[0]);
  auto* x = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 5;
    std::uint32_t count = n[i], v = x[i], a = 0, c = 0;
    std::uint32_t trips =
        static_cast<std::uint32_t>(std::uint64_t{count % 256} * 0x1000000 * 0x24924925 / 0x100000000);
    for (std::uint32_t k = 0; 7 * k + 7 <= count; ++k)
      a = a * 5 + k;
    std::uint64_t twice = std::uint64_t{v} << 32 | v;
    for (std::uint32_t k = 0; k < count / 3; ++k)
      c += (3 * k) ^ v;
    std::uint32_t m = count < 100 ? (100 - count) / 10 : 0;
    o[0] = a;
    o[1] = static_cast<std::uint32_t>(twice >> (32 - trips % 8));
    o[2] = c;
    o[3] = m * (m + 1) / 2;
    o[4] = trips;
  }
}
