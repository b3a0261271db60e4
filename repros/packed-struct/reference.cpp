#include "harness/reference.h"

namespace {

std::uint64_t get(const std::uint8_t* bytes, int size) {
  std::uint64_t value = 0;
  while (size-- > 0)
    value = value * 256 + bytes[size];
  return value;
}

void put(std::uint8_t* bytes, int size, std::uint64_t value) {
  for (int i = 0; i < size; ++i)
    bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

} // namespace

/// Members lie at 0 (1 byte), 1 (8), 9 (11 bits, then 5), 11 (4) and 15 (3).
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    const std::uint8_t *p = static_cast<const std::uint8_t*>(args[0]) + t % 16, *next = p + 1;
    std::uint8_t* to = static_cast<std::uint8_t*>(args[1]) + t * 32 + t / 16;
    std::uint64_t fields = get(p + 9, 2), nextFields = get(next + 9, 2), word = get(p + 11, 4);
    put(to, 1, get(p, 1) + get(next, 1));
    put(to + 1, 8, get(p + 1, 8) ^ (get(next + 1, 8) / 2));
    put(to + 9, 2, (fields + nextFields / 2048) % 2048 + nextFields % 2048 / 8 % 32 * 2048);
    put(to + 11, 4, word >= 0x80000000 ? get(next + 11, 4) : 0xffffffff - word);
    put(to + 15, 1, p[17]);
    put(to + 16, 1, p[16]);
    put(to + 17, 1, p[15]);
  }
}
