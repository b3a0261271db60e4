#include "harness/reference.h"

namespace {

/// By long division, bit by bit.
void divide(std::uint64_t v, std::uint64_t d, std::uint32_t& quotient, std::uint32_t& rest) {
  std::uint64_t r = 0;
  quotient = 0;
  for (int k = 31; k >= 0; --k) {
    r = r * 2 + (v >> k & 1);
    quotient = quotient * 2 + (r >= d);
    r -= r >= d ? d : 0;
  }
  rest = static_cast<std::uint32_t>(r);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 20;
    std::uint32_t v = x[i] - (i < 128 ? y[i] % 4 : y[i]);
    const std::uint32_t divisors[10] = {0x3,        0x5,        0x7,        0xa, 0x281,
                                        0x7fffffff, 0x80000001, 0xffffffff, 0xc, 0xffff};
    for (int k = 0; k < 10; ++k)
      divide(v, divisors[k], o[k * 2], o[k * 2 + 1]);
  }
}
