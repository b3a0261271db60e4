#include "harness/reference.h"

#include <bit>

namespace {

struct Pcg {
  std::uint64_t state, increment;

  std::uint32_t operator()() {
    std::uint64_t old = state;
    state = 0x5851f42d4c957f2d * state + increment;
    return std::rotr(static_cast<std::uint32_t>((old ^ old >> 18) >> 27), static_cast<int>(old >> 59));
  }
};

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* seeds = static_cast<const std::uint64_t*>(args[0]);
  auto* streams = static_cast<const std::uint64_t*>(args[1]);
  auto* bounds = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    Pcg pcg{0, streams[t] * 2 + 1};
    pcg();
    pcg.state += seeds[t];
    pcg();
    for (std::uint32_t i = 0; i < 37 * t; ++i)
      pcg();
    for (int i = 0; i < 3; ++i)
      out[6 * t + i] = pcg();
    for (int i = 3; i < 6; ++i) {
      std::uint64_t word = pcg(); // words below 2^32 mod bound are drawn again
      while (word < (std::uint64_t{1} << 32) % bounds[t])
        word = pcg();
      out[6 * t + i] = static_cast<std::uint32_t>(word % bounds[t]);
    }
  }
}
