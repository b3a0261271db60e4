#include "harness/reference.h"

namespace {

int ones(std::uint64_t v) {
  int n = 0;
  for (; v; v &= v - 1)
    ++n;
  return n;
}
/// Highest and lowest set bit, -1 if none.
int top(std::uint64_t v) {
  int n = -1;
  for (; v; v /= 2)
    ++n;
  return n;
}
int bottom(std::uint64_t v) {
  return top(v & (0 - v));
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* n = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 10;
    std::uint64_t v = x[i] ^ (n[i] % 2 ? y[i] >> n[i] % 64 : 0), lo = v & 0xffffffff, hi = v >> 32;
    std::uint32_t reversed = 0;
    for (int k = 0; k < 32; ++k)
      reversed = reversed * 2 + ((lo ^ hi) >> k & 1);
    auto sign = [](std::uint64_t a, int bits) {
      return a >> (bits - 1) ? ~a & (~std::uint64_t{0} >> (64 - bits)) : a;
    };
    o[0] = ones(lo) + 64 * ones(v);
    o[1] = 31 - top(hi) + 64 * (63 - top(v));
    o[2] = bottom(lo) + 1 + 256 * (bottom(v) + 1);
    o[3] = reversed;
    o[4] = top(lo);
    o[5] = top(sign(hi, 32));
    o[6] = lo == 0 || lo == 0xffffffff ? -1 : 31 - top(sign(lo, 32));
    o[7] = top(sign(v, 64));
    o[8] = v == 0 ? -1 : 63 - bottom(v);
    o[9] = top(lo | 1) + (hi ? bottom(hi) : 99);
  }
}
