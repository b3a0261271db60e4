#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  auto* n = static_cast<const u32*>(args[0]);
  auto* x = static_cast<const u64*>(args[1]);
  auto* out = static_cast<u64*>(args[2]);
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u64* o = out + i * 6;
    u32 turns = n[i] % 19;
    struct State {
      u64 a, b, c;
      u32 p, q, h;
    } s{x[i],
        (0 - x[i] - 1) * 3,
        x[i] / 128,
        static_cast<u32>(x[i] & 1),
        static_cast<u32>(x[i] >> 1 & 1),
        static_cast<u32>(x[i] & 0xffff)};
    for (u32 k = 0; k < turns; ++k) {
      u64 t = (s.b << 32) + (s.c >> 32);
      State next{s.c - s.p, s.a, t, s.q, s.p ^ static_cast<u32>(t & 1), 0};
      next.h = (2 * s.h + (next.p & ~next.q)) & 0xffff;
      s = next;
    }
    o[0] = s.a;
    o[1] = s.b;
    o[2] = s.c;
    o[3] = s.h + 0x10000 * s.p + 0x20000 * s.q;
    u32 pair[2] = {static_cast<u32>(s.a), static_cast<u32>(s.a >> 32)};
    u32 low = pair[turns % 2], high = pair[1 - turns % 2];
    // A value is negated whenever it leaves the low place: both have done so turns / 2 times, one once more.
    if (turns / 2 % 2) low = 0 - low, high = 0 - high;
    if (turns % 2) high = 0 - high;
    o[4] = static_cast<u64>(high) << 32 | low;
    o[5] = static_cast<u64>(low) + high;
  }
}
