#include "harness/reference.h"

namespace {

std::uint64_t times(std::uint64_t v, std::uint64_t c) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(v) * c % 0xffffffff00000001);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 2;
    std::uint64_t v = x[i], w = y[i];
    for (std::uint32_t round = 0; round < 8; ++round) {
      v = times(v, 7);
      w = times(w, 0xffffffff);
      v = times(v, 0x80000001 + round);
      w ^= v & 0xffff;
    }
    o[0] = v;
    o[1] = w;
  }
}
