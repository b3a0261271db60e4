#include "harness/reference.h"

#include <algorithm>
#include <cstring>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* in = static_cast<const std::uint8_t*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    const std::uint8_t* from = in + 16 * t;
    std::uint8_t* to = out + 32 * (t ^ 1);
    std::uint64_t low, high;
    std::memcpy(&low, from, 8);
    std::memcpy(&high, from + 8, 8);
    std::uint64_t third = low + t, fourth = high ^ third;
    for (int i = 0; i < 16; i += 4)
      std::reverse_copy(from + i, from + i + 4, to + i);
    std::memcpy(to + 16, &third, 8);
    std::memcpy(to + 24, &fourth, 8);
  }
}
