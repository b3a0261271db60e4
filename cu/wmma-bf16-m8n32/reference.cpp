#include "harness/reference.h"

#include <cstring>

namespace {

float value(std::uint16_t upper) {
  std::uint32_t bits = std::uint32_t{upper} << 16;
  float result = 0;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kRows = 8, kColumns = 32, kDepth = 16;
  auto* a = static_cast<const std::uint16_t*>(args[0]);
  auto* b = static_cast<const std::uint16_t*>(args[1]);
  auto* c = static_cast<const float*>(args[2]);
  auto* d = static_cast<float*>(args[3]);
  for (std::uint32_t tile = 0; tile < launch->grid[0]; ++tile)
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column) {
        std::uint32_t at = tile * kRows * kColumns + column * kRows + row;
        float sum = c[at];
        for (int k = 0; k < kDepth; ++k)
          sum += value(a[tile * kRows * kDepth + row * kDepth + k]) *
                 value(b[tile * kDepth * kColumns + k * kColumns + column]);
        d[at] = sum;
      }
}
