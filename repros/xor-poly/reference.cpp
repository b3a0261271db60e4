#include "harness/reference.h"

namespace {

/// v * X^turns modulo X^width + polynomial, over bits.
std::uint64_t times(std::uint64_t v, int turns, std::uint64_t polynomial, int width) {
  unsigned __int128 r = v, modulus = (static_cast<unsigned __int128>(1) << width) | polynomial;
  for (; turns > 0; --turns) {
    r *= 2;
    if (r >> width & 1) r ^= modulus;
  }
  return static_cast<std::uint64_t>(r);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int64_t*>(args[0]);
  auto* n = static_cast<const std::int32_t*>(args[1]);
  auto* out = static_cast<std::int64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int64_t* o = out + i * 5;
    std::uint64_t v = static_cast<std::uint64_t>(x[i]);
    int turns = n[i] % 200 + 1;
    o[0] = static_cast<std::int64_t>(times(v, turns, 7, 64));
    o[1] = static_cast<std::int64_t>(times(v, turns, 1, 64));
    o[2] = static_cast<std::int64_t>(times(v, turns, 0x42f0e1eba9ea3693, 64));
    o[3] = static_cast<std::int32_t>(times(v & 0xffffffff, turns, 15, 32));
    o[4] = static_cast<std::int64_t>(times(v, 1, 7, 64));
  }
}
