#include "harness/reference.h"

#include <bit>
#include <vector>

namespace {

/// The first 32 bits behind the point of the k-th root of `value`, k = 2 or 3.
std::uint32_t rootFraction(unsigned __int128 value, int k) {
  unsigned __int128 root = 0;
  for (unsigned __int128 bit = static_cast<unsigned __int128>(1) << 37; bit; bit >>= 1) {
    unsigned __int128 next = root | bit, power = k == 2 ? next * next : next * next * next;
    if (power <= value << (32 * k)) root = next;
  }
  return static_cast<std::uint32_t>(root);
}

std::vector<unsigned> primes(std::size_t count) {
  std::vector<unsigned> found;
  for (unsigned n = 2; found.size() < count; ++n) {
    bool prime = true;
    for (unsigned p : found)
      prime = prime && n % p != 0;
    if (prime) found.push_back(n);
  }
  return found;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* messages = static_cast<const std::uint8_t*>(args[0]);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  std::vector<std::uint32_t> k, start;
  for (unsigned p : primes(64)) {
    k.push_back(rootFraction(p, 3));
    if (start.size() < 8) start.push_back(rootFraction(p, 2));
  }
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::vector<std::uint8_t> padded(messages + 120 * t, messages + 120 * t + t);
    padded.push_back(0x80);
    while (padded.size() % 64 != 56)
      padded.push_back(0);
    for (int i = 7; i >= 0; --i)
      padded.push_back(static_cast<std::uint8_t>(std::uint64_t{8 * t} >> 8 * i));
    std::vector<std::uint32_t> h = start;
    for (std::size_t from = 0; from < padded.size(); from += 64) {
      std::uint32_t w[64];
      for (std::size_t i = 0; i < 64; ++i) {
        if (i < 16) {
          w[i] = 0;
          for (std::size_t j = 0; j < 4; ++j)
            w[i] = w[i] << 8 | padded[from + 4 * i + j];
        } else {
          std::uint32_t a = w[i - 15], b = w[i - 2];
          w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
                 (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
        }
      }
      std::vector<std::uint32_t> v = h;
      for (std::size_t i = 0; i < 64; ++i) {
        std::uint32_t a = v[0], b = v[1], c = v[2], e = v[4];
        std::uint32_t t1 = v[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                           ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
        std::uint32_t t2 =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        v.insert(v.begin(), t1 + t2);
        v.pop_back();
        v[4] += t1;
      }
      for (std::size_t i = 0; i < 8; ++i)
        h[i] += v[i];
    }
    for (std::size_t i = 0; i < 8; ++i)
      out[8 * t + i] = h[i];
  }
}
