#include "harness/reference.h"

namespace {

using u64 = std::uint64_t;

/// The low `length` bits of a in place of b's from `position` on, as far as there are any.
u64 inserted(u64 a, u64 b, int width, int position, int length) {
  u64 r = 0;
  for (int i = 0; i < width; ++i)
    r |= (i < position || i >= position + length ? b >> i & 1 : a >> (i - position) & 1) << i;
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const u64*>(args[2]);
  auto* out = static_cast<u64*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u64 a = x[i], b = y[i], c = z[i];
    u64 r[12] = {
        inserted(a, b, 32, 4, 64),
        inserted(a, b, 32, 4, 32),
        inserted(32766, b, 32, 4, 33),
        a,
        inserted(a, b, 32, 31, 40),
        b,
        b,
        b,
        inserted(c, a, 64, 4, 255),
        b,
        inserted(c, b, 64, 33, 32),
        inserted(a, b, 32, 16, 48),
    };
    for (int k = 0; k < 12; ++k)
      out[i * 12 + static_cast<std::uint32_t>(k)] = r[k];
  }
}
