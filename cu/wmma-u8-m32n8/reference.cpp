#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kRows = 32, kColumns = 8, kDepth = 16;
  auto* a = static_cast<const std::uint8_t*>(args[0]);
  auto* b = static_cast<const std::uint8_t*>(args[1]);
  auto* c = static_cast<const std::int32_t*>(args[2]);
  auto* d = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t tile = 0; tile < launch->grid[0]; ++tile)
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column) {
        std::uint32_t at = tile * kRows * kColumns + column * kRows + row;
        std::uint32_t sum = static_cast<std::uint32_t>(c[at]);
        for (int k = 0; k < kDepth; ++k)
          sum += static_cast<std::uint32_t>(a[tile * kRows * kDepth + k * kRows + row] *
                                            b[tile * kDepth * kColumns + column * kDepth + k]);
        d[at] = static_cast<std::int32_t>(sum);
      }
}
