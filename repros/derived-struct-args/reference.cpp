#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  const std::uint32_t* policy = static_cast<const std::uint32_t*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  // Both views begin at `in`.
  auto offset = [&](std::uint32_t view, std::uint32_t i) {
    std::uint32_t width = policy[4 + view] + 3;
    return i / width * policy[6 + view] + i % width + policy[8 + view];
  };
  auto use = [&](std::uint32_t view, std::uint32_t i) {
    return (in[offset(view, i) % 64] ^ 0x5a5a) + policy[i % 2 == 0 ? 1 : 2] * policy[11];
  };
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    out[3 * t] = use((t + policy[0]) % 2, t);
    out[3 * t + 1] = use(1, t);
    out[3 * t + 2] = offset(t % 2, t) + policy[0];
  }
}
