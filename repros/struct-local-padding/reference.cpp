#include "harness/reference.h"

#include <utility>

namespace {

/// Every member in 64 bits of its own.
struct Item {
  std::int64_t first, word;
  std::uint64_t half[2], byte[2], flag, wide, odd;
};

std::int64_t wrap(std::uint64_t value, int bits) {
  std::uint64_t top = std::uint64_t{1} << (bits - 1), low = value & (2 * top - 1);
  return static_cast<std::int64_t>(low) - (low >= top ? static_cast<std::int64_t>(2 * top) : 0);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t rounds = *static_cast<const std::uint32_t*>(args[1]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 5) {
    std::uint32_t x = in[t];
    Item item[6];
    for (std::uint32_t i = 0; i < 6; ++i) {
      std::uint32_t v = x * (2 * i + 1);
      item[i] = {wrap(v, 8),
                 static_cast<std::int64_t>(v / 8),
                 {(v >> 5) % 65536, (v >> 11) % 65536},
                 {(v >> 7) % 256, (v >> 13) % 256},
                 (v >> 17) % 256,
                 (std::uint64_t{v} << 32) + v,
                 v / 256 % 2};
    }
    for (std::uint32_t r = 0; r < rounds; ++r) {
      std::uint32_t i = (x >> r) % 6, j = (i + 1 + (x >> (r + 3)) % 5) % 6;
      std::swap(item[i], item[j]);
      Item &a = item[i], &b = item[(j + r) % 6 == i ? j : (j + r) % 6];
      std::int64_t word = a.word;
      a.half[r % 2] = b.half[1 - r % 2];
      a.byte[r % 2] = b.byte[1 - r % 2];
      a.wide += static_cast<std::uint64_t>(word);
      b.first = wrap(static_cast<std::uint64_t>(b.first) ^ a.flag, 8);
      b.odd = 1 - a.odd;
      b.word = wrap(static_cast<std::uint64_t>(word) * 3, 32);
    }
    const Item& p = item[x % 6];
    out[0] = static_cast<std::uint64_t>(p.first);
    out[1] = static_cast<std::uint64_t>(p.word) & 0xffffffff;
    out[2] = p.half[0] + p.byte[0] * 65536 + ((p.half[1] + p.byte[1] * 65536) << 32);
    out[3] = p.wide;
    out[4] = p.flag * 2 + p.odd;
  }
}
