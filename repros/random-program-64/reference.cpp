#include "harness/reference.h"

namespace {

enum Op { Add, Sub, Xor, Mul, Rol, Ror, AddC };
struct Step {
  Op op;
  int to, from;
  std::uint64_t constant;
};
const Step program[] = {{Sub, 3, 4, 0x0},
                        {AddC, 8, 7, 0xd1c5ac9ee37487b0},
                        {AddC, 4, 8, 0x3cafab92e52236a6},
                        {Xor, 4, 3, 0x0},
                        {AddC, 5, 6, 0xd8d5e51440aef99b},
                        {Mul, 7, 2, 0x0},
                        {Sub, 3, 6, 0x0},
                        {Ror, 3, 4, 0x0},
                        {Ror, 3, 6, 0x0},
                        {Xor, 4, 1, 0x0},
                        {Xor, 0, 6, 0x0},
                        {Xor, 5, 1, 0x0},
                        {Add, 1, 4, 0x0},
                        {Mul, 4, 2, 0x0},
                        {Add, 3, 2, 0x0},
                        {Ror, 6, 8, 0x0},
                        {Mul, 7, 5, 0x0},
                        {Mul, 4, 3, 0x0},
                        {Xor, 0, 3, 0x0},
                        {Mul, 8, 5, 0x0},
                        {Mul, 8, 0, 0x0},
                        {Xor, 4, 6, 0x0},
                        {Mul, 1, 2, 0x0},
                        {Xor, 5, 1, 0x0},
                        {Rol, 6, 4, 0x0},
                        {Add, 8, 6, 0x0},
                        {Mul, 0, 3, 0x0},
                        {Sub, 4, 1, 0x0},
                        {AddC, 6, 2, 0x11c3e160da7b31fc},
                        {Mul, 1, 0, 0x0},
                        {AddC, 7, 2, 0xde84dfa2937bc50a},
                        {Add, 0, 2, 0x0},
                        {Mul, 8, 3, 0x0},
                        {AddC, 3, 5, 0x92e8c2e9bd237912},
                        {Mul, 6, 7, 0x0},
                        {Mul, 3, 8, 0x0}};

/// One place at a time.
std::uint64_t turned(std::uint64_t v, unsigned left) {
  for (; left > 0; --left)
    v = v * 2 + (v >> 63);
  return v;
}
void apply(const Step& step, std::uint64_t& to, std::uint64_t from) {
  switch (step.op) {
  case Add:
  case AddC: to += from + step.constant; break;
  case Sub: to += ~from + 1; break;
  case Xor: to = (to | from) - (to & from); break;
  case Mul: to *= from; break;
  case Rol: to = turned(to, from % 64); break;
  case Ror: to = turned(to, 64 - from % 64); break;
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* out = static_cast<std::uint64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 9;
    std::uint64_t r[9];
    for (int k = 0; k < 9; ++k)
      r[k] = i % 2 ? x[i * 9 + k] ^ y[i * 9 + k] : x[i * 9 + k];
    for (const Step& step : program)
      apply(step, r[step.to], r[step.from]);
    for (int k = 0; k < 9; ++k)
      o[k] = r[k];
  }
}
