#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int16_t*>(args[0]);
  auto* y = static_cast<const std::int8_t*>(args[1]);
  auto* z = static_cast<const std::uint16_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t s = x[i] < 0 ? 0xffff : 0, b = y[i] < 0 ? 0xffff : 0, w = z[i];
    std::uint32_t r[9] = {
        w | s << 16, w | b << 16, w, s, b | w << 16, w | s << 16, static_cast<std::uint16_t>(x[i]) | s << 16,
        s & w,       s | b << 16};
    for (int k = 0; k < 9; ++k)
      out[i * 9 + k] = r[k];
  }
}
