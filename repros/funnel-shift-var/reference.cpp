#include "harness/reference.h"

namespace {

std::uint32_t least(std::uint32_t s) {
  return s < 32 ? s : 32;
}
bool bit(std::uint32_t lo, std::uint32_t hi, int k) {
  return k < 32 ? lo >> k & 1 : hi >> (k - 32) & 1;
}
std::uint32_t left(std::uint32_t lo, std::uint32_t hi, int s) {
  std::uint32_t r = 0;
  for (int k = 0; k < 32; ++k)
    r |= std::uint32_t{bit(lo, hi, 32 + k - s)} << k;
  return r;
}
std::uint32_t right(std::uint32_t lo, std::uint32_t hi, int s) {
  std::uint32_t r = 0;
  for (int k = 0; k < 32; ++k)
    r |= std::uint32_t{bit(lo, hi, k + s)} << k;
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* n = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 9;
    std::uint32_t a = x[i], b = y[i], s = n[i] % 71;
    o[0] = left(a, b, s % 32) + a;
    o[1] = b - left(a, b, least(s));
    o[2] = right(a, b, s % 32) - b;
    o[3] = right(a + b, b, least(s)) + 1;
    o[4] = left(a, a, s % 32);
    o[5] = right(b, b, s % 32);
    o[6] = left(0, b, least(s)) + right(a, 0, least(s));
    o[7] = left(a, b - a, 32) - right(a, b, least(s | 64));
    o[8] = left(a, b, s % 32) ^ right(a, b, least(s));
  }
}
