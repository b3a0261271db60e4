#include "harness/reference.h"

namespace {

/// Column by column.
void multiply(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out) {
  unsigned __int128 sum = 0;
  for (int column = 0; column < 16; ++column) {
    for (int i = 0; i < 8; ++i)
      if (column - i >= 0 && column - i < 8) sum += static_cast<std::uint64_t>(a[i]) * b[column - i];
    out[column] = static_cast<std::uint32_t>(sum);
    sum >>= 32;
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* a = static_cast<const std::uint32_t*>(args[0]);
  auto* b = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    multiply(a + 8 * t, b + 8 * t, out + 32 * t);
    multiply(a + 8 * t, a + 8 * t, out + 32 * t + 16);
  }
}
