#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* q = static_cast<const std::uint16_t*>(args[0]);
  auto* h = static_cast<const std::uint8_t*>(args[1]);
  auto* h16 = static_cast<const std::uint16_t*>(args[2]);
  auto* small = static_cast<const std::uint32_t*>(args[3]);
  auto* middle = static_cast<const std::uint64_t*>(args[4]);
  auto* large = static_cast<const std::uint32_t*>(args[5]);
  auto* out = static_cast<std::uint32_t*>(args[6]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 21;
    auto byte = [&](std::uint32_t l) { return q[i * 4 + l / 2] >> (l % 2 * 8) & 0xff; };
    auto signedByte = [](std::uint32_t word, int l) {
      return static_cast<std::int32_t>(static_cast<std::int8_t>(word >> (l * 8) & 0xff));
    };
    std::int32_t sum = 0;
    for (int l = 0; l < 8; ++l) {
      o[l] = small[byte(l) + (h[i] >> l & 1) * 256];
      std::uint32_t other = q[i * 4 + (l % 2 ? 0 : 2)] + q[i * 4 + (l % 2 ? 1 : 3)] * 65536u;
      for (int k = 0; k < 4; ++k)
        sum += signedByte(o[l], k) * signedByte(other, k);
    }
    for (int l = 0; l < 4; ++l) {
      std::uint64_t entry = middle[byte(4 + l) + (h[i] >> (2 * l) & 3) * 256];
      o[8 + l * 2] = static_cast<std::uint32_t>(entry);
      o[9 + l * 2] = static_cast<std::uint32_t>(entry >> 32);
      o[16 + l] = large[byte(l) + (h16[i] >> (3 * l) & 7) * 256];
    }
    o[20] = static_cast<std::uint32_t>(sum);
  }
}
