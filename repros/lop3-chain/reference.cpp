#include "harness/reference.h"

namespace {

std::uint32_t logic(int table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t r = 0;
  for (int k = 0; k < 32; ++k)
    r |= std::uint32_t(table >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* w = static_cast<const std::uint32_t*>(args[3]);
  auto* out = static_cast<std::uint32_t*>(args[4]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 6;
    std::uint32_t a = x[i], b = y[i], c = z[i], d = w[i], r = a;
    const int tables[10] = {0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b, 0x6a, 0x3c, 0x57, 0xd8};
    for (int k = 0; k < 10; ++k) {
      std::uint32_t in[5][3] = {{r, b, c}, {c, r, d}, {d, a, r}, {r, r, b}, {b, c, r}};
      r = logic(tables[k], in[k % 5][0], in[k % 5][1], in[k % 5][2]);
    }
    o[0] = r;
    o[1] = o[2] = o[4] = 0;
    std::uint32_t majority = 0, gated = 0;
    for (int k = 0; k < 32; ++k) {
      bool p = a >> k & 1, q = b >> k & 1, s = c >> k & 1, t = d >> k & 1, low = 0xff00ffu >> k & 1,
           quarter = 0x0f0f0f0fu >> k & 1;
      int sum = p + q + s;
      o[1] |= std::uint32_t((p && q) + (s || !t) + (p && !s) + (q || t)) % 2 << k;
      o[2] |= std::uint32_t((sum + t) % 2 == 0 && (p || q) != (s && t)) << k;
      o[4] |= std::uint32_t((p && low) || (q && !low && s) || (!s && t && quarter)) << k;
      majority |= std::uint32_t(sum >= 2) << k;
      gated |= std::uint32_t(p != q && !s && t) << k;
    }
    o[3] = majority - gated;
    o[5] = logic(0x1b, a, 0, c) + logic(0xe2, b, b, 0xffffffff) + logic(0x4d, c, a, a);
  }
}
