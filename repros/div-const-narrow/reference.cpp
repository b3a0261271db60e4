#include "harness/reference.h"

namespace {

int floored(int v, int d) {
  int quotient = 0;
  for (; v >= d; v -= d)
    ++quotient;
  return quotient;
}
int toZero(int v, int d) {
  return v < 0 ? -floored(-v, d) : floored(v, d);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* y = static_cast<const std::uint16_t*>(args[1]);
  auto* out = static_cast<std::uint16_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint16_t* o = out + i * 14;
    int v = i < 128 ? x[i] : y[i], s = v > 32767 ? v - 65536 : v, b = v % 256, high = v / 256,
        c = high > 127 ? high - 256 : high;
    int r[14] = {floored(v, 3),
                 v - 1000 * floored(v, 1000),
                 v == 65535,
                 toZero(s, 7),
                 s - 10 * toZero(s, 10),
                 toZero(s, 256),
                 floored(b, 10),
                 b - 7 * floored(b, 7),
                 toZero(c, 3),
                 c - 4 * toZero(c, 4),
                 c == -128,
                 floored(v, 641),
                 s - 999 * toZero(s, 999),
                 -toZero(s, 7)};
    for (int k = 0; k < 14; ++k)
      o[k] = static_cast<std::uint16_t>(r[k]);
  }
}
