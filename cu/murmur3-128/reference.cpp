#include "harness/reference.h"

#include <bit>
#include <initializer_list>

namespace {

constexpr std::uint64_t kC[2] = {0x87c37b91114253d5, 0x4cf5ad432745937f};

/// Little-endian, `count` bytes of a word's eight.
std::uint64_t word(const std::uint8_t* bytes, std::uint32_t count) {
  std::uint64_t value = 0;
  for (std::uint32_t i = count; i-- > 0;)
    value = value * 256 + bytes[i];
  return value;
}

std::uint64_t scrambled(std::uint64_t k, int which) {
  return std::rotl(k * kC[which], which ? 33 : 31) * kC[1 - which];
}

std::uint64_t finalised(std::uint64_t h) {
  for (std::uint64_t factor : {0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53}) {
    h ^= h >> 33;
    h *= factor;
  }
  return h ^ h >> 33;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* bytes = static_cast<const std::uint8_t*>(args[0]);
  auto* out = static_cast<std::uint64_t*>(args[1]);
  std::uint32_t seed = *static_cast<const std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    const std::uint8_t* at = bytes + 16 * t;
    std::uint32_t length = t % 64, done = 0;
    std::uint64_t h[2] = {seed, seed};
    for (; done + 16 <= length; done += 16) {
      h[0] = (std::rotl(h[0] ^ scrambled(word(at + done, 8), 0), 27) + h[1]) * 5 + 0x52dce729;
      h[1] = (std::rotl(h[1] ^ scrambled(word(at + done + 8, 8), 1), 31) + h[0]) * 5 + 0x38495ab5;
    }
    std::uint32_t rest = length - done;
    if (rest > 8) h[1] ^= scrambled(word(at + done + 8, rest - 8), 1);
    if (rest > 0) h[0] ^= scrambled(word(at + done, rest < 8 ? rest : 8), 0);
    h[0] ^= length;
    h[1] ^= length;
    h[0] += h[1];
    h[1] += h[0];
    h[0] = finalised(h[0]);
    h[1] = finalised(h[1]);
    h[0] += h[1];
    h[1] += h[0];
    out[2 * t] = h[0];
    out[2 * t + 1] = h[1];
  }
}
