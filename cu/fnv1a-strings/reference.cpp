#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* pool = static_cast<const std::uint8_t*>(args[0]);
  auto* offsets = static_cast<const std::uint32_t*>(args[1]);
  auto* out64 = static_cast<std::uint64_t*>(args[2]);
  auto* out32 = static_cast<std::uint32_t*>(args[3]);
  std::uint32_t size = *static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint64_t narrow = 0x811c9dc5, wide = 0xcbf29ce484222325;
    for (std::uint32_t i = offsets[t]; i < size; ++i) {
      if (pool[i] == 0) break;
      narrow = (narrow ^ pool[i]) * 0x01000193 % (std::uint64_t{1} << 32);
      wide = (wide ^ pool[i]) * 0x100000001b3;
    }
    out64[t] = wide;
    out32[2 * t] = static_cast<std::uint32_t>(narrow);
    out32[2 * t + 1] = static_cast<std::uint32_t>((wide ^ wide >> 24) % (1 << 24));
  }
}
