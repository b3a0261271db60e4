#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* n = static_cast<const std::uint32_t*>(args[0]);
  auto* x = static_cast<const std::uint32_t*>(args[1]);
  auto* y = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 9;
    std::uint32_t count = n[i] % 32, v[3] = {x[i], y[i], x[i] ^ ~y[i]};
    std::rotate(v, v + count % 3, v + 3);
    std::copy(v, v + 3, o);
    for (std::uint32_t k = 1; k < count; k += 2) {
      std::uint32_t next[3] = {v[2], v[0] + k, v[1] - v[0] - k};
      std::copy(next, next + 3, v);
    }
    std::copy(v, v + 3, o + 3);
    std::uint32_t history[40] = {1, 0}, last = 1;
    for (std::uint32_t k = count; k != 0; --k, ++last) {
      std::uint32_t old = history[last - 1], now = history[last] ^ ((old << 3) | (old >> 29));
      history[last + 1] = now + (k & v[0]);
      if (now == 8 * k) {
        ++last;
        break;
      }
    }
    o[6] = history[last];
    o[7] = history[last - 1];
    o[8] = count % 2;
  }
}
