#include "harness/reference.h"

#include <cmath>

namespace {

double value(std::uint8_t code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  double magnitude = exponent ? std::ldexp(8 + mantissa, exponent - 10) : std::ldexp(mantissa, -9);
  return code & 0x80 ? -magnitude : magnitude;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kSide = 16, kDepth = 32;
  auto* a = static_cast<const std::uint8_t*>(args[0]);
  auto* b = static_cast<const std::uint8_t*>(args[1]); // by columns
  auto* c = static_cast<const float*>(args[2]);
  auto* d = static_cast<float*>(args[3]);
  for (std::uint32_t tile = 0; tile < launch->grid[0]; ++tile)
    for (int row = 0; row < kSide; ++row)
      for (int column = 0; column < kSide; ++column) {
        std::uint32_t at = (tile * kSide + row) * kSide + column;
        std::uint32_t inA = (tile * kSide + row) * kDepth, inB = (tile * kSide + column) * kDepth;
        double sum = c[at];
        for (int k = 0; k < kDepth; ++k)
          sum += value(a[inA + k]) * value(b[inB + k]);
        d[at] = static_cast<float>(sum);
      }
}
