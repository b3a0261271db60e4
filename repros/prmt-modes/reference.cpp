#include "harness/reference.h"

namespace {

/// Bytes of the result, lowest first: 0-3 of `a`, 4-7 of `b`, + 8 for eight copies of the byte's sign.
std::uint32_t pick(std::uint32_t a, std::uint32_t b, int n0, int n1, int n2, int n3) {
  std::uint32_t r = 0;
  const int from[4] = {n0, n1, n2, n3};
  for (int k = 0; k < 4; ++k) {
    int index = from[k] & 7;
    std::uint32_t byte = ((index < 4 ? a : b) >> (8 * (index % 4))) & 0xff;
    if (from[k] & 8) byte = byte < 128 ? 0 : 0xff;
    r |= byte << (8 * k);
  }
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* s = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 8;
    std::uint32_t a = x[i], b = y[i], c = s[i];
    int n = c & 3;
    o[0] = pick(a, b, c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15);
    o[1] = pick(a, b, n, n + 1, n + 2, n + 3);
    o[2] = pick(a, b, n, (n + 7) % 8, (n + 6) % 8, (n + 5) % 8);
    o[3] = pick(a, b, n, n, n, n);
    o[4] = pick(a, b, n, n > 1 ? n : 1, n > 2 ? n : 2, 3);
    o[5] = pick(a, b, 0, n < 1 ? n : 1, n < 2 ? n : 2, n);
    o[6] = pick(a, b, n % 2 * 2, n % 2 * 2 + 1, n % 2 * 2, n % 2 * 2 + 1);
    o[7] = pick(a + b, b, c & 7, c >> 4 & 7, c >> 8 & 7, c >> 12 & 7) - ((a & 0xff) | (a & 0xff00) << 8);
  }
}
