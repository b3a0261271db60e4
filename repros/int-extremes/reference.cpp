#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 10;
    std::int64_t v = x[i], w = y[i], sv = (std::int32_t)x[i], sw = (std::int32_t)y[i];
    std::int64_t high = 0x7fffffff, difference = (v - w) & 0xffffffff;
    o[0] = static_cast<std::uint32_t>(sv < 0 ? -sv : sv);
    o[1] = static_cast<std::uint32_t>((sv < 0 ? -sv : sv) / 3);
    o[2] = static_cast<std::uint32_t>(-sw + (sw > 0 || sw == -high - 1 ? 16 : 0));
    o[3] = difference > high;
    o[4] = sv != high;
    o[5] = sv < 0 && sv != -high - 1;
    o[6] = static_cast<std::uint32_t>((v + w) / 2);
    o[7] = static_cast<std::uint32_t>(v % 2 * 0x80000000 - w);
    o[8] = sv >= -0x40000000 && sv < 0x40000000;
    o[9] = static_cast<std::uint32_t>(sv < 0 ? ~(v - 1) : v);
  }
}
