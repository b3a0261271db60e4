#include "harness/reference.h"

namespace {

using U128 = unsigned __int128;

/// Schoolbook multiplication in base 2^32.
void multiply(const std::uint32_t (&a)[4], const std::uint32_t (&b)[4], std::uint64_t* product) {
  std::uint32_t digits[8] = {};
  for (int i = 0; i < 4; ++i) {
    std::uint64_t carry = 0;
    for (int k = 0; k < 4; ++k) {
      carry += digits[i + k] + std::uint64_t{a[i]} * b[k];
      digits[i + k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    digits[i + 4] = static_cast<std::uint32_t>(carry);
  }
  for (int i = 0; i < 4; ++i)
    product[i] = digits[2 * i] | std::uint64_t{digits[2 * i + 1]} << 32;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint64_t* x = static_cast<const std::uint64_t*>(args[0]);
  const std::uint64_t* y = static_cast<const std::uint64_t*>(args[1]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, x += 2, y += 2, out += 8) {
    std::uint32_t a[4], b[4];
    for (int i = 0; i < 4; ++i) {
      a[i] = static_cast<std::uint32_t>(x[i / 2] >> i % 2 * 32);
      b[i] = static_cast<std::uint32_t>(y[i / 2] >> i % 2 * 32);
    }
    multiply(a, b, out);
    U128 first = U128{x[1]} << 64 | x[0], second = U128{y[1]} << 64 | y[0], difference = first - second;
    out[4] = static_cast<std::uint64_t>(difference);
    out[5] = static_cast<std::uint64_t>(difference >> 64);
    out[6] = first < second ? ~std::uint64_t{0} : 0;
    // p * q + p, where p is added as an unsigned word; x[1] counts for the upper word; q and -2^32 follow.
    __int128 sum = __int128{static_cast<std::int32_t>(a[0])} * static_cast<std::int32_t>(b[0]) + a[0] + b[0];
    sum += (__int128{a[2]} - 1) * (__int128{1} << 32);
    out[7] = static_cast<std::uint64_t>(sum);
  }
}
