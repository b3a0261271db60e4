#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 4) {
    std::uint32_t x = in[t], byte[4] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24};
    std::uint32_t word[3] = {x, 0xffffffff - x, x + x + x}, half[3] = {x & 0xffff, x >> 16, 7};
    std::uint32_t reversed[5] = {byte[3], byte[2], byte[1], byte[0], 9};
    std::uint64_t wide = (std::uint64_t{x} << 32) + x + 0x0123456789abcdef;
    out[0] = byte[t % 3];
    out[1] = word[t % 3] ^ (word[(t + 1) % 3] + 5);
    out[2] = (static_cast<std::uint32_t>(wide >> 8 * (t % 8)) & 255) | reversed[t % 5] * 256;
    out[2] |= (half[t % 3] * 65536) ^ byte[(t + 2) % 3];
    out[3] = byte[(t + 1) % 3] + word[1] + byte[1];
  }
}
