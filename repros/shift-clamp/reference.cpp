#include "harness/reference.h"

namespace {

/// One place at a time.
std::uint64_t shift(std::uint64_t v, int width, std::uint32_t amount, bool left, bool sign) {
  std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : 0xffffffff, top = mask ^ (mask >> 1);
  for (std::uint32_t k = 0; k < amount && k < 64; ++k)
    v = left ? (v * 2) & mask : ((v & mask) / 2) | (sign ? v & top : 0);
  return v & mask;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* n = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 7;
    std::uint64_t a = x[i], b = y[i];
    std::uint32_t s = n[i] % 257 == 256 ? 0xffffffff : n[i] % 257, low = static_cast<std::uint32_t>(b);
    o[0] = shift(a, 64, s, true, false) + b;
    o[1] = b - shift(a, 64, s, false, false);
    o[2] = shift(a, 64, s, false, true) - b;
    o[3] = shift(a + b, 64, s + 32, false, true);
    o[4] = static_cast<std::uint32_t>(shift(a, 32, s, true, false) + low);
    o[5] = shift(a & 0xffffffff, 32, s, false, false);
    o[6] = static_cast<std::uint32_t>(low - shift(a >> 32, 32, s, false, true));
  }
}
