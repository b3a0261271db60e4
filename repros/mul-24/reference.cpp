#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 10;
    std::uint32_t c = y[i], sz = z[i];
    std::int64_t a = (x[i] ^ (sz << 24)) % 0x1000000, b = (i & 128 ? sz : c) % 0x1000000,
                 sc = static_cast<std::int32_t>(c);
    std::int64_t sa = a >= 0x800000 ? a - 0x1000000 : a, sb = b >= 0x800000 ? b - 0x1000000 : b;
    std::int64_t product = a * b, sProduct = sa * sb, high = product / 65536,
                 sHigh = (sProduct - (sProduct & 65535)) / 65536;
    std::int64_t sum = sHigh + sc, low = -0x80000000ll, most = 0x7fffffff;
    std::int64_t r[10] = {product,
                          high,
                          sProduct,
                          sHigh,
                          product + c,
                          high + c,
                          sProduct + sc,
                          sum,
                          sum < low    ? low
                          : sum > most ? most
                                       : sum,
                          product * 3 + sProduct};
    for (int k = 0; k < 10; ++k)
      o[k] = static_cast<std::uint32_t>(r[k]);
  }
}
