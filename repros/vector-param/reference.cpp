#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* out = static_cast<double*>(args[1]);
  auto c2 = *static_cast<const std::uint16_t*>(args[2]);
  auto c4 = *static_cast<const std::uint32_t*>(args[3]);
  auto s2 = *static_cast<const std::uint32_t*>(args[4]);
  auto p = *static_cast<const std::uint32_t*>(args[5]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    double* o = out + i * 9;
    auto byte = [](std::uint32_t v, int k) {
      return static_cast<double>(static_cast<std::int8_t>(v >> (8 * k)));
    };
    auto half = [](std::uint32_t v, int k) {
      return static_cast<double>(static_cast<std::int16_t>(v >> (16 * k)));
    };
    double scale = x[i] % 2 ? 1 : -1;
    o[0] = scale * byte(c2, 0);
    o[1] = scale * byte(c2, 1);
    o[2] = scale * byte(c4, 0) + 1000 * byte(c4, 1);
    o[3] = scale * byte(c4, 2) + 1000 * byte(c4, 3);
    o[4] = scale * half(s2, 0);
    o[5] = scale * half(s2, 1);
    o[6] = scale * byte(p, 0);
    o[7] = scale * half(p, 1);
    o[8] = byte(c4, i % 4);
  }
}
