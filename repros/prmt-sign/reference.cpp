#include "harness/reference.h"

namespace {

std::uint32_t pick(std::uint32_t a, std::uint32_t b, int selector) {
  std::uint64_t both = a | std::uint64_t{b} << 32, r = 0;
  for (int k = 3; k >= 0; --k) {
    int nibble = selector >> (4 * k) & 15;
    std::uint64_t byte = both >> (8 * (nibble & 7)) & 0xff;
    r = r * 256 + (nibble & 8 ? byte / 128 * 255 : byte);
  }
  return static_cast<std::uint32_t>(r);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 12;
    std::uint32_t a = x[i], b = y[i];
    const int selectors[8] = {0x8880, 0x9991, 0xbb32, 0x3b2a, 0xc4d5, 0xf7e6, 0xb4f, 0x8765};
    for (int k = 0; k < 8; ++k)
      o[k] = pick(a, b, selectors[k]);
    std::int32_t a0 = static_cast<std::int8_t>(a), b1 = static_cast<std::int8_t>(b >> 8),
                 b3 = static_cast<std::int8_t>(b >> 24);
    o[8] = a0 < 0 ? 0xffffffff : a0 / 128;
    o[9] = static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> 24) + b1 * 3);
    o[10] = static_cast<std::uint32_t>(a0 & 0xffff) + static_cast<std::uint32_t>(b3) * 65536;
    o[11] = pick(pick(a, 0, 0x0123), 0, 0x9180) ^ pick(b, 0, 0x0123);
  }
}
