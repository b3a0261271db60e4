#include "harness/reference.h"

namespace {

using u32 = std::uint32_t;

/// The bytes are chosen from the eight of b:a; a nibble of 8 and more takes the sign of the byte it chooses.
u32 permuted(u32 selector, u32 a, u32 b) {
  u32 r = 0;
  for (int k = 0; k < 4; ++k) {
    u32 nibble = selector >> (4 * k) & 15, from = nibble & 7;
    u32 byte = (from < 4 ? a >> (8 * from) : b >> (8 * (from - 4))) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * k);
  }
  return r;
}

std::int32_t field(u32 v, int position, int length) {
  std::int64_t r = v >> position & ((1ull << length) - 1);
  return static_cast<std::int32_t>(r >> (length - 1) & 1 ? r - (std::int64_t{1} << length) : r);
}

std::int32_t byteOf(u32 v) {
  return static_cast<std::int8_t>(v);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const u32*>(args[0]);
  auto* y = static_cast<const u32*>(args[1]);
  auto* out = static_cast<std::int32_t*>(args[2]);
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t* o = out + i * 10;
    u32 a = x[i], b = y[i];
    o[0] = field(permuted(0x9180, a, b), 4, 12);
    o[1] = static_cast<std::int32_t>(permuted(0xb3a2, a, b) >> 7 & 0x3ffff);
    o[2] = a & 0x8000 ? 1 : 2;
    o[3] = byteOf(a) >> 3;
    o[4] = static_cast<std::int32_t>(a >> 31 ? 0xff0000 : 0) + (b & 0x80 ? -1 : 0);
    o[5] = 1;
    o[6] = static_cast<std::int32_t>((((a & 0xff) | (a & 0xff00) << 8) * 3 >> 5) -
                                     ((a >> 16 & 0xff) | a >> 24 << 16));
    o[7] = byteOf(a >> 24) < byteOf(b) ? 1 : 2;
    o[8] = byteOf(a >> 24) == byteOf(a >> 24) ? 1 : 2;
    o[9] = field(permuted(0x7610, permuted(0x5410, a, b), permuted(0x7632, a, b)), 16, 7);
  }
}
