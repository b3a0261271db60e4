#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* counters = static_cast<const std::uint32_t*>(args[0]);
  auto* keys = static_cast<const std::uint32_t*>(args[1]);
  auto* words = static_cast<std::uint32_t*>(args[2]);
  auto* floats = static_cast<float*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    unsigned __int128 counter = 0;
    for (int i = 3; i >= 0; --i)
      counter = counter << 32 | counters[4 * t + i];
    counter += t;
    std::uint32_t c[4];
    for (int i = 0; i < 4; ++i)
      c[i] = static_cast<std::uint32_t>(counter >> 32 * i);
    for (std::uint32_t round = 0; round < 10; ++round) {
      std::uint64_t first = std::uint64_t{0xd2511f53} * c[0], second = std::uint64_t{0xcd9e8d57} * c[2];
      std::uint32_t key0 = keys[2 * t] + round * 0x9e3779b9, key1 = keys[2 * t + 1] + round * 0xbb67ae85;
      std::uint32_t next[4] = {
          static_cast<std::uint32_t>(second >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(second),
          static_cast<std::uint32_t>(first >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(first)};
      for (int i = 0; i < 4; ++i)
        c[i] = next[i];
    }
    for (int i = 0; i < 4; ++i) {
      words[4 * t + i] = c[i];
      floats[4 * t + i] = static_cast<float>((c[i] / 256 + 0.5) / 16777216.0); // the double is exact
    }
  }
}
