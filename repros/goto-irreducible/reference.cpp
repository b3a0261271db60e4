#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 3;
    std::uint32_t v = x[i], turns = y[i], a = 0, b = 1;
    bool skipFirst = v % 2 == 1;
    for (bool again = true; again;) {
      if (!skipFirst) {
        a = a * 3 + turns;
        b = a / 4 % 2 ? b ^ a : b;
      }
      b += a / 2;
      a ^= static_cast<std::uint32_t>(v / (std::uint64_t{1} << turns % 32));
      again = turns != 0;
      --turns;
      skipFirst = b / 2 % 2 == 0 && turns % 2 == 1;
    }
    o[0] = a;
    o[1] = b;
    o[2] = turns;
  }
}
