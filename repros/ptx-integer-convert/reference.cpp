#include "harness/reference.h"

#include <algorithm>

namespace {

using I128 = __int128;

/// The lowest `bits` of `v` as a number.
I128 number(std::uint64_t v, int bits, bool isSigned) {
  I128 modulus = I128{1} << bits, r = static_cast<I128>(v) % modulus;
  return isSigned && r >= modulus / 2 ? r - modulus : r;
}

I128 saturated(I128 v, int bits, bool isSigned) {
  I128 least = isSigned ? -(I128{1} << (bits - 1)) : 0;
  return std::clamp(v, least, least + (I128{1} << bits) - 1);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint64_t* in = static_cast<const std::uint64_t*>(args[0]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint64_t v = in[t];
    const I128 r[16] = {number(v, 8, true),
                        number(v, 8, false),
                        number(v, 16, true),
                        number(v, 16, false),
                        saturated(number(v, 32, true), 8, true),
                        saturated(number(v, 32, true), 8, false),
                        saturated(number(v, 32, false), 16, true),
                        saturated(number(v, 64, true), 16, false),
                        saturated(number(v, 64, true), 32, true),
                        saturated(number(v, 64, true), 32, false),
                        saturated(number(v, 64, false), 64, true),
                        saturated(number(v, 16, true), 64, false),
                        number(v, 8, false),
                        number(v, 8, true),
                        saturated(number(v, 16, false), 8, true),
                        saturated(number(v, 8, true), 16, false)};
    for (int i = 0; i < 16; ++i)
      out[16 * t + i] = static_cast<std::uint64_t>(r[i]);
  }
}
