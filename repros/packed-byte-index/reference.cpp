#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* q = static_cast<const std::uint32_t*>(args[0]);
  auto* h = static_cast<const std::uint32_t*>(args[1]);
  auto* small = static_cast<const std::uint32_t*>(args[2]);
  auto* middle = static_cast<const std::uint64_t*>(args[3]);
  auto* large = static_cast<const std::uint32_t*>(args[4]);
  auto* out = static_cast<std::uint32_t*>(args[5]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 9;
    std::uint32_t high = h[i], sum = 0;
    for (int k = 0; k < 8; ++k) {
      std::uint32_t word = q[i * 2 + k / 4], l = k % 4, byte = word >> (8 * l) & 0xff;
      std::uint32_t first = small[byte + (high >> k & 1) * 256];
      std::uint64_t second = middle[byte + (high >> (2 * l) & 3) * 256];
      std::uint32_t third = large[byte + (high >> (3 * l) & 7) * 256];
      o[k] = first ^ static_cast<std::uint32_t>(second >> 32) ^ third;
      for (int lane = 0; lane < 32; lane += 8)
        sum += (first >> lane & 0xff) * ((word ^ static_cast<std::uint32_t>(second)) >> lane & 0xff);
    }
    o[8] = sum;
  }
}
