#include "harness/reference.h"

namespace {

template <typename Half> std::uint32_t halves(std::uint32_t a, std::uint32_t b, bool larger) {
  std::uint32_t r = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    Half x = static_cast<Half>(a >> shift), y = static_cast<Half>(b >> shift);
    r |= static_cast<std::uint32_t>(static_cast<std::uint16_t>((x > y) == larger ? x : y)) << shift;
  }
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 7;
    std::uint32_t a = i % 2 ? x[i] : z[i], b = y[i], c = z[i / 2];
    o[0] = halves<std::int16_t>(a, b, false);
    o[1] = halves<std::uint16_t>(a, b, true);
    o[2] = halves<std::int16_t>(halves<std::int16_t>(a, 0x0000ff80, true), 0x00ff007f, false);
    o[3] = halves<std::int16_t>(halves<std::int16_t>(a, b, false), c, true);
    o[4] = halves<std::uint16_t>(halves<std::uint16_t>(a, c, true), b, false);
    o[5] = halves<std::uint16_t>(a, 0x01000100, false) + halves<std::int16_t>(b, c, true);
    o[6] = halves<std::int16_t>(a, b, true) - halves<std::int16_t>(a, b, false);
  }
}
