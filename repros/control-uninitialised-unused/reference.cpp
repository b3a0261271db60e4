#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int32_t* in = static_cast<const std::int32_t*>(args[0]);
  std::int32_t* out = static_cast<std::int32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t v = static_cast<std::uint32_t>(in[t]);
    out[3 * t] = static_cast<std::int32_t>(v % 0x80000000u);
    out[3 * t + 1] = static_cast<std::int32_t>(v / 256); // the byte on top is the masked one's lowest: 0
    out[3 * t + 2] = static_cast<std::int16_t>(in[t ^ 1]);
  }
}
