#include "harness/reference.h"

namespace {

/// By long division, bit by bit.
std::uint64_t divide(std::uint64_t v, std::uint64_t d) {
  unsigned __int128 r = 0;
  std::uint64_t quotient = 0;
  for (int k = 63; k >= 0; --k) {
    r = r * 2 + (v >> k & 1);
    quotient = quotient * 2 + (r >= d);
    r -= r >= d ? d : 0;
  }
  return quotient;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 11;
    std::uint64_t v = x[i] - (i < 128 ? y[i] % 4 : y[i]);
    __int128 s = static_cast<std::int64_t>(v);
    o[0] = divide(v, 3);
    o[1] = v - 10 * divide(v, 10);
    o[2] = divide(v, 0xffffffff);
    o[3] = v - 0x100000001 * divide(v, 0x100000001);
    o[4] = v >= 0x8000000000000001;
    std::uint64_t size = static_cast<std::uint64_t>(s < 0 ? -s : s);
    auto sign = [&](std::uint64_t r) { return s < 0 ? 0 - r : r; };
    o[5] = sign(divide(size, 7));
    o[6] = sign(size - 10 * divide(size, 10));
    o[7] = sign(size >> 32);
    o[8] = sign(size % 4096);
    o[9] = divide(v, 1000000007);
    o[10] = sign(size - 60000 * divide(size, 60000));
  }
}
