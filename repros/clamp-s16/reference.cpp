#include "harness/reference.h"

namespace {

int least(int a, int b) {
  return a < b ? a : b;
}
int most(int a, int b) {
  return a < b ? b : a;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int16_t*>(args[0]);
  auto* y = static_cast<const std::int16_t*>(args[1]);
  auto* z = static_cast<const std::int16_t*>(args[2]);
  auto* out = static_cast<std::int16_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int16_t* o = out + i * 9;
    int v = x[i], lo = y[i], hi = z[i], uv = v & 0xffff, ulo = lo & 0xffff, uhi = hi & 0xffff;
    int r[9] = {least(most(v, -128), 127),
                most(least(v, hi), lo),
                least(most(v, lo), hi),
                least(most(v, -32767), 32766),
                most(least(v, -5), 5),
                least(uv, ulo),
                most(uv, 0x8000),
                least(most(static_cast<std::int16_t>(v + lo), 0), 255),
                most(least((v - lo) & 0xffff, uhi), 7)};
    for (int k = 0; k < 9; ++k)
      o[k] = static_cast<std::int16_t>(r[k]);
  }
}
