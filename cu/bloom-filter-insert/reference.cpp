#include "harness/reference.h"

#include <bitset>

namespace {

struct Bits {
  std::uint32_t at[3];
};

Bits bitsOf(std::uint64_t key) {
  key ^= key >> 30;
  key *= 0xbf58476d1ce4e5b9;
  key ^= key >> 27;
  key *= 0x94d049bb133111eb;
  key ^= key >> 31;
  std::uint32_t first = static_cast<std::uint32_t>(key), step = static_cast<std::uint32_t>(key >> 32);
  return {{first % 2048, (first + step) % 2048, (first + step + step) % 2048}};
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* keys = static_cast<const std::uint64_t*>(args[0]);
  auto* asked = static_cast<const std::uint64_t*>(args[1]);
  auto* filter = static_cast<std::uint32_t*>(args[2]);
  auto* fresh = static_cast<std::uint32_t*>(args[3]);
  auto* found = static_cast<std::uint8_t*>(args[4]);
  std::uint32_t size = launch->block[0];
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    std::bitset<2048> own;
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint32_t bit : bitsOf(keys[block * size + i]).at)
        own.set(bit);
    for (std::uint32_t i = 0; i < size; ++i) {
      std::uint64_t key = i % 4 == 0 ? keys[block * size + (5 * i + 1) % size] : asked[block * size + i];
      Bits bits = bitsOf(key);
      found[block * size + i] = own[bits.at[0]] && own[bits.at[1]] && own[bits.at[2]];
    }
    fresh[block] = static_cast<std::uint32_t>(own.count());
    for (std::uint32_t bit = 0; bit < 2048; ++bit)
      if (own[bit]) filter[bit / 32] |= 1u << bit % 32;
  }
}
