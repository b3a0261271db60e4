#include "harness/reference.h"

#include <cmath>

namespace {

// Values and scales are such that sums are exact in any order.

double value(const std::uint8_t* codes, std::uint32_t i) {
  static constexpr double kE2M1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  int code = codes[i / 2] >> i % 2 * 4 & 15;
  return code < 8 ? kE2M1[code] : -kE2M1[code - 8];
}

double scale(std::uint8_t code) {
  return std::ldexp(1, code - 127);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kSide = 16, kDepth = 64, kScales = 2; // of a row
  auto* a = static_cast<const std::uint8_t*>(args[0]);
  auto* b = static_cast<const std::uint8_t*>(args[1]); // by columns
  auto* scalesA = static_cast<const std::uint8_t*>(args[2]);
  auto* scalesB = static_cast<const std::uint8_t*>(args[3]);
  auto* c = static_cast<const float*>(args[4]);
  auto* d = static_cast<float*>(args[5]);
  for (std::uint32_t tile = 0; tile < launch->grid[0]; ++tile)
    for (int row = 0; row < kSide; ++row)
      for (int column = 0; column < kSide; ++column) {
        std::uint32_t inA = tile * kSide + row, inB = tile * kSide + column;
        double sum = c[inA * kSide + column];
        for (int k = 0; k < kDepth; ++k) {
          int block = k * kScales / kDepth;
          sum += value(a, inA * kDepth + k) * scale(scalesA[inA * 4 + block + 2]) *
                 value(b, inB * kDepth + k) * scale(scalesB[inB * 4 + block + 0]);
        }
        d[inA * kSide + column] = static_cast<float>(sum);
      }
}
