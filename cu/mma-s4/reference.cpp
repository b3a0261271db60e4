#include "harness/reference.h"

namespace {

/// Element `k` of a row that begins at byte `from`.
int value(const std::uint8_t* from, int k) {
  int nibble = from[k / 2] >> k % 2 * 4 & 15;
  return nibble < 8 ? nibble : nibble - 16;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  constexpr int kSide = 16, kDepth = 64;
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
          sum += static_cast<std::uint32_t>(value(a + inA / 2, k) * value(b + inB / 2, k));
        d[at] = static_cast<std::int32_t>(sum);
      }
}
