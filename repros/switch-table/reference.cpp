#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 2;
    std::uint32_t n = x[i] % 23 - (x[i] / 64 % 2 ? 2 : 0), a = y[i], b = z[i], r = a;
    o[1] = n == 1 ? 10 : n == 3 ? a : n >= 5 && n <= 7 ? 70 : n == 12 ? b : n == 15 ? 150 : 1;
    std::uint32_t reversed = 0, ones = 0, zeros = 32;
    for (int k = 0; k < 32; ++k) {
      reversed |= (a >> k & 1) << (31 - k);
      ones += a >> k & 1;
      if (a >> k & 1) zeros = 31 - k;
    }
    std::int64_t sa = static_cast<std::int32_t>(a);
    if (n == 0)
      r = a + b;
    else if (n == 1)
      r = reversed ^ (b * 3);
    else if (n == 2)
      r = a ^ (b * 3);
    else if (n == 3)
      r = b / 10;
    else if (n == 4)
      r = a < b ? b : a;
    else if (n == 5)
      r = ones * ones + b - 77;
    else if (n == 6)
      r = a * a + b - 77;
    else if (n == 7)
      r = a - 77;
    else if (n == 8)
      r = static_cast<std::uint32_t>(std::uint64_t{a} << b % 32);
    else if (n == 9)
      r = static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
    else if (n == 10)
      for (std::uint32_t k = b % 8; k > 0; --k)
        r = 5 * r + k;
    else if (n == 11)
      r = b - (a & b);
    else if (n == 12)
      r = static_cast<std::uint32_t>(sa >> b % 32);
    else if (n == 14)
      r = zeros + 32;
    else if (n != 15)
      r = n;
    if (n != 15) o[0] = r;
  }
}
