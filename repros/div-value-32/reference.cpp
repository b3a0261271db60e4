#include "harness/reference.h"

namespace {

/// Towards zero, by long division of the magnitudes.
std::int64_t divide(std::int64_t v, std::int64_t d) {
  std::int64_t a = v < 0 ? -v : v, b = d < 0 ? -d : d, q = 0, r = 0;
  for (int k = 32; k >= 0; --k) {
    r = r * 2 + (a >> k & 1);
    q = q * 2 + (r >= b);
    r -= r >= b ? b : 0;
  }
  return (v < 0) == (d < 0) ? q : -q;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 8;
    std::int64_t v = x[i], d = y[i], r = z[i], e = (z[i + 256] >> (i % 32)) | 1;
    std::int64_t s = static_cast<std::int32_t>(x[i]), t = static_cast<std::int32_t>(y[i]), f = e / 2 | 1,
                 sr = static_cast<std::int32_t>(z[i]);
    if (s == -0x80000000ll && t == -1) t = 5;
    std::int64_t q[8] = {divide(v, d), v - d * divide(v, d), divide(s, t),      s - t * divide(s, t),
                         divide(r, e), r - e * divide(r, e), divide(r / 2, -f), sr - f * divide(sr, f)};
    for (int k = 0; k < 8; ++k)
      o[k] = static_cast<std::uint32_t>(q[k]);
  }
}
