#include "harness/reference.h"

#include <algorithm>

namespace {

/// Bits `position` and up of an operand of `width` bits, extended by the last of them that exists.
std::int64_t field(std::uint64_t v, int width, int position, int length, bool isSigned) {
  int last = std::min(position + length - 1, width - 1);
  bool sign = isSigned && length > 0 && (v >> last & 1) != 0;
  std::uint64_t r = 0;
  for (int i = 0; i < width; ++i) {
    bool bit = i < length && position + i < width ? (v >> (position + i) & 1) != 0 : sign;
    r |= static_cast<std::uint64_t>(bit) << i;
  }
  return width == 32 && isSigned ? static_cast<std::int32_t>(r) : static_cast<std::int64_t>(r);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint16_t*>(args[1]);
  auto* out = static_cast<std::int32_t*>(args[2]);
  auto s = [](std::uint32_t v, int p, int n) { return field(v, 32, p, n, true); };
  auto u = [](std::uint32_t v, int p, int n) { return field(v, 32, p, n, false); };
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t v = x[i], w = y[i];
    std::int64_t r[12] = {
        s(w, 40, 33),
        s(v, 40, 33),
        std::max<std::int64_t>(s(w, 40, 8), 0),
        std::max(static_cast<std::uint32_t>(s(w, 40, 33)), std::min(v, 63u)) & 28,
        s(w, 32, 1) == 0,
        s(v, 31, 40),
        0,
        u(v, 33, 32) + u(w, 15, 255),
        s(w, 15, 255),
        field(w, 64, 70, 33, true) + field(v, 64, 64, 1, true),
        0,
        -1,
    };
    for (int k = 0; k < 12; ++k)
      out[i * 12 + k] = static_cast<std::int32_t>(r[k]);
  }
}
