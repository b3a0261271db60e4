#include "harness/reference.h"

namespace {

std::uint64_t turned(std::uint64_t v, int width, int left) {
  std::uint64_t r = 0;
  for (int k = 0; k < width; ++k)
    r |= (v >> k & 1) << (k + left) % width;
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* n = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 8;
    std::uint64_t v = x[i] ^ y[i], w = y[i], a = v & 0xffffffff, b = w & 0xffffffff;
    int s = n[i] % 64, t = s % 32;
    unsigned __int128 twice = static_cast<unsigned __int128>(v) << 64 | v,
                      both = static_cast<unsigned __int128>(w) << 64 | v;
    o[0] = static_cast<std::uint64_t>(twice >> (64 - s));
    o[1] = s ? static_cast<std::uint64_t>(both >> s) : v | w;
    o[2] = turned(a, 32, t);
    o[3] = t ? turned(a, 32, t) : static_cast<std::uint32_t>(2 * a);
    o[4] = static_cast<std::uint32_t>((a << t) - (t ? b >> (32 - t) : b));
    o[5] = turned(v & 0xffff, 16, s % 16);
    o[6] = turned(w & 0xff, 8, 8 - s % 8);
    std::int64_t sign = static_cast<std::int32_t>(a);
    o[7] = static_cast<std::uint32_t>((sign >> t) | static_cast<std::int64_t>(t ? a << (32 - t) : a));
  }
}
