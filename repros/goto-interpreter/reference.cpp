#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* p = static_cast<const std::uint32_t*>(args[0]);
  auto* x = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 3;
    std::uint32_t code = p[i], v = x[i], left = 40;
    enum State { Add, Twist, Drop, Done } state = static_cast<State>(code % 4);
    while (state != Done && --left != 0) {
      if (state == Add) {
        v += 0x9e3779b9;
        state = v / 256 % 2 ? Twist : code / 4 % 2 ? Drop : Add;
      } else if (state == Twist) {
        v = (v * 5) ^ (v / 128);
        code = code * 2 + code / 0x80000000;
        state = code / 8 % 2 ? Add : Drop;
      } else {
        v -= code | 1;
        code = code / 8 + code * 0x20000000;
        state = code / 16 % 4 == 3 ? Twist : v / 2 % 2 ? Add : code / 64 % 2 ? Drop : Done;
      }
    }
    o[0] = v;
    o[1] = code;
    o[2] = left;
  }
}
