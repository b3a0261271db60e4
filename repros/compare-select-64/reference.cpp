#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 8;
    using Wide = __int128;
    Wide a = x[i], b = y[i], c = z[i], s = static_cast<std::int64_t>(x[i]),
         t = static_cast<std::int64_t>(y[i]), u = static_cast<std::int64_t>(z[i]);
    Wide less = a - b, sLess = s - t;
    o[0] = (less < 0) + (less <= 0) * 2 + (less == 0) * 4 + (sLess < 0) * 8 + (sLess <= 0) * 16 +
           (s > 0) * 32 + (s > -2) * 64 + (a / 0x100000000 > 0) * 128;
    o[1] = static_cast<std::uint64_t>(less < 0 ? c : less);
    o[2] = static_cast<std::uint64_t>((sLess > 0) - (sLess < 0));
    o[3] = static_cast<std::uint64_t>(sLess > 0 ? a : s == u ? -b - 1 : c);
    o[4] = less < 0;
    o[5] = static_cast<std::uint64_t>(less < 0 && t - u >= 0 ? a : c);
    o[6] = static_cast<std::uint64_t>(u >= 0 ? a : b);
    o[7] = (x[i] ^ z[i]) - y[i] ? 0xffffffff : 0;
  }
}
