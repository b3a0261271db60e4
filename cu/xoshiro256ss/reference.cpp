#include "harness/reference.h"

#include <array>
#include <bit>
#include <cmath>

namespace {

using State = std::array<std::uint64_t, 4>;

State stepped(const State& s) {
  std::uint64_t third = s[2] ^ s[0], fourth = s[3] ^ s[1];
  return {s[0] ^ fourth, s[1] ^ third, third ^ s[1] << 17, std::rotl(fourth, 45)};
}

std::uint64_t word(const State& s) {
  return std::rotl(s[1] * 5, 7) * 9;
}

/// The same by Horner: the step is linear over bits, so the polynomial may be applied from its top down.
State jumped(const State& s) {
  constexpr std::uint64_t kPolynomial[4] = {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa,
                                            0x39abdc4529b1661c};
  State r{};
  for (int bit = 255; bit >= 0; --bit) {
    r = stepped(r);
    if (kPolynomial[bit / 64] >> bit % 64 & 1)
      for (std::size_t i = 0; i < 4; ++i)
        r[i] ^= s[i];
  }
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* seeds = static_cast<const std::uint64_t*>(args[0]);
  auto* out = static_cast<std::uint64_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    State s;
    for (std::uint64_t i = 0; i < 4; ++i) {
      std::uint64_t z = seeds[t] + (i + 1) * 0x9e3779b97f4a7c15;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      s[i] = z ^ z >> 31;
    }
    for (std::uint32_t i = 0; i < t % 3; ++i)
      s = jumped(s);
    for (int i = 0; i < 4; ++i, s = stepped(s))
      out[5 * t + i] = word(s);
    out[5 * t + 4] = std::bit_cast<std::uint64_t>(std::ldexp(static_cast<double>(word(s) >> 11), -53));
  }
}
