#include "harness/reference.h"

namespace {

std::uint32_t mask(std::uint32_t pos, std::uint32_t len) {
  std::uint32_t r = 0;
  for (std::uint32_t k = pos; k < 32 && k < pos + len; ++k)
    r += 1u << k;
  return r;
}
std::uint32_t extend(std::uint32_t v, std::uint32_t bits, bool isSigned) {
  if (bits >= 32) return v;
  std::uint32_t low = v & ((1u << bits) - 1);
  return isSigned && bits && low >> (bits - 1) ? low - (1u << bits) : low;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* p = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 8;
    std::uint32_t v = x[i] ^ y[i], a = p[i] % 64, b = p[i] / 5 % 65;
    o[0] = mask(a, b);
    o[1] = mask(a % 32, b % 32);
    o[2] = extend(v, b, true);
    o[3] = extend(v, b % 32, true);
    o[4] = extend(v, b, false);
    o[5] = extend(v, b % 32, false);
    o[6] = v & mask(4, b);
    o[7] = extend(v + b, 12, true);
  }
}
