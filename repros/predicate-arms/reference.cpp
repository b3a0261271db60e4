#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* z = static_cast<const std::int32_t*>(args[2]);
  auto* out = static_cast<std::int32_t*>(args[3]);
  auto wrap = [](std::int64_t v) { return static_cast<std::int32_t>(v); };
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t a = x[i], b = y[i], c = z[i], *o = out + i * 6;
    bool p = a<b, q = b> c && p, s = b <= c && p;
    if (p) {
      p = !q;
      if (!p) s = b >= 0;
      if (s) q = !p;
    } else {
      p = a == b || q;
      if (q) q = static_cast<std::uint32_t>(c) < 16;
      s = !s;
    }
    std::int32_t first = p ? a : b, second = q ? b : c, third = s ? c : a;
    first = p ? wrap(std::int64_t{first} + 1) : wrap(std::int64_t{first} - second);
    bool differ = first != third, old = q;
    p = differ != old;
    q = !differ != old;
    std::int32_t fourth = p ? second : q ? first : 5;
    if (!q) fourth = wrap(-std::int64_t{fourth});
    p = p && s;
    if (p) {
      s = q;
      q = false;
    } else {
      p = q;
      q = s;
    }
    o[0] = first;
    o[1] = second;
    o[2] = third;
    o[3] = fourth;
    o[4] = (p ? 1 : 0) + (q ? 2 : 0) + (s ? 4 : 0);
    o[5] = fourth < first && p ? -1 : 0;
  }
}
