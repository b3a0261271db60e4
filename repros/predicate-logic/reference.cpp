#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* z = static_cast<const std::int32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 3;
    std::int32_t a = x[i], b = y[i], c = z[i];
    std::uint32_t ua = static_cast<std::uint32_t>(a), uc = static_cast<std::uint32_t>(c),
                  ub = static_cast<std::uint32_t>(b);
    bool p = a < b, q = p && ua >= uc, s = p && ua < uc, t = (b != c) != q, u = (b == c) != q,
         v = a == 0 || !s;
    bool p1 = p && u, s1 = s || v, t1 = t != s1;
    o[0] = p1 + q * 2 + s1 * 4 + t1 * 8 + !t1 * 16 + v * 32;
    bool below = ub < uc, odd = uc % 2 == 1, above = a > c, seven = b == 7;
    int ones = p + below + odd + above + seven;
    o[1] =
        (p > below) + ((odd != above && (seven || !p)) ? 2 : 0) + ones % 2 * 4 + (p + below + odd >= 2) * 8;
    if (p && (below || odd))
      o[2] = above ? 1 : 2;
    else
      o[2] = seven ? 3 : (a < 0) != (b < 0) ? 4 : 5;
  }
}
