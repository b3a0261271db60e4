#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  std::uint64_t block = *static_cast<const std::uint64_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 4) {
    const std::uint32_t pairs[5][3] = {
        {1, in[0], in[1]},
        {2, t, 0x1234},
        {4, 77, t},
        {8, 0x08070605, 0},
        {16, static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)}};
    for (int i = 0; i < 3; ++i)
      out[i] = pairs[t % 5][i];
    out[3] = 1000 + launch->block[0];
  }
}
