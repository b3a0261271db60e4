#include "harness/reference.h"

namespace {

/// Towards zero, by long division of the magnitudes.
__int128 divide(__int128 v, __int128 d) {
  __int128 a = v < 0 ? -v : v, b = d < 0 ? -d : d, q = 0, r = 0;
  for (int k = 64; k >= 0; --k) {
    r = r * 2 + (a >> k & 1);
    q = q * 2 + (r >= b);
    r -= r >= b ? b : 0;
  }
  return (v < 0) == (d < 0) ? q : -q;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 6;
    using Wide = __int128;
    Wide v = x[i], d = y[i], r = z[i], e = (z[i + 256] >> (i % 64)) | 1;
    Wide s = static_cast<std::int64_t>(x[i]), t = static_cast<std::int64_t>(y[i]);
    if (x[i] == 0x8000000000000000 && t == -1) t = 5;
    Wide q[6] = {divide(v, d),
                 v - d * divide(v, d),
                 divide(s, t),
                 s - t * divide(s, t),
                 divide(r, e) + r - e * divide(r, e),
                 divide(r >> 40, e >> 40 | 1)};
    for (int k = 0; k < 6; ++k)
      o[k] = static_cast<std::uint64_t>(q[k]);
  }
}
