#include "harness/reference.h"

#include <bit>
#include <string_view>

namespace {

/// The schedule as hexadecimal digits, one row a round.
constexpr std::string_view kSchedule[10] = {
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0"};

constexpr std::uint64_t kStart[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                     0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                     0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

std::uint64_t word(const std::uint64_t* message, char digit) {
  return message[digit <= '9' ? digit - '0' : digit - 'a' + 10];
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* messages = static_cast<const std::uint64_t*>(args[0]);
  auto* counters = static_cast<const std::uint64_t*>(args[1]);
  auto* state = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    const std::uint64_t* message = messages + 16 * t;
    std::uint64_t v[4][4]; // four rows of four
    for (int i = 0; i < 8; ++i) {
      v[i / 4][i % 4] = state[8 * t + i];
      v[2 + i / 4][i % 4] = kStart[i];
    }
    v[3][0] ^= counters[2 * t];
    v[3][1] ^= counters[2 * t + 1];
    if (t % 2 == 1) v[3][2] ^= ~std::uint64_t{0};
    for (int round = 0; round < 12; ++round)
      for (int i = 0; i < 8; ++i) {
        int shift = i / 4; // the second four go along diagonals
        std::uint64_t &a = v[0][i % 4], &b = v[1][(i + shift) % 4], &c = v[2][(i + 2 * shift) % 4],
                      &d = v[3][(i + 3 * shift) % 4];
        for (int half = 0; half < 2; ++half) {
          a = a + b + word(message, kSchedule[round % 10][2 * i + half]);
          d = std::rotr(d ^ a, half ? 16 : 32);
          c = c + d;
          b = std::rotr(b ^ c, half ? 63 : 24);
        }
      }
    for (int i = 0; i < 8; ++i)
      state[8 * t + i] ^= v[i / 4][i % 4] ^ v[2 + i / 4][i % 4];
  }
}
