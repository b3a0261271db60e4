#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* out = static_cast<std::uint32_t*>(args[0]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 12) {
    out[0] = t > 9 ? t + 75 : (t >= 5 ? t : t * 1000) + 146;
    out[1] = 0x447a0000; // 1000.0f
    out[2] = 0;          // -2.0
    out[3] = 0xc0000000;
    const std::uint32_t first[4] = {1, static_cast<std::uint32_t>(~118), 0x20, 0}; // 1.5's low word is 0
    out[4] = first[t % 4];
    out[5] = 4000000000u;
    out[6] = first[1];
    out[7] = 3200;
    out[8] = 1;
    out[9] = static_cast<std::uint32_t>(-2);
    out[10] = 15;
    out[11] = 5;
  }
}
