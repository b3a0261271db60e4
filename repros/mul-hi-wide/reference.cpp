#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 10;
    using Wide = __int128;
    Wide a = x[i], b = y[i], c = z[i], sa = static_cast<std::int32_t>(x[i]),
         sb = static_cast<std::int32_t>(y[i]);
    Wide high = static_cast<std::int32_t>(z[i] >> 32), low = z[i] % 0x100000000, sum = (sa * sb >> 32) + high;
    Wide least = -0x80000000ll, most = 0x7fffffff, word = 0xffffffff;
    Wide r[10] = {((a * b >> 32) + low) & word,
                  ((sa * sb >> 32) + low) & word,
                  a * b + c,
                  sa * sb + c,
                  c - a * b,
                  sa * sb - c,
                  sa * b,
                  ((a * b >> 32) + ((a * b & word) > low)) & word,
                  (sum < least  ? least
                   : sum > most ? most
                                : sum) &
                      word,
                  a * 0xfffffffb + sb * -5};
    for (int k = 0; k < 10; ++k)
      o[k] = static_cast<std::uint64_t>(r[k]);
  }
}
