#include "harness/reference.h"

#include <algorithm>
#include <cstring>

namespace {

/// Both numbers clamped to `bits`, the second in the lower place, `rest` above.
std::uint64_t packed(std::int64_t upper, std::int64_t lower, int bits, bool isSigned, std::uint32_t rest) {
  std::int64_t least = isSigned ? -(1 << (bits - 1)) : 0, most = least + (1 << bits) - 1;
  std::uint64_t mask = (1u << bits) - 1;
  std::uint64_t r = static_cast<std::uint64_t>(std::clamp(lower, least, most)) & mask;
  r |= (static_cast<std::uint64_t>(std::clamp(upper, least, most)) & mask) << bits;
  return (r | std::uint64_t{rest} << 2 * bits) & 0xffffffff;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint64_t* x = static_cast<const std::uint64_t*>(args[0]);
  const std::int32_t* y = static_cast<const std::int32_t*>(args[1]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 8) {
    std::uint16_t h[4];
    std::memcpy(h, &x[t], 8);
    const std::uint16_t shuffled[4] = {h[2], h[0], h[3], h[1]}, exchanged[4] = {h[2], h[3], h[0], h[1]};
    std::memcpy(out, shuffled, 8);
    std::memcpy(out + 1, exchanged, 8);
    out[2] = h[3] * 0x10001u;
    out[3] = (x[t] & 0xff7fffffff7fffff) ^ 0x8000000000000000;
    std::int32_t p = y[t], q = y[(t + 19) % 128];
    std::uint32_t up = static_cast<std::uint32_t>(p), uq = static_cast<std::uint32_t>(q);
    out[4] = packed(p, q, 16, false, 0) | packed(p, q, 16, true, 0) << 32;
    out[5] = packed(p, q, 8, false, t) | packed(p >> 8, q >> 16, 8, true, 0) << 32;
    out[6] = packed(p >> 20, q >> 28, 4, true, up) | packed(p >> 28, q >> 30, 2, false, uq) << 32;
    out[7] = x[t ^ 1] - x[t];
  }
}
