#include "harness/reference.h"

#include <cstring>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* in = static_cast<const std::uint8_t*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 96) {
    const std::uint8_t* from = in + 64 * t;
    std::int32_t words[4];
    for (int i = 0; i < 4; ++i)
      words[i] = static_cast<std::int8_t>(from[4 + i]);
    std::memcpy(out, words, 16);
    std::int16_t halves[2];
    std::memcpy(halves, from + 8, 4);
    const std::int32_t second[4] = {halves[0], halves[1], in[2], 0};
    std::memcpy(out + 16, second, 16);
    std::memcpy(out + 32, from + 24, 8);
    std::memcpy(out + 40, from + 16, 8);
    std::memcpy(out + 48, from + 44, 4);
    std::memcpy(out + 52, from + 36, 4);
    std::memcpy(out + 56, from + 54, 2);
    std::memcpy(out + 58, from + 48, 2);
    out[60] = out[61] = in[2];
    out[62] = out[63] = from[8];
    std::int64_t wide[2] = {static_cast<std::int8_t>(from[60]), from[61]};
    std::memcpy(out + 64, wide, 16);
    out[80] = from[32];
    out[81] = from[36];
  }
}
