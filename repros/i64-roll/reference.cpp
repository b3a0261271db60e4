#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* s = static_cast<const std::int64_t*>(args[1]);
  auto* n = static_cast<const std::int64_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 6;
    auto roll = [&](std::int64_t length) {
      std::int64_t j = i % length + s[i];
      while (j < 0)
        j += 1000000000 * length;
      return x[j % length];
    };
    o[0] = roll(4);
    o[1] = roll(8);
    o[2] = roll(16);
    o[3] = roll(64);
    o[4] = roll(n[i]);
    std::int64_t high = (i + s[i] + 8000000000) % 8;
    o[5] = (high == 0 ? 0 : high - 8) & 0xff;
  }
}
