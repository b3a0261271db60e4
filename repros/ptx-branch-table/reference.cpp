#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* program = static_cast<const std::uint8_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t value = t;
    for (std::uint32_t at = 0; at < 8; ++at) {
      std::uint32_t code = program[8 * t + at] % 8, operand = program[8 * t + at] / 8;
      if (code == 7) break;
      if (code == 0 || code == 4) value += operand;
      if (code == 1) value = ~(value ^ operand);
      if (code == 2)
        value = static_cast<std::uint32_t>((std::uint64_t{value} * 0x100000001) << operand >> 32);
      if (code == 5) value = value * operand + 1;
      if (code == 3 || code == 6) ++at;
    }
    out[t] = value;
  }
}
