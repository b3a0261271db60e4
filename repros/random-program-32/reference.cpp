#include "harness/reference.h"

namespace {

enum Op { Add, Sub, Xor, Mul, Rol, Ror, AddC };
struct Step {
  Op op;
  int to, from;
  std::uint32_t constant;
};
const Step program[] = {
    {AddC, 2, 8, 0x67c1de59}, {Ror, 0, 5, 0x0}, {Mul, 6, 7, 0x0},        {Mul, 5, 1, 0x0}, {Ror, 6, 1, 0x0},
    {Xor, 6, 0, 0x0},         {Sub, 4, 7, 0x0}, {Add, 7, 8, 0x0},        {Rol, 6, 4, 0x0}, {Xor, 1, 2, 0x0},
    {Add, 6, 5, 0x0},         {Mul, 5, 7, 0x0}, {Xor, 3, 8, 0x0},        {Add, 0, 5, 0x0}, {Xor, 4, 5, 0x0},
    {Rol, 2, 8, 0x0},         {Mul, 4, 5, 0x0}, {Rol, 2, 3, 0x0},        {Mul, 5, 0, 0x0}, {Rol, 5, 1, 0x0},
    {Mul, 7, 8, 0x0},         {Rol, 4, 5, 0x0}, {Rol, 6, 4, 0x0},        {Rol, 3, 1, 0x0}, {Add, 2, 8, 0x0},
    {Sub, 1, 3, 0x0},         {Mul, 4, 5, 0x0}, {Mul, 8, 0, 0x0},        {Mul, 1, 6, 0x0}, {Add, 0, 3, 0x0},
    {Mul, 1, 5, 0x0},         {Mul, 8, 5, 0x0}, {Mul, 8, 3, 0x0},        {Ror, 2, 8, 0x0}, {Rol, 2, 5, 0x0},
    {Rol, 8, 3, 0x0},         {Xor, 3, 5, 0x0}, {AddC, 1, 3, 0x9873c0b1}};

/// One place at a time.
std::uint32_t turned(std::uint32_t v, unsigned left) {
  for (; left > 0; --left)
    v = v * 2 + (v >> 31);
  return v;
}
void apply(const Step& step, std::uint32_t& to, std::uint32_t from) {
  switch (step.op) {
  case Add:
  case AddC: to += from + step.constant; break;
  case Sub: to += ~from + 1; break;
  case Xor: to = (to | from) - (to & from); break;
  case Mul: to *= from; break;
  case Rol: to = turned(to, from % 32); break;
  case Ror: to = turned(to, 32 - from % 32); break;
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 9;
    std::uint32_t r[9];
    for (int k = 0; k < 9; ++k)
      r[k] = i % 2 ? x[i * 9 + k] ^ y[i * 9 + k] : x[i * 9 + k];
    for (const Step& step : program)
      apply(step, r[step.to], r[step.from]);
    for (int k = 0; k < 9; ++k)
      o[k] = r[k];
  }
}
