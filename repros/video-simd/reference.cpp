#include "harness/reference.h"

namespace {

int clamp(int v, int least, int most) {
  return v < least ? least : v > most ? most : v;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 9;
    std::uint32_t a = x[i], b = i % 2 ? y[i] : z[i], c = y[i] ^ z[i], sum4 = 0, sum2 = 0, less = 0, far = 0,
                  larger = 0;
    for (int k = 0; k < 7; ++k)
      o[k] = 0;
    for (int k = 0; k < 32; k += 8) {
      int p = a >> k & 0xff, q = b >> k & 0xff, s = c >> k & 0xff, sp = static_cast<std::int8_t>(p),
          sq = static_cast<std::int8_t>(q);
      std::uint32_t difference = p > q ? p - q : q - p;
      o[0] |= difference << k;
      sum4 += difference;
      o[3] |= static_cast<std::uint32_t>(clamp(sp + sq, -128, 127) & 0xff) << k;
      o[5] |= static_cast<std::uint32_t>((sp > sq ? sp : sq) & 0xff) << k;
      less += p < q;
      far += p > s ? p - s : s - p;
    }
    for (int k = 0; k < 32; k += 16) {
      int p = a >> k & 0xffff, q = b >> k & 0xffff, s = static_cast<std::int16_t>(c >> k);
      int sp = static_cast<std::int16_t>(p), sq = static_cast<std::int16_t>(q);
      sum2 += sp > sq ? sp - sq : sq - sp;
      o[4] |= static_cast<std::uint32_t>(clamp(p - q, 0, 65535)) << k;
      o[6] |= static_cast<std::uint32_t>(p < q ? p : q) << k;
      larger |= static_cast<std::uint32_t>((sq > s ? sq : s) & 0xffff) << k;
    }
    o[1] = sum4 + c;
    o[2] = sum2 + c;
    o[7] = less + c;
    o[8] = o[0] + far + larger;
  }
}
