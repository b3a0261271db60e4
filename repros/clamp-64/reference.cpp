#include "harness/reference.h"

namespace {

__int128 least(__int128 a, __int128 b) {
  return a < b ? a : b;
}
__int128 most(__int128 a, __int128 b) {
  return a < b ? b : a;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int64_t*>(args[0]);
  auto* y = static_cast<const std::int64_t*>(args[1]);
  auto* z = static_cast<const std::int64_t*>(args[2]);
  auto* out = static_cast<std::int64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int64_t* o = out + i * 8;
    using Wide = __int128;
    Wide v = x[i], lo = y[i], hi = z[i], all = ~std::uint64_t{0};
    Wide u = v & all, ulo = lo & all, uhi = hi & all;
    Wide r[8] = {least(most(v, -128), 127),
                 least(most(v, lo), hi),
                 most(least(v, hi), lo),
                 static_cast<std::int32_t>(v) == v ? v : (v < 0 ? -0x80000000ll : 0x7fffffffll),
                 least(most(u, ulo), uhi),
                 most(least(u, 0xffffffff00000000), 0xffffffff),
                 most(least(v, 0x100000000), lo),
                 least((v - lo) & all, uhi)};
    for (int k = 0; k < 8; ++k)
      o[k] = static_cast<std::int64_t>(r[k]);
  }
}
