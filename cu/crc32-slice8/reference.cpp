#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* bytes = static_cast<const std::uint8_t*>(args[0]);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t crc = 0xffffffff;
    for (std::uint32_t bit = 0; bit < t % 61 * 8; ++bit) {
      std::uint32_t next = bytes[5 * t + bit / 8] >> bit % 8 & 1;
      crc = crc >> 1 ^ ((crc ^ next) & 1) * 0xedb88320;
    }
    out[t] = ~crc;
  }
}
