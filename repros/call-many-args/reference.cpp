#include "harness/reference.h"

namespace {

using Wide = std::uint64_t;

/// The low `bits` of `value`, sign-extended to 64 bits.
Wide extend(Wide value, int bits) {
  Wide top = Wide{1} << (bits - 1);
  return ((value & (top * 2 - 1)) ^ top) - top;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const Wide* in = static_cast<const Wide*>(args[0]);
  Wide* out = static_cast<Wide*>(args[1]);
  for (Wide t = 0; t < launch->block[0]; ++t) {
    Wide x = in[t], y = x * 0x9e3779b97f4a7c15, steps = t;
    for (Wide rest = x;; rest /= 2) {
      steps += rest % 4;
      if (rest < 2) break;
    }
    Wide a = extend(x, 8), b = x >> 8 & 0xff, c = extend(x >> 16, 16), d = x >> 32 & 0xffff;
    Wide r = a + b + c + d + extend(x, 32) + (x >> 32) + y - x + ((x & 16) != 0 ? t : t + 1) + t * t;
    Wide half = extend(c ^ a, 16), byte = (d + b) & 0xff;
    Wide a2 = extend(half, 8), c2 = extend(r, 16), d2 = steps & 0xffff;
    Wide negative = half >> 63;
    out[3 * t] = r ^ y;
    out[3 * t + 1] = a2 + byte + c2 + d2 + steps + (r & 0xffffffff) + x - y + (negative != 0 ? 1 : 2) + 3;
    out[3 * t + 2] = ((c2 ^ a2) & 0xffff) + ((d2 + byte) & 0xff) * 65536 + (steps << 32);
  }
}
