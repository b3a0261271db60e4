#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 4;
    auto sum = [](std::uint32_t a, std::uint32_t b) { return (a + b) % 65536; };
    o[0] = sum(x[i * 4], y[i * 4]);
    o[1] = sum(x[i * 4 + 1], y[i * 4 + 1]);
    o[2] = sum(x[i * 4 + 2], y[i * 4 + 2]) + sum(x[i * 4 + 3], y[i * 4 + 3]) * 65536;
    o[3] = sum(x[i * 4], 1) + sum(x[i * 4 + 3], 1) * 65536;
  }
}
