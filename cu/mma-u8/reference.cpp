#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kSide = 16, kDepth = 32;
  auto* a = static_cast<const std::uint8_t*>(args[0]);
  auto* b = static_cast<const std::uint8_t*>(args[1]); // by columns
  auto* c = static_cast<const std::int32_t*>(args[2]);
  auto* d = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t tile = 0; tile < launch->grid[0]; ++tile)
    for (int row = 0; row < kSide; ++row)
      for (int column = 0; column < kSide; ++column) {
        std::uint32_t at = (tile * kSide + row) * kSide + column;
        std::uint32_t inA = (tile * kSide + row) * kDepth, inB = (tile * kSide + column) * kDepth;
        std::uint32_t sum = static_cast<std::uint32_t>(c[at]);
        for (int k = 0; k < kDepth; ++k)
          sum += static_cast<std::uint32_t>(a[inA + k] * b[inB + k]);
        d[at] = static_cast<std::int32_t>(sum);
      }
}
