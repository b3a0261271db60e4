#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  using u32 = std::uint32_t;
  auto* x = static_cast<const u32*>(args[0]);
  auto* y = static_cast<const u32*>(args[1]);
  auto* out = static_cast<u32*>(args[2]);
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u32 v = x[i], turns = y[i] % 16, a = v, b = 1, c = 0, rounds = 0;
    int place = v % 4 == 1 ? 2 : v % 4 == 2 ? 3 : 1;
    while (place != 0) {
      bool out_of_turns = turns == 0;
      switch (place) {
      case 1:
        a = a * 5 + b;
        place = 2;
        break;
      case 2:
        b ^= a / 8;
        place = b % 2 ? 1 : 3;
        continue;
      default: c += b + turns; place = c & 2 ? 2 : a & 4 ? 1 : 3;
      }
      if (!out_of_turns) {
        --turns;
        continue;
      }
      if (++rounds > v >> 30) break;
      turns = (a ^ b) % 8;
      place = rounds % 2 ? 3 : 2;
    }
    u32 r[4] = {a, b, c, rounds * 256 + turns};
    for (int k = 0; k < 4; ++k)
      out[i * 4 + static_cast<u32>(k)] = r[k];
  }
}
