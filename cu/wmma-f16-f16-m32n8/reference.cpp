#include "harness/reference.h"

#include <cmath>

namespace {

// The values are small integers, so sums are exact in any order and results are normal.

double value(std::uint16_t half) {
  double magnitude = half & 0x7fff ? std::ldexp(1024 + (half & 1023), (half >> 10 & 31) - 25) : 0;
  return half & 0x8000 ? -magnitude : magnitude;
}

std::uint16_t toHalf(double integer) {
  if (integer == 0) return 0;
  int exponent = 0;
  double fraction = std::frexp(std::fabs(integer), &exponent);
  return static_cast<std::uint16_t>((integer < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
                                    (static_cast<int>(fraction * 2048) - 1024));
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kRows = 32, kColumns = 8, kDepth = 16;
  auto* a = static_cast<const std::uint16_t*>(args[0]);
  auto* b = static_cast<const std::uint16_t*>(args[1]);
  auto* c = static_cast<const std::uint16_t*>(args[2]);
  auto* d = static_cast<std::uint16_t*>(args[3]);
  for (std::uint32_t tile = 0; tile < launch->grid[0]; ++tile)
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column) {
        std::uint32_t at = tile * kRows * kColumns + column * kRows + row;
        double sum = value(c[at]);
        for (int k = 0; k < kDepth; ++k)
          sum += value(a[tile * kRows * kDepth + k * kRows + row]) *
                 value(b[tile * kDepth * kColumns + k * kColumns + column]);
        d[at] = toHalf(sum);
      }
}
