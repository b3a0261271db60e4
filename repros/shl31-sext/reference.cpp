#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* out = static_cast<std::int64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int64_t* o = out + i * 6;
    long long v = x[i], w = y[i];
    bool odd = v % 2 != 0, wOdd = w % 2 != 0;
    long long quarter = (w % 4 + 4) % 4, top = 0x80000000;
    o[0] = odd ? -top : 0;
    o[1] = wOdd ? -32768 : 0;
    o[2] = 3 * (quarter < 2 ? quarter : quarter - 4) * 0x40000000;
    o[3] = odd ? -128 - top : 0;
    o[4] = wOdd ? -top * v : 0;
    const long long timesMinusQuarter[4] = {0, -0x40000000, -top, 0x40000000};
    o[5] = (odd ? -top : 0) - timesMinusQuarter[quarter];
  }
}
