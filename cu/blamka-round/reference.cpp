#include "harness/reference.h"

#include <bit>

namespace {

using Word = std::uint64_t;

/// One half of G on words that stand `stride` apart from each other in no way: four references.
void half(Word& a, Word& b, Word& c, Word& d, int turnD, int turnB) {
  constexpr Word kLow = 0xffffffff;
  a += b + 2 * (a & kLow) * (b & kLow);
  d = std::rotr(d ^ a, turnD);
  c += d + 2 * (c & kLow) * (d & kLow);
  b = std::rotr(b ^ c, turnB);
}

void permute(Word* const (&v)[16]) {
  for (int i = 0; i < 8; ++i) {
    int shift = i / 4, at = i % 4; // columns of the four by four words, then diagonals
    Word &a = *v[at], &b = *v[4 + (at + shift) % 4], &c = *v[8 + (at + 2 * shift) % 4],
         &d = *v[12 + (at + 3 * shift) % 4];
    half(a, b, c, d, 32, 24);
    half(a, b, c, d, 16, 63);
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const Word*>(args[0]);
  auto* y = static_cast<const Word*>(args[1]);
  auto* out = static_cast<Word*>(args[2]);
  for (std::uint32_t from = 0; from < launch->grid[0] * launch->block[0] * 4; from += 128) {
    Word block[128];
    for (std::uint32_t i = 0; i < 128; ++i)
      block[i] = x[from + i] ^ y[from + i];
    for (int row = 0; row < 8; ++row) {
      Word* v[16];
      for (int i = 0; i < 16; ++i)
        v[i] = &block[16 * row + i];
      permute(v);
    }
    for (int pair = 0; pair < 8; ++pair) {
      Word* v[16];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 2; ++j)
          v[2 * i + j] = &block[16 * i + 2 * pair + j];
      permute(v);
    }
    for (std::uint32_t i = 0; i < 128; ++i)
      out[from + i] = block[i] ^ x[from + i] ^ y[from + i];
  }
}
