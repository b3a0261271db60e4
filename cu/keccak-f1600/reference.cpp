#include "harness/reference.h"

#include <bit>

namespace {

using Word = std::uint64_t;

struct State {
  Word at[5][5]; ///< [x][y]
};

/// The next bit of the linear feedback shift register that the round constants are taken from.
Word nextBit(unsigned& lfsr) {
  Word bit = lfsr & 1;
  lfsr <<= 1;
  if (lfsr & 0x100) lfsr ^= 0x171;
  return bit;
}

State permuted(State a) {
  unsigned lfsr = 1;
  for (int round = 0; round < 24; ++round) {
    State b = a;
    for (int x = 0; x < 5; ++x)
      for (int y = 0; y < 5; ++y)
        for (int row = 0; row < 5; ++row)
          b.at[x][y] ^= a.at[(x + 4) % 5][row] ^ std::rotl(a.at[(x + 1) % 5][row], 1);
    State c{};
    c.at[0][0] = b.at[0][0];
    for (int step = 0, x = 1, y = 0; step < 24; ++step) {
      int newX = y, newY = (2 * x + 3 * y) % 5;
      c.at[newX][newY] = std::rotl(b.at[x][y], (step + 1) * (step + 2) / 2 % 64);
      x = newX;
      y = newY;
    }
    for (int x = 0; x < 5; ++x)
      for (int y = 0; y < 5; ++y)
        a.at[x][y] = c.at[x][y] ^ (~c.at[(x + 1) % 5][y] & c.at[(x + 2) % 5][y]);
    for (int j = 0; j < 7; ++j)
      a.at[0][0] ^= nextBit(lfsr) << ((1 << j) - 1);
  }
  return a;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* state = static_cast<Word*>(args[0]);
  std::uint32_t threads = launch->grid[0] * launch->block[0];
  for (std::uint32_t t = 0; t < threads; ++t) {
    State a;
    for (std::uint32_t i = 0; i < 25; ++i)
      a.at[i % 5][i / 5] = state[i * threads + t];
    a = permuted(a);
    for (std::uint32_t i = 0; i < 25; ++i)
      state[i * threads + t] = a.at[i % 5][i / 5];
  }
}
