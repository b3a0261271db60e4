#include "harness/reference.h"

#include <algorithm>
#include <cstdlib>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* x = static_cast<const std::uint32_t*>(args[0]);
  const std::uint32_t* y = static_cast<const std::uint32_t*>(args[1]);
  const std::uint32_t* z = static_cast<const std::uint32_t*>(args[2]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t, out += 4) {
    std::uint32_t a = x[t], b = y[t], c = z[t];
    bool negative = a >> 31 == 1;
    std::uint32_t greatest = negative ? b : std::max(a, b);
    std::int32_t least = std::min(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    int apart = std::abs(static_cast<int>(a >> 24) - static_cast<int>(b & 0xff));
    out[0] = (c & 0xffff) | greatest << 16;
    out[1] = (c & 0xffff0000) | (static_cast<std::uint32_t>(least) & 0xffff);
    out[2] = (c & 0xffffff) | (a - b) << 24;
    out[3] = (c & 0xffff00ff) | static_cast<std::uint32_t>(apart) << 8;
  }
}
