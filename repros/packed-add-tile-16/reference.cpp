#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const std::uint16_t* scale = static_cast<const std::uint16_t*>(args[0]);
  std::uint16_t* out = static_cast<std::uint16_t*>(args[1]);
  for (std::uint32_t i = 0; i < 256; i += 2) {
    bool odd = i % 16 >= 8;
    out[i / 2] = static_cast<std::uint16_t>(odd ? i * scale[i % 8] % 65536 % 1000 + 1 : i);
  }
}
