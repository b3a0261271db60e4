#include "harness/reference.h"

namespace {

/// As the PTX manual has it, bit by bit.
std::uint64_t field(std::uint64_t v, std::uint32_t width, std::uint32_t pos, std::uint32_t len,
                    bool isSigned) {
  std::uint64_t r = 0, last = pos + len - 1 < width ? pos + len - 1 : width - 1;
  std::uint64_t sign = isSigned && len ? v >> last & 1 : 0;
  for (std::uint32_t k = 0; k < width; ++k)
    r |= (k < len && pos + k < width ? v >> (pos + k) & 1 : sign) << k;
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* p = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 8;
    std::uint64_t v = x[i] ^ y[i];
    std::uint32_t pos = p[i] % 71, len = p[i] / 3 % 70, w = static_cast<std::uint32_t>(v);
    pos += i % 16 == 5 ? 185 : 0;
    len += i % 16 == 9 ? 185 : 0;
    o[0] = field(w, 32, pos, len, false);
    o[1] = field(w, 32, pos, len, true);
    o[1] = o[1] >> 31 ? o[1] | 0xffffffff00000000 : o[1];
    o[2] = field(v, 64, pos, len, false);
    o[3] = field(v, 64, pos, len, true);
    o[4] = field(w, 32, 5, len, true);
    o[5] = field(w, 32, pos, 9, true);
    o[6] = w / (1u << 20);
    o[7] = field(w, 32, 28, 8, true);
  }
}
