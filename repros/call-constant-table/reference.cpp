#include "harness/reference.h"

namespace {

using u32 = std::uint32_t;

u32 step(u32 which, u32 a, u32 b);

/// {turned, 7}, {plus, 255}, {times, 0}, the functions by their place in the first table.
const u32 kStep[3] = {2, 0, 1}, kBias[3] = {7, 255, 0};

u32 deep(u32 a, u32 b) {
  u32 scratch[4] = {a, b, a ^ b, 9};
  if (b == 0) return scratch[a % 4];
  return step(kStep[b % 3], scratch[b % 4], kBias[b % 3]) + step(b % 4, a, b / 16);
}

u32 step(u32 which, u32 a, u32 b) {
  switch (which) {
  case 0: return a + b;
  case 1: return a * b + 1;
  case 2: return b % 32 ? (a << b % 32) + (a >> (32 - b % 32)) : a;
  default: return deep(a, b);
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const u32*>(args[0]);
  auto* y = static_cast<const u32*>(args[1]);
  auto* out = static_cast<u32*>(args[2]);
  for (u32 i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    u32 a = x[i], b = y[i] % 65536, block = i / launch->block[0];
    out[i * 3] = step(i % 4, a, b);
    out[i * 3 + 1] = step(kStep[a / 8 % 3], b, kBias[block]);
    out[i * 3 + 2] = step(a % 2 ? block : kStep[b % 3], a, b) ^ deep(a, b % 256);
  }
}
