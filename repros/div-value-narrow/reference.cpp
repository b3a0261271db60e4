#include "harness/reference.h"

namespace {

/// Towards zero, by subtraction.
int divide(int v, int d) {
  int a = v < 0 ? -v : v, b = d < 0 ? -d : d, q = 0;
  for (; a >= b; a -= b)
    ++q;
  return (v < 0) == (d < 0) ? q : -q;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* y = static_cast<const std::uint16_t*>(args[1]);
  auto* z = static_cast<const std::uint16_t*>(args[2]);
  auto* out = static_cast<std::uint16_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint16_t* o = out + i * 12;
    int v = x[i], d = y[i] ? y[i] : 9, r = z[i], e = (z[i + 256] >> (i % 16)) | 1;
    int s = static_cast<std::int16_t>(v), t = static_cast<std::int16_t>(d), sr = static_cast<std::int16_t>(r),
        h = e / 2 | 1;
    int b = r % 256, f = e % 256 | 1, c = static_cast<std::int8_t>(r / 256),
        g = static_cast<std::int8_t>(v | 1);
    int q[12] = {divide(v, d),         v - d * divide(v, d), divide(s, t),         s - t * divide(s, t),
                 divide(r, e),         divide(b, f),         b - f * divide(b, f), divide(c, g),
                 c - g * divide(c, g), divide(r, e),         v - e * divide(v, e), sr - h * divide(sr, h)};
    for (int k = 0; k < 12; ++k)
      o[k] = static_cast<std::uint16_t>(q[k]);
  }
}
