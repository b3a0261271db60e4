#include "harness/reference.h"

namespace {

using u32 = std::uint32_t;

/// The first equal pair of bytes, counted from one; 0 if there is none.
u32 firstEqual(u32 v, u32 w, u32 bytes) {
  for (u32 pair = 0; pair < bytes * 4; ++pair)
    if ((v >> (pair / 4 * 8) & 0xff) == (w >> (pair % 4 * 8) & 0xff)) return pair + 1;
  return 0;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const u32*>(args[0]);
  auto* y = static_cast<const u32*>(args[1]);
  auto* n = static_cast<const u32*>(args[2]);
  auto* out = static_cast<u32*>(args[3]);
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u32* o = out + i * 8;
    u32 v = x[i], w = y[i], outer = static_cast<u32>(static_cast<std::uint64_t>(v) * 5 >> 32),
        inner = w / 0x40000000;
    u32 a = 1, b = v, c = w, last = 0xbad, k = 0;
    while (k < outer) {
      u32 j = 0;
      while (j < inner) {
        a = 3 * a + j;
        last = 16 * k + j++;
      }
      if (inner == 0)
        inner = k % 2;
      else
        --inner;
      b -= a;
      ++k;
    }
    std::int64_t left = static_cast<std::int32_t>(n[i]);
    u32 turns = 0;
    for (bool more = true; more; more = left > 0) {
      for (std::int64_t j = left; j > 3; j -= 2)
        c ^= (c << 5) | static_cast<u32>(j);
      ++turns;
      left -= 7;
    }
    u32 sum = 0;
    for (k = inner; k < outer; ++k) {
      sum += k;
      if (sum & 8) break;
    }
    u32 r[8] = {a, b, last, inner, c, turns, sum, firstEqual(v, w, outer % 4)};
    for (int q = 0; q < 8; ++q)
      o[q] = r[q];
  }
}
